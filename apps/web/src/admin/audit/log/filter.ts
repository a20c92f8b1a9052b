import { getAudit } from '@kelid/contract'
import type { Body } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'

/** The filter as the address has it, with days in the administrator's time zone. */
export interface AuditFilter extends Record<string, string> {
  person: string
  actor: string
  subject: string
  action: string
  from: string
  until: string
}

export const emptyFilter: AuditFilter = {
  person: '',
  actor: '',
  subject: '',
  action: '',
  from: '',
  until: '',
}

export const sides = ['person', 'actor', 'subject'] as const
export type Side = (typeof sides)[number]

export const sideOf = (filter: AuditFilter): Side | undefined => sides.find((side) => filter[side] !== '')

export const isNarrow = (filter: AuditFilter): boolean => Object.values(filter).some((value) => value !== '')

type AuditBody = Pick<Body<typeof getAudit>, 'about' | 'actor' | 'subject' | 'action' | 'from' | 'until'>

function localMidnight(date: string, isDayAfter = false): string | undefined {
  const midnight = new Date(`${date}T00:00`)
  if (isDayAfter) midnight.setDate(midnight.getDate() + 1)
  return Number.isNaN(midnight.getTime()) ? undefined : midnight.toISOString()
}

export function toRequest(filter: AuditFilter): { body: AuditBody; broken: Record<string, string> } {
  const from = localMidnight(filter.from)
  const until = localMidnight(filter.until, true)
  const fields = {
    ...(filter.person && { about: filter.person }),
    ...(filter.actor && { actor: filter.actor }),
    ...(filter.subject && { subject: filter.subject }),
    ...(filter.action && { action: filter.action }),
    ...(from && { from }),
    ...(until && { until }),
  }
  const broken = brokenRules(getAudit, fields)
  const body = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in broken)))
  return { body, broken }
}
