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

/**
 * What a host reported and was not taken: more accounts to be stopped for abuse, more starts of its core or more devices
 * than an honest host has, or accounts of other hosts.
 */
export const hostAlertKinds = ['abuse', 'boots', 'devices', 'foreign'] as const
export type HostAlert = (typeof hostAlertKinds)[number]

export const hostAlert = {
  alert: z.enum(hostAlertKinds),
  /** In the last report of the kind. */
  count: z.number(),
  lastDate: z.string(),
}

export const hostFigures = z.object({
  /** Those that are let in, and all that have a place here. */
  hostActiveAccounts: z.number(),
  hostAccounts: z.number(),
  /** Stopped for abuse. */
  hostAbusedAccounts: z.number(),
  /** Of the last 24 hours. */
  hostAlerts: z.array(z.object(hostAlert)),
  /** The UTC day so far. */
  hostTrafficToday: traffic,
  hostTrafficMonth: traffic,
  hostTrafficTotal: traffic,
  /** What the agent said last; null before its first report. */
  hostConnections: z.nullable(z.number()),
  hostLoad: z.nullable(z.number()),
  /** '' before its first word. */
  agentVersion: z.string(),
  /** '' where there is no core. */
  coreVersion: z.string(),
  coreSinceDate: z.nullable(z.string()),
  /** How far its clock is ahead of ours; null before its first word. */
  clockOffsetMs: z.nullable(z.number()),
  /** null: never. */
  agentHeardDate: z.nullable(z.string()),
  /** It was heard before, and is not any more. */
  agentSilent: z.boolean(),
})

export const getHostFigures = defineCall({
  path: '/api/v1/admin/gethostfigures',
  access: 'admin',
  summary: 'What goes through a host, and how its agent and its core are',
  input: hostTarget,
  output: one(hostFigures),
  refusals: ['RESOURCE_NOT_FOUND'],
})
