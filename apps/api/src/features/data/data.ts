import { type DataShare, type Input, limits, type report } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { groupBy } from '../../lib/grouped.ts'
import { announceAccounts, remindOfData } from '../events/events.ts'
import * as store from './data.store.ts'
import { cap, type Report, settle } from './settle.ts'

export { hasOffers, offersFor } from './data.store.ts'

type Said = NonNullable<Input<typeof report>['leases']>[number]

/** A host that is down for so long must not keep what its accounts have left. */
const silentAfter = 3 * 60_000

/** The caller has just inserted the account. */
export const openLimit = (
  tx: Db,
  accountUUID: string,
  limit: Pick<store.Limit, 'bytes' | 'monthly_bytes' | 'period_began_at'>,
): Promise<void> => store.insertLimit(tx, { account_uuid: accountUUID, ...limit })

/** What its owner is reminded of; 0: nothing. */
const shareOf = ({ used, bytes }: Pick<store.Limit, 'used' | 'bytes'>): DataShare | 0 => {
  if (used >= bytes) return 100
  return used >= bytes * limits.lowDataShare ? 80 : 0
}

/**
 * Changes a limit or what was used of it; the account is locked. Its servers get new leases. What the account has not
 * used any more after it is reminded of again.
 */
export async function changeLimit(
  ctx: Context,
  tx: Db,
  accountUUID: string,
  change: store.LimitChange,
): Promise<void> {
  const row = await store.updateLimit(tx, accountUUID, change)
  if (!row) return
  await store.setExhausted(tx, [accountUUID], row.used >= row.bytes)
  const share = shareOf(row)
  if (share < row.reminded) await store.writeReminded(tx, [{ uuid: accountUUID, share }])
  await shareAnew(ctx, tx, [accountUUID])
}

/** Call it after every change of a limit or of what was used of it, while the accounts are locked. */
export async function shareAnew(ctx: Context, tx: Db, accountUUIDs: readonly string[]): Promise<void> {
  await settleAll(ctx, tx, await store.limitsOf(tx, accountUUIDs))
}

/** What a server counted for its accounts; `own` are those with a way to it. All are locked. */
export async function takeLeases(
  ctx: Context,
  tx: Db,
  serverUUID: string,
  leases: readonly Said[],
  own: ReadonlySet<string>,
): Promise<void> {
  heardSince(ctx)
  const saidById = new Map(leases.map((said) => [said.id, said]))
  if (saidById.size === 0) return
  const limited = await store.limitsOf(tx, [...saidById.keys()])
  await settleAll(ctx, tx, limited, ({ uuid }) => {
    const said = saidById.get(uuid)
    return said ? { server: serverUUID, isWay: own.has(uuid), said } : null
  })
}

/**
 * Servers whose agents know no leases: their accounts are limited by the bytes that they report. `count` adds those.
 * The accounts are those of the report.
 */
export async function countWithoutLeases<T>(
  ctx: Context,
  tx: Db,
  serverUUID: string,
  ids: readonly string[],
  count: () => Promise<T>,
): Promise<T> {
  const before = ids.length > 0 ? await store.totalsWithoutLease(tx, serverUUID, ids) : []
  if (before.length === 0) return count()
  const uuids = before.map(({ uuid }) => uuid)
  await store.lockAccounts(tx, uuids)
  const counted = await count()
  const after = await store.totalsWithoutLease(tx, serverUUID, uuids)
  const bytesBefore = new Map(before.map(({ uuid, bytes }) => [uuid, bytes]))
  const growth = new Map(after.map(({ uuid, bytes }) => [uuid, bytes - (bytesBefore.get(uuid) ?? bytes)]))
  const limited = await store.limitsOf(
    tx,
    uuids.filter((uuid) => (growth.get(uuid) ?? 0) > 0),
  )
  await settleAll(ctx, tx, limited, () => null, growth)
  return counted
}

/** Counts what was used, ends accounts that have used up their data, and divides what the others have left. */
async function settleAll(
  ctx: Context,
  tx: Db,
  limited: readonly store.LimitedAccount[],
  reportOf: (account: store.LimitedAccount) => Report | null = () => null,
  growth: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  if (limited.length === 0) return
  const now = ctx.clock.now()
  const isSilent = silence(ctx, now)
  const uuids = limited.map(({ uuid }) => uuid)
  const known = groupBy(await store.leasesOf(tx, uuids), ({ account_uuid }) => account_uuid)
  const changed: store.KnownLease[] = []
  const ended: store.KnownLease[] = []
  const urgent = new Set<string>()
  const accounts = limited.map((account) => {
    const report = reportOf(account)
    const before = known.get(account.uuid) ?? []
    const without = cap(account.used + (growth.get(account.uuid) ?? 0))
    const settled = settle({ ...account, used: without }, before, report, now, isSilent)
    for (const lease of settled.leases) {
      const hasGivenBack = lease.server_uuid === report?.server && !lease.is_way && lease.until <= lease.spent
      if (hasGivenBack) ended.push(lease)
      else if (!before.some((one) => isSame(one, lease))) changed.push(lease)
    }
    for (const server of settled.urgent) urgent.add(server)
    return { ...account, usedBefore: account.used, used: settled.used }
  })
  const grown = accounts.filter(({ used, usedBefore }) => used !== usedBefore)
  if (grown.length > 0) await store.writeUsed(tx, grown)
  if (changed.length > 0) await store.writeLeases(tx, changed)
  if (ended.length > 0) await store.forgetLeases(tx, ended)
  const over = accounts.filter(({ used, bytes }) => used >= bytes).map(({ uuid }) => uuid)
  const exhausted = over.length > 0 ? await store.setExhausted(tx, over) : []
  const reminders = accounts.flatMap((one) => {
    const share = shareOf(one)
    return share !== 0 && share > one.reminded ? [{ uuid: one.uuid, share }] : []
  })
  if (reminders.length > 0) await store.writeReminded(tx, reminders)
  if (reminders.length > 0) await remindOfData(ctx, tx, reminders)
  const others = exhausted.filter((uuid) => !reminders.some((one) => one.uuid === uuid))
  if (others.length > 0) await announceAccounts(ctx, tx, others)
  if (urgent.size > 0) await store.wakeServers(tx, urgent)
}

const isSame = (one: store.KnownLease, other: store.KnownLease): boolean =>
  (['server_uuid', 'frame', 'spent', 'held', 'offered', 'until'] as const).every(
    (name) => one[name] === other[name],
  )

/** After a stop of this program nobody has been heard, so silence counts from its first report. */
const firstReports = new WeakMap<Context['db'], Date>()
function heardSince({ db, clock }: Context): Date {
  const since = firstReports.get(db) ?? clock.now()
  firstReports.set(db, since)
  return since
}

function silence(ctx: Context, now: Date): (heardAt: Date | null) => boolean {
  const ago = new Date(now.getTime() - silentAfter)
  const isKnown = heardSince(ctx) < ago
  return (heardAt) => isKnown && (heardAt === null || heardAt < ago)
}
