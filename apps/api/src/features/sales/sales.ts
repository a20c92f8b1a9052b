import { type Answer, type getDataSold, type getSales, type Language, limits } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { firstOfDays } from '../../lib/utc-days.ts'
import { boughtBy } from '../credit/purchase-reason.ts'
import { quotaMonthsOf } from '../hosts/quotas.ts'
import * as store from './sales.store.ts'

const shownDays = 30

/** null: nothing was bought of it. */
const average = (points: number, count: number): number | null => (count > 0 ? points / count : null)

/** What a reseller bought. A purchase with days and GB counts for the price of both. */
export async function salesOf(ctx: Context, userId: number, lng: Language): Promise<Answer<typeof getSales>> {
  const rows = await store.boughtSince(ctx.db, userId, firstOfDays(ctx.clock.now(), shownDays))
  const plans = new Map<string | null, { planName: string | null; purchases: number; points: number }>()
  const total = { days: 0, pointsOfDays: 0, gigabytes: 0, pointsOfGB: 0 }
  for (const { plan_uuid, plan_names, reason, purchases, points } of rows) {
    const planName = plan_names?.[lng] ?? null
    const plan = plans.get(plan_uuid) ?? { planName, purchases: 0, points: 0 }
    plans.set(plan_uuid, {
      ...plan,
      purchases: plan.purchases + purchases,
      points: plan.points + points,
    })
    const { days = 0, gigabytes = 0 } = boughtBy(reason) ?? {}
    total.days += days * purchases
    total.gigabytes += gigabytes * purchases
    if (days > 0) total.pointsOfDays += points
    if (gigabytes > 0) total.pointsOfGB += points
  }
  return {
    salesByPlan: [...plans.values()].toSorted((one, other) => other.points - one.points),
    pointsPerDay: average(total.pointsOfDays, total.days),
    pointsPerGB: average(total.pointsOfGB, total.gigabytes),
  }
}

const toSold = ({ limited, unlimited, sold, used }: store.Sold) => ({
  ...{ limitedAccounts: limited, unlimitedAccounts: unlimited },
  ...{ soldBytes: sold, usedBytes: used },
})

export async function dataSold({ db, clock }: Context, lng: Language): Promise<Answer<typeof getDataSold>> {
  const now = clock.now()
  const carriedFrom = firstOfDays(now, shownDays).toISOString().slice(0, 10)
  const [hosts, plans] = await Promise.all([
    store.soldByHost(db, now, carriedFrom, limits.pageMax),
    store.soldByPlan(db, now),
  ])
  const quotaMonthOf = await quotaMonthsOf(db, hosts, now)
  return {
    hostCount: hosts[0]?.hosts ?? 0,
    dataByHost: hosts.map((host) => ({
      ...{ subject: host.kind, uuid: host.uuid, name: host.name },
      ...toSold(host),
      ...{ carriedBytes: host.carried, quota: host.quota, quotaMonth: quotaMonthOf(host) },
    })),
    dataByPlan: plans.map(({ plan_names, ...plan }) => ({
      planName: plan_names?.[lng] ?? null,
      ...toSold(plan),
    })),
  }
}
