import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, nothing, one, paging } from './call.ts'
import { hostKinds, hostStates } from './hosts.ts'

export const programNames = ['core', 'agent', 'node'] as const
export type ProgramName = (typeof programNames)[number]

const program = z.object({ version: z.string(), sha256: z.string() })
export type Program = z.output<typeof program>

/** What a host runs of ours; `node` is the Node.js that runs the agent. */
export const programs = z.object({ core: program, agent: program, node: program })
export type Programs = z.output<typeof programs>

/** `unknown`: no run has succeeded since this is recorded. `waiting`: its run has not ended. */
export const upgradeStates = ['unknown', 'current', 'outdated', 'waiting', 'failed'] as const
export type UpgradeState = (typeof upgradeStates)[number]

const failure = z.object({
  runUUID: z.nullable(z.string()),
  failedDate: z.string(),
  lastLine: z.string(),
})

export const hostPrograms = z.object({
  hostUUID: z.string(),
  hostKind: z.enum(hostKinds),
  hostName: z.string(),
  hostState: z.enum(hostStates),
  upgradeState: z.enum(upgradeStates),
  wantedPrograms: z.nullable(programs),
  /** Left there by the last run that succeeded. */
  installedPrograms: z.nullable(programs),
  /** As the host's agent reports them; '' if it never did. */
  agentVersion: z.string(),
  coreVersion: z.string(),
  failedUpgrade: z.nullable(failure),
})

export const getHostPrograms = defineCall({
  path: '/api/v1/hosts/getprograms',
  access: 'admin',
  summary: 'Which core, agent and Node.js every host should run, and which it runs; by name',
  input: { ...paging, machineIPV4: z.optional(adminRules.ipv4) },
  output: list(hostPrograms),
})

export const rolloutStates = ['running', 'succeeded', 'failed', 'stopped'] as const
export type RolloutState = (typeof rolloutStates)[number]

export const rollout = z.object({
  rolloutState: z.enum(rolloutStates),
  /** For hosts with the control plane's processor. */
  rolloutPrograms: z.nullable(programs),
  rolloutStartedDate: z.string(),
  rolloutStartedBy: z.string(),
  rolloutFinishedDate: z.nullable(z.string()),
  /** The first host whose upgrade failed; it ended the roll-out. */
  failedHost: z.nullable(
    z.object({
      hostUUID: z.string(),
      hostKind: z.enum(hostKinds),
      hostName: z.string(),
      lastLine: z.string(),
    }),
  ),
})

export const getUpgrades = defineCall({
  path: '/api/v1/hosts/getupgrades',
  access: 'admin',
  summary: 'The newest programs in the store, how many hosts run them, and the last upgrade of all hosts',
  input: {},
  output: one(
    z.object({
      /** For hosts with the control plane's processor. null: there is no core in the store, or the agent is not built. */
      newestPrograms: z.nullable(programs),
      /** Of the upgrade of all hosts while it runs, otherwise of the newest programs. */
      currentHosts: z.number(),
      waitingHosts: z.number(),
      /** Hosts that an upgrade of the rest would change. */
      outdatedHosts: z.number(),
      /** Machines on which all hosts in service run them. */
      currentMachines: z.number(),
      rollout: z.nullable(rollout),
    }),
  ),
})

export const upgradeHost = defineCall({
  path: '/api/v1/hosts/upgrade',
  access: 'admin',
  summary: 'Install the newest core, agent and Node.js on one host and the others of its machine',
  input: { hostUUID: adminRules.uuid },
  output: nothing,
  message: 'Upgrade queued',
  refusals: ['RESOURCE_NOT_FOUND', 'NO_PROGRAMS', 'UP_TO_DATE'],
})

export const startRollout = defineCall({
  path: '/api/v1/hosts/upgraderest',
  access: 'admin',
  summary: 'Upgrade all other hosts in service, a few machines at a time, until the first failure',
  input: {},
  output: nothing,
  message: 'Upgrade of all hosts started',
  refusals: ['NO_PROGRAMS', 'UP_TO_DATE', 'UPGRADE_ONE_FIRST'],
})

export const stopRollout = defineCall({
  path: '/api/v1/hosts/stopupgrades',
  access: 'admin',
  summary: 'Begin no more upgrades; those under way go on',
  input: {},
  output: nothing,
  message: 'No more upgrades are begun',
  refusals: ['NOTHING_RUNS'],
})
