import {
  type addPlan,
  type changePlan,
  type deletePlan,
  type Input,
  limits,
  type orderPlans,
  type Plan,
  Refusal,
  type setPlanActive,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { PlanNames, PlanWay } from '../../db/schema.ts'
import { fromTo, requireAsSeen } from '../../lib/as-seen.ts'
import { type Actor, type Detail, record } from '../audit/audit.ts'
import { announceNewPrices } from '../events/events.ts'
import * as store from './plans.store.ts'

type Content = Omit<Input<typeof addPlan>, 'planActive'>

const toPlan = (row: store.ManagedPlan): Plan => ({
  planUUID: row.uuid,
  planRevision: row.revision,
  planNames: row.names,
  planWays: row.ways.map(({ vpnType, tunnelType, countryId }) => ({
    ...{ accountVPNType: vpnType, accountTunnelType: tunnelType, countryId },
  })),
  accountDuration: row.days,
  accountDataLimit: row.gigabytes,
  accountDataReset: row.data_reset,
  accountStart: row.start,
  accountMaxDevices: row.devices,
  planPoints: row.points,
  planTunnelCredit: row.tunnel_credit,
  planActive: row.active,
  planForAll: row.for_all,
  planResellers: [...row.resellers],
})

const contentOf = (input: Content) => ({
  names: JSON.stringify(input.planNames satisfies PlanNames),
  ways: JSON.stringify(
    input.planWays.map(
      ({ accountVPNType: vpnType, accountTunnelType: tunnelType, countryId }): PlanWay => ({
        ...{ vpnType, tunnelType, countryId },
      }),
    ),
  ),
  days: input.accountDuration,
  gigabytes: input.accountDataLimit ?? null,
  data_reset: input.accountDataReset,
  start: input.accountStart,
  devices: input.accountMaxDevices ?? null,
  points: input.planPoints,
  tunnel_credit: input.planTunnelCredit,
  for_all: input.planForAll,
})

export async function listPlans({ db }: { db: Db }) {
  return { items: (await store.findPlans(db)).map(toPlan) }
}

export const add = (ctx: Context, by: Actor, input: Input<typeof addPlan>): Promise<Plan> =>
  changePlans(ctx, async (tx) => {
    const { planUUID: uuid, planActive: active } = input
    const plans = await store.findPlans(tx)
    if (plans.some((plan) => plan.uuid === uuid)) throw new Refusal('UUID_TAKEN')
    if (plans.length >= limits.plansMax) throw new Refusal('TOO_MANY_PLANS', { plans: limits.plansMax })
    const position = Math.max(0, ...plans.map((plan) => plan.position)) + 1
    const created_at = ctx.clock.now()
    await store.insertPlan(tx, { uuid, ...contentOf(input), active, position, created_at })
    await setResellers(tx, uuid, input.planResellers)
    const plan = await managed(tx, uuid)
    await record(ctx, tx, by, 'addplan', uuid, detailOf(plan))
    return toPlan(plan)
  })

export const change = (ctx: Context, by: Actor, input: Input<typeof changePlan>): Promise<Plan> =>
  changePlans(ctx, async (tx) => {
    const { planUUID: uuid, basedOn } = input
    const before = await managed(tx, uuid)
    requireAsSeen({ revision: basedOn }, { revision: before.revision })
    await store.updatePlan(tx, uuid, { ...contentOf(input), revision: before.revision + 1 })
    await setResellers(tx, uuid, input.planResellers)
    const plan = await managed(tx, uuid)
    const detail = fromTo(detailOf(before), detailOf(plan))
    await record(ctx, tx, by, 'changeplan', uuid, { plan: plan.names.en, ...detail })
    return toPlan(plan)
  })

export const setActive = (
  ctx: Context,
  by: Actor,
  { planUUID: uuid, planActive: active }: Input<typeof setPlanActive>,
): Promise<Plan> =>
  changePlans(ctx, async (tx) => {
    const before = await managed(tx, uuid)
    await store.updatePlan(tx, uuid, { active })
    const detail = { plan: before.names.en, from: before.active, to: active }
    await record(ctx, tx, by, 'setplanactive', uuid, detail)
    return toPlan({ ...before, active })
  })

/** What it sold keeps its name and its terms: see `accounts` and the ledger. */
export const remove = (
  ctx: Context,
  by: Actor,
  { planUUID: uuid }: Input<typeof deletePlan>,
): Promise<void> =>
  changePlans(ctx, async (tx) => {
    const plan = await managed(tx, uuid)
    await store.deletePlan(tx, uuid)
    await record(ctx, tx, by, 'deleteplan', uuid, detailOf(plan))
  })

export const order = (ctx: Context, by: Actor, { planUUIDs }: Input<typeof orderPlans>) =>
  changePlans(ctx, async (tx) => {
    const before = await store.findPlans(tx)
    requireAsSeen({ plans: planUUIDs.toSorted() }, { plans: before.map(({ uuid }) => uuid).toSorted() })
    await store.setPositions(tx, planUUIDs)
    const plans = await store.findPlans(tx)
    const inWords = (all: readonly store.ManagedPlan[]) => all.map(({ names }) => names.en).join(', ')
    await record(ctx, tx, by, 'orderplans', 'plans', { from: inWords(before), to: inWords(plans) })
    return { items: plans.map(toPlan) }
  })

/** Open forms of resellers read the plans and their quotes again. */
const changePlans = <Result>(ctx: Context, work: (tx: Db) => Promise<Result>): Promise<Result> =>
  ctx.atomically(async (tx) => {
    await store.lockPlans(tx)
    await announceNewPrices(ctx, tx)
    return work(tx)
  })

async function managed(tx: Db, uuid: string): Promise<store.ManagedPlan> {
  const plan = await store.findPlan(tx, uuid)
  if (!plan) throw new Refusal('RESOURCE_NOT_FOUND')
  return plan
}

async function setResellers(tx: Db, uuid: string, emails: readonly string[]): Promise<void> {
  if ((await store.setResellers(tx, uuid, emails)) !== emails.length)
    throw new Refusal('INCOMPLETE_INFORMATION', {}, { planResellers: 'planResellers' })
}

const detailOf = (plan: store.ManagedPlan): Detail => {
  const { planUUID: _, planRevision: __, planNames, planWays, planResellers, ...rest } = toPlan(plan)
  const ways = planWays.map(({ accountVPNType, accountTunnelType, countryId }) =>
    [accountVPNType, accountTunnelType, countryId || ''].filter(Boolean).join(' '),
  )
  const names = Object.entries(planNames).map(([language, name]) => [`name.${language}`, name])
  return {
    ...Object.fromEntries(names),
    ...rest,
    ways: ways.join(', '),
    resellers: planResellers.join(', '),
  }
}
