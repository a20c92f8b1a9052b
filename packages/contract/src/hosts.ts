import * as z from 'zod/mini'
import { nothing, one } from './call.ts'

/** A host is a machine that the house sets up and keeps: a server, which customers leave by, or a tunnel before it. */
export const hostKinds = ['server', 'tunnel'] as const
export type HostKind = (typeof hostKinds)[number]

export const hostStates = ['queued', 'provisioning', 'ready', 'failed'] as const
export type HostState = (typeof hostStates)[number]

export const hostHealths = ['unknown', 'up', 'down'] as const
export type HostHealth = (typeof hostHealths)[number]

export const ansibleLog = z.object({ ansibleLog: z.string(), ansibleState: z.enum(hostStates) })

/** What the calls of both kinds say alike; each kind adds the path and the UUID. */
export const provisionCall = {
  access: 'admin',
  summary: 'Run provisioning again',
  output: nothing,
  message: 'Provisioning queued',
  refusals: ['RESOURCE_NOT_FOUND'],
} as const

export const logCall = {
  access: 'admin',
  summary: 'The log of the latest provisioning',
  output: one(ansibleLog),
  refusals: ['RESOURCE_NOT_FOUND'],
} as const
