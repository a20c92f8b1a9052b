import {
  type compensate as compensateCall,
  type getCompensations,
  type Input,
  type quoteCompensation,
  Refusal,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { type Actor, record } from '../audit/audit.ts'
import { findHost } from '../hosts/hosts.ts'
import { announceHost, type Host, holdHost } from '../hosts/kinds.ts'
import { answerOnce } from '../idempotency/idempotency.ts'
import { lockUser } from '../users/users.ts'
import * as store from './compensations.store.ts'

const toCompensation = (row: store.Compensation) => ({
  compensationUUID: row.uuid,
  compensationState: row.finished_at ? ('finished' as const) : ('running' as const),
  compensationSubject: row.subject,
  compensationSubjectUUID: row.subject_uuid,
  compensationSubjectName: row.subject_name,
  compensationDays: row.days,
  compensationDownFrom: row.down_from?.toISOString() ?? null,
  compensationDownUntil: row.down_until?.toISOString() ?? null,
  compensationReason: row.reason,
  compensationBy: row.given_by,
  compensationDate: row.created_at.toISOString(),
  compensationFinishedDate: row.finished_at?.toISOString() ?? null,
  compensationAccounts: row.accounts,
  compensationDone: row.done,
  compensationSkipped: row.skipped,
})

type Outage = Input<typeof quoteCompensation>

const hostOf = ({ serverUUID, tunnelUUID = '' }: Outage): Host =>
  serverUUID ? { kind: 'server', uuid: serverUUID } : { kind: 'tunnel', uuid: tunnelUUID }

const clockDifference = 5 * 60_000

function requireOver({ downFrom, downUntil }: Outage, now: Date): void {
  const isAhead = (at = '') => Date.parse(at) > now.getTime() + clockDifference
  const fields = {
    ...(isAhead(downFrom) && { downFrom: 'notFuture' }),
    ...(isAhead(downUntil) && { downUntil: 'notFuture' }),
  }
  if (Object.keys(fields).length > 0) throw new Refusal('INCOMPLETE_INFORMATION', {}, fields)
}

/** Without a period, the accounts that are active now; with one, those that were active at some time in it. */
function affectedBy(input: Outage, now: Date): store.AffectedPeriod {
  requireOver(input, now)
  const [downFrom, downUntil] = [input.downFrom, input.downUntil].map((at) => at && new Date(at))
  return { ...hostOf(input), from: downFrom || downUntil || now, until: downUntil || now }
}

export async function quote(ctx: Context, input: Outage) {
  const now = ctx.clock.now()
  const { kind, uuid } = hostOf(input)
  if (!(await findHost(ctx.db, kind, uuid))) throw new Refusal('RESOURCE_NOT_FOUND')
  const counts = await store.countAffected(ctx.db, affectedBy(input, now), input.days, now)
  const last = await store.lastOf(ctx.db, uuid)
  return {
    accounts: counts.accounts,
    earliestExpireDate: counts.earliest?.toISOString() ?? null,
    latestExpireDate: counts.latest?.toISOString() ?? null,
    lastCompensation: last ? toCompensation(last) : null,
  }
}

interface Requester {
  readonly caller: { readonly userId: number }
  readonly by: Actor
  readonly idempotencyKey: string | null
}

/**
 * Stores the affected accounts, if their number is still the quoted one, and queues one job. The host is locked, so
 * that no purchase or other compensation changes the number meanwhile.
 */
export const compensate = (
  ctx: Context,
  { caller, by, idempotencyKey: key }: Requester,
  call: typeof compensateCall,
  input: Input<typeof compensateCall>,
) =>
  ctx.atomically(async (tx) => {
    const now = ctx.clock.now()
    const user = await lockUser(tx, caller.userId)
    return answerOnce(tx, { userId: user.id, key, call, input }, now, async () => {
      const host = hostOf(input)
      const period = affectedBy(input, now)
      const { name, state } = await holdHost(tx, host)
      await requireNoneUnderWay(tx, host, input.basedOn)

      const { days, reason, accounts } = input
      const compensation = await store.insertCompensation(tx, {
        subject: host.kind,
        subject_uuid: host.uuid,
        subject_name: name,
        days,
        down_from: input.downFrom ? period.from : null,
        down_until: input.downUntil ? period.until : null,
        reason,
        given_by: by.email,
        accounts,
        created_at: now,
      })
      if ((await store.noteAffected(tx, compensation.uuid, period, days, now)) !== accounts)
        throw new Refusal('CHANGED_MEANWHILE')
      await ctx.jobs.send(tx, 'compensate', { compensation: compensation.uuid })
      await announceHost(ctx, tx, host, state)
      await record(ctx, tx, by, 'compensate', host.uuid, {
        kind: host.kind,
        name,
        days,
        accounts,
        reason,
        downFrom: input.downFrom ?? null,
        downUntil: input.downUntil ?? null,
      })
      return toCompensation(compensation)
    })
  })

async function requireNoneUnderWay(
  tx: Db,
  host: Host,
  basedOn: Input<typeof compensateCall>['basedOn'],
): Promise<void> {
  const last = await store.lastOf(tx, host.uuid)
  if (last && !last.finished_at) throw new Refusal('COMPENSATION_RUNS')
  requireAsSeen(basedOn, { lastCompensationUUID: last?.uuid ?? null })
}

export async function list(
  ctx: Context,
  { serverUUID, tunnelUUID, limit = 50, cursor }: Input<typeof getCompensations>,
) {
  const subjects = [serverUUID, tunnelUUID].filter((uuid) => uuid !== undefined)
  const { rows, ...page } = await store.listCompensations(ctx.db, subjects, { limit, cursor })
  return { items: rows.map(toCompensation), ...page }
}
