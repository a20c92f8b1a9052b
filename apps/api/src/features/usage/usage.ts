import { day } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { forgetFindings, forgetMovements } from './abuse.store.ts'
import { followedFor } from './abuse.ts'
import { forgetBoots, registerBoot } from './boots.store.ts'
import { countOnline, forgetAbsentDevices } from './devices.store.ts'
import * as store from './usage.store.ts'

export { type HeldBack, judgeMinute } from './abuse.ts'
export { forgetDevicesOf, refusedOn } from './devices.store.ts'
export { noteDevices, type OnlineAccount } from './devices.ts'
export { noteLastSeen as noteSeen } from './usage.store.ts'

const onlineFor = 60_000
const shownDays = 30
/** A day more than is shown, in every time zone. */
const keepDays = 32 * day
const keepCounters = 30 * day
const keepDevices = 10 * 60_000
const keepFindings = 365 * day

/** New starts of a core in ten minutes; a crash loop reaches about this many. */
const bootsMax = 60
const bootsWithin = 10 * 60_000

export async function countUsage(
  tx: Db,
  source: store.Source,
  counters: readonly store.Counter[],
  now: Date,
): Promise<boolean> {
  if (counters.length === 0) return true
  const since = new Date(now.getTime() - bootsWithin)
  if (!(await registerBoot(tx, source, now, since, bootsMax))) return false
  await store.addCounters(tx, source, counters, now)
  return true
}

export const activityOf = ({ up, down, last_seen_at: lastSeen }: store.Total, now: Date) => ({
  usageTotal: { up, down },
  accountOnline: lastSeen !== null && now.getTime() - lastSeen.getTime() <= onlineFor,
  accountLastSeenDate: lastSeen?.toISOString() ?? null,
})

const nothingUsed = { up: 0, down: 0, last_seen_at: null }

const nameOf = (at: number) => new Date(at).toISOString().slice(0, 10)

export async function usageOf(ctx: Context, accountUUID: string) {
  const now = ctx.clock.now()
  const first = now.getTime() - (shownDays - 1) * day
  const total = await store.totalOf(ctx.db, accountUUID)
  const rows = await store.daysOf(ctx.db, accountUUID, nameOf(first))
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return {
    usageByDay: Array.from({ length: shownDays }, (_, index) => {
      const name = nameOf(first + index * day)
      const { up = 0, down = 0 } = byDay.get(name) ?? {}
      return { day: name, up, down }
    }),
    ...activityOf(total ?? nothingUsed, now),
  }
}

export async function trafficOfHost(ctx: Context, hostUUID: string) {
  const now = ctx.clock.now().getTime()
  const from = nameOf(now - (shownDays - 1) * day)
  const row = await store.trafficOfHost(ctx.db, hostUUID, nameOf(now), from)
  return {
    hostTrafficToday: { up: row.today_up, down: row.today_down },
    hostTrafficMonth: { up: row.month_up, down: row.month_down },
    hostTrafficTotal: { up: row.total_up, down: row.total_down },
  }
}

export async function trafficOf(db: Db, accountUUID: string) {
  const total = await store.totalOf(db, accountUUID)
  return total ? { upload: total.up, download: total.down } : null
}

export const devicesNow = (db: Db, accountUUID: string, now: Date): Promise<number> =>
  countOnline(db, accountUUID, new Date(now.getTime() - onlineFor), now)

export async function purgeUsage(ctx: Context): Promise<void> {
  const ago = (age: number) => new Date(ctx.clock.now().getTime() - age)
  await store.forgetUsage(ctx.db, ago(keepDays), ago(keepCounters))
  await forgetBoots(ctx.db, ago(keepCounters))
  await forgetAbsentDevices(ctx.db, ago(keepDevices))
  await forgetMovements(ctx.db, ctx.clock.now())
  await forgetFindings(ctx.db, ago(followedFor), ago(keepFindings))
}
