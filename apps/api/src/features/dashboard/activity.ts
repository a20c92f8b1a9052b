import { day } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { firstOfDays, utcDayOf } from '../../lib/utc-days.ts'
import { expiringByDay, soldByDay } from './activity.store.ts'

const soldDays = 30
const expiringDays = 30

export const firstOf = (now: Date, days = soldDays): Date => firstOfDays(now, days)

export async function activity(ctx: Context, { days = soldDays }: { days?: number | undefined }) {
  const now = ctx.clock.now()
  const today = utcDayOf(now)
  const first = firstOf(now, days)
  const [sold, expiring] = await Promise.all([
    soldByDay(ctx.db, first),
    expiringByDay(ctx.db, now, new Date(today + expiringDays * day)),
  ])
  const soldOn = new Map(sold.map((row) => [row.day.getTime(), row]))
  const expiringOn = new Map(expiring.map((row) => [row.day.getTime(), row.accounts]))
  return {
    days: daysFrom(first.getTime(), days).map((at) => {
      const row = soldOn.get(at)
      return {
        day: nameOf(at),
        created: row?.created ?? 0,
        renewed: row?.renewed ?? 0,
        pointsSold: row?.points ?? 0,
      }
    }),
    expiring: daysFrom(today, expiringDays).map((at) => ({
      day: nameOf(at),
      accounts: expiringOn.get(at) ?? 0,
    })),
  }
}

const daysFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index * day)
const nameOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
