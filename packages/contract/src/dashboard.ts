import * as z from 'zod/mini'
import { accountStates } from './accounts.ts'
import { adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'
import { counts } from './counts.ts'
import { quotaStates, replacementReasons } from './host-calls.ts'
import { hostKinds, hostStates } from './hosts.ts'
import { hostAlert, hostTrouble } from './node-upkeep.ts'
import { targetProblems } from './servers.ts'
import { debtAges } from './users.ts'

const hostRoom = z.object({
  subject: z.enum(hostKinds),
  /** VPN type of a server or type of a tunnel; tunnelType is '' for a tunnel or a direct server. */
  type: z.string(),
  tunnelType: z.string(),
  hosts: z.number(),
  /** The same numbers as the lists filtered by `room`. */
  full: z.number(),
  nearlyFull: z.number(),
  capacity: z.number(),
  accounts: z.number(),
})

export const getDashboard = defineCall({
  path: '/api/v1/admin/getdashboard',
  access: 'admin',
  summary: 'Figures of the whole business',
  input: {},
  output: one(
    z.object({
      users: z.number(),
      administrators: z.number(),
      accounts: counts(accountStates),
      servers: counts(hostStates),
      serverCapacity: z.number(),
      serverAccounts: z.number(),
      tunnels: counts(hostStates),
      tunnelCapacity: z.number(),
      tunnelAccounts: z.number(),
      totalCredit: z.number(),
      totalTunnelCredit: z.number(),
      totalDebt: z.number(),
      lastFailures: z.array(
        z.object({
          subject: z.enum(hostKinds),
          uuid: z.string(),
          name: z.string(),
          failedDate: z.string(),
          lastLine: z.string(),
          state: z.nullable(z.enum(hostStates)),
          /** When the run is repeated by itself; null if it is not. */
          retryDate: z.optional(z.nullable(z.string())),
        }),
      ),
      lastExpiryDate: z.nullable(z.string()),
      lastLedgerCheckDate: z.nullable(z.string()),
      ledgerIsSound: z.nullable(z.boolean()),
      ledgerFindings: z.number(),
      auditIsSound: z.nullable(z.boolean()),
      lastAuditCheckDate: z.nullable(z.string()),
      /** Hosts in service whose last run failed and is repeated. */
      failingRuns: z.optional(z.number()),
      downServers: z.number(),
      silentServers: z.number(),
      downTunnels: z.number(),
      silentTunnels: z.number(),
      /** The agent refuses a list that is older or lacks too many accounts; admin/allowshrink permits it. */
      refusingHosts: z.array(
        z.object({
          subject: z.enum(hostKinds),
          uuid: z.string(),
          name: z.string(),
          refusedList: z.enum(['older', 'smaller']),
          sinceDate: z.string(),
        }),
      ),
      /** Last 24 hours; such a host may be compromised. */
      hostAlerts: z.array(
        z.object({
          subject: z.enum(hostKinds),
          uuid: z.string(),
          name: z.string(),
          ...hostAlert,
          sinceDate: z.string(),
        }),
      ),
      hostTroubles: z.array(
        z.object({ subject: z.enum(hostKinds), uuid: z.string(), name: z.string(), ...hostTrouble }),
      ),
      /** Hosts whose accounts get other hosts now, the oldest first. */
      replacements: z.optional(
        z.array(
          z.object({
            subject: z.enum(hostKinds),
            uuid: z.string(),
            name: z.string(),
            reason: z.enum(replacementReasons),
            /** Only accounts for which the host is blocked, not all. */
            onlyBlocked: z.boolean(),
            sinceDate: z.string(),
            moved: z.number(),
            stuck: z.number(),
            left: z.number(),
          }),
        ),
      ),
      /** Hosts that are down, whose accounts get no other hosts by themselves because the setting is 0. */
      replaceableHosts: z.optional(
        z.array(
          z.object({
            subject: z.enum(hostKinds),
            uuid: z.string(),
            name: z.string(),
            accounts: z.number(),
            sinceDate: z.string(),
          }),
        ),
      ),
      /**
       * The last five other CAs whose hosts connected within the last hour, as they do when the database is new. It
       * is a hint, because anybody can create a CA. The fingerprint is the SHA-256 of its certificate.
       */
      strangeAuthorities: z.array(
        z.object({ fingerprint: z.string(), hosts: z.number(), lastDate: z.string() }),
      ),
      /** Their hosting ends within 14 days or has ended; soonest first. */
      endingServers: z.array(z.object({ uuid: z.string(), name: z.string(), expireDate: z.string() })),
      /** Hosts that have used most of what their provider lets them carry this month; exhausted ones first. */
      tightQuotas: z.optional(
        z.array(
          z.object({
            subject: z.enum(hostKinds),
            uuid: z.string(),
            name: z.string(),
            quotaState: z.enum(quotaStates),
            quota: z.number(),
            quotaUsed: z.number(),
            quotaEndDate: z.string(),
          }),
        ),
      ),
      /** Servers whose site for strangers is not right any more; longest first. */
      targetTroubles: z.optional(
        z.array(
          z.object({
            uuid: z.string(),
            name: z.string(),
            target: z.string(),
            targetProblems: z.array(z.enum(targetProblems)),
            sinceDate: z.string(),
          }),
        ),
      ),
      lateJobs: z.array(z.object({ name: z.string(), lastSuccessDate: z.nullable(z.string()) })),
      rooms: z.array(hostRoom),
      /** Points spent in the last 30 days, counted as getActivity does. */
      pointsSold: z.number(),
      debtByAge: z.array(z.object({ age: z.enum(debtAges), users: z.number(), debt: z.number() })),
    }),
  ),
})

/** 86,400 seconds from midnight UTC. */
const activityDay = z.object({
  day: z.string(),
  created: z.number(),
  renewed: z.number(),
  pointsSold: z.number(),
})

export const getActivity = defineCall({
  path: '/api/v1/admin/getactivity',
  access: 'admin',
  summary:
    'What was bought on each of the last days, today included, and how many accounts expire on each of the next 30; a day is 86,400 seconds from midnight UTC',
  input: { days: z.optional(adminRules.activityDays) },
  output: one(
    z.object({
      /** Oldest first; the last one is today. Free accounts leave no entry to count. */
      days: z.array(activityDay),
      expiring: z.array(z.object({ day: z.string(), accounts: z.number() })),
    }),
  ),
})
