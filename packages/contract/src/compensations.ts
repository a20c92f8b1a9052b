import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, paging } from './call.ts'
import { seen } from './host-calls.ts'
import { hostKinds } from './hosts.ts'

export const compensationStates = ['running', 'finished'] as const
export type CompensationState = (typeof compensationStates)[number]

export const compensation = z.object({
  compensationUUID: z.string(),
  compensationState: z.enum(compensationStates),
  compensationSubject: z.enum(hostKinds),
  compensationSubjectUUID: z.string(),
  compensationSubjectName: z.string(),
  compensationDays: z.number(),
  compensationDownFrom: z.nullable(z.string()),
  compensationDownUntil: z.nullable(z.string()),
  compensationReason: z.string(),
  compensationBy: z.string(),
  compensationDate: z.string(),
  compensationFinishedDate: z.nullable(z.string()),
  /** Total, processed, and deleted before they were processed. */
  compensationAccounts: z.number(),
  compensationDone: z.number(),
  compensationSkipped: z.number(),
})

/** Exactly one of the two. */
const subject = { serverUUID: z.optional(adminRules.uuid), tunnelUUID: z.optional(adminRules.uuid) }

/** The server refuses future dates, because only it can judge clock differences. */
const outage = {
  ...subject,
  days: adminRules.days,
  downFrom: z.optional(adminRules.instant),
  downUntil: z.optional(adminRules.instant),
}

type Outage = { [Name in keyof typeof outage]?: unknown }

const isOneOutage: z.core.CheckFn<Outage> = ({ value, issues }) => {
  const refuse = (field: keyof Outage, rule: string) =>
    issues.push({ code: 'custom', path: [field], message: rule, input: value })
  if (value.serverUUID === undefined && value.tunnelUUID === undefined) refuse('serverUUID', 'uuid')
  if (value.serverUUID !== undefined && value.tunnelUUID !== undefined) refuse('tunnelUUID', 'oneHost')
  const [from, until] = [value.downFrom, value.downUntil].map((at) => (at ? Date.parse(String(at)) : null))
  if (from !== null && until !== null && Number(from) >= Number(until)) refuse('downUntil', 'afterBegin')
}

export const quoteCompensation = defineCall({
  path: '/api/v1/admin/quotecompensation',
  access: 'admin',
  summary: 'Quote for a compensation: number of accounts and their new expiry dates',
  input: outage,
  check: isOneOutage,
  output: one(
    z.object({
      accounts: z.number(),
      earliestExpireDate: z.nullable(z.string()),
      latestExpireDate: z.nullable(z.string()),
      lastCompensation: z.nullable(compensation),
    }),
  ),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const compensate = defineCall({
  path: '/api/v1/admin/compensate',
  access: 'admin',
  summary:
    'Give days to every account of a host that was down, free of charge, if they are as many as was shown',
  input: {
    ...outage,
    accounts: adminRules.maxAccounts,
    reason: adminRules.reason,
    basedOn: seen({ lastCompensationUUID: z.nullable(adminRules.uuid) }),
  },
  check: isOneOutage,
  output: one(compensation),
  message: 'Compensation begun',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE', 'COMPENSATION_RUNS'],
  idempotent: true,
})

export const getCompensations = defineCall({
  path: '/api/v1/admin/getcompensations',
  access: 'admin',
  summary: 'Compensations for outages, newest first; optionally of one host',
  input: { ...subject, ...paging },
  output: list(compensation),
})
