import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, nothing, one } from './call.ts'

const hostTarget = { hostUUID: adminRules.uuid }

export const allowShrink = defineCall({
  path: '/api/v1/admin/allowshrink',
  access: 'admin',
  summary:
    'Let a host take a list that has lost many of its accounts: the next one that it takes, within ten minutes',
  input: hostTarget,
  output: nothing,
  message: 'Allowed',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const revokeNode = defineCall({
  path: '/api/v1/admin/revokenode',
  access: 'admin',
  summary:
    'Revoke all certificates of a host, as when they were stolen; its agent is refused until the host is set up again',
  input: hostTarget,
  output: nothing,
  message: 'Certificates revoked',
  refusals: ['RESOURCE_NOT_FOUND'],
})

/** In bytes, as the servers count them. */
const traffic = z.object({ up: z.number(), down: z.number() })

/** Refused parts of a report; `foreign`: accounts of other hosts. */
export const hostAlertKinds = ['abuse', 'boots', 'devices', 'foreign'] as const
export type HostAlert = (typeof hostAlertKinds)[number]

export const hostAlert = {
  alert: z.enum(hostAlertKinds),
  count: z.number(),
  lastDate: z.string(),
}

/**
 * What an agent finds wrong with its host. `core-deaf`: the core answers its API but does not listen for customers;
 * `front`: nothing listens for customers on a tunnel; `agent`: something that the agent itself cannot do.
 */
export const troubleKinds = [
  'core-stopped',
  'core-configuration',
  'core-crashing',
  'core-hung',
  'core-deaf',
  'front',
  'firewall',
  'disk',
  'memory',
  'conntrack',
  'clock',
  'certificate',
  'agent-certificate',
  'agent',
] as const
export type TroubleKind = (typeof troubleKinds)[number]

/** Reported by the agent; a repaired one stays for some minutes. */
export const hostTrouble = {
  trouble: z.enum(troubleKinds),
  /** Written by the host. */
  detail: z.string(),
  repaired: z.boolean(),
  sinceDate: z.string(),
}

export const hostFigures = z.object({
  hostActiveAccounts: z.number(),
  hostAccounts: z.number(),
  hostAbusedAccounts: z.number(),
  /** Last 24 hours. */
  hostAlerts: z.array(z.object(hostAlert)),
  hostTroubles: z.array(z.object(hostTrouble)),
  hostTrafficToday: traffic,
  hostTrafficMonth: traffic,
  hostTrafficTotal: traffic,
  hostConnections: z.nullable(z.number()),
  hostLoad: z.nullable(z.number()),
  agentVersion: z.string(),
  coreVersion: z.string(),
  coreSinceDate: z.nullable(z.string()),
  /** Positive if its clock is ahead of ours; null before the first hello. */
  clockOffsetMs: z.nullable(z.number()),
  agentHeardDate: z.nullable(z.string()),
  agentSilent: z.boolean(),
})

export const getHostFigures = defineCall({
  path: '/api/v1/admin/gethostfigures',
  access: 'admin',
  summary: 'Traffic of a host and state of its agent and core',
  input: hostTarget,
  output: one(hostFigures),
  refusals: ['RESOURCE_NOT_FOUND'],
})
