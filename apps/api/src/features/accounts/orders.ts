import {
  type extendDuration,
  type Input,
  type newAccount,
  type newByPlan,
  Refusal,
  type renewByPlan,
  type Settings,
} from '@kelid/contract'
import type { Db } from '../../context.ts'
import type { Caller } from '../auth/auth.ts'
import { type PlanRecord, planFor, requireQuotedPlan } from '../plans/plans.ts'
import type { RenewableAccount } from './accounts.store.ts'
import { type DataLimit, findDataLimit } from './data-limits.store.ts'
import { maySellCustom, planFits, soldByPlanOnly } from './plan-fit.ts'
import { requireQuotedRule } from './renewal.ts'
import { needsLimit, type Renewed, renewVolume } from './volume.ts'

type Custom = Pick<
  Input<typeof newAccount>,
  | 'accountVPNType'
  | 'accountTunnelType'
  | 'accountDuration'
  | 'countryId'
  | 'accountAlsoBy'
  | 'accountDataLimit'
  | 'accountDataReset'
  | 'accountStart'
  | 'accountMaxDevices'
  | 'accountTargetCountry'
  | 'accountTargetOperator'
>
type OpenChoices = Pick<
  Input<typeof newByPlan>,
  'countryId' | 'accountTargetCountry' | 'accountTargetOperator'
>

/** What a new account gets. A plan fills it in and has a price of its own. */
export interface Order extends Custom {
  readonly plan: PlanRecord | null
}

export function customObstacle(settings: Settings, caller: Caller, wanted: Custom) {
  if (!maySellCustom(settings, caller)) return 'PLAN_REQUIRED'
  return needsLimit(settings, wanted) ? 'DATA_LIMIT_REQUIRED' : null
}

const wayOf = ({ vpnType, tunnelType, countryId }: PlanRecord['ways'][number]) => ({
  accountVPNType: vpnType,
  accountTunnelType: tunnelType,
  countryId,
})

export function orderByPlan(plan: PlanRecord, open: OpenChoices): Order {
  const [first, ...others] = plan.ways
  if (!first) throw new Error(`the plan ${plan.uuid} has no way`)
  return {
    ...wayOf(first),
    countryId: first.countryId || open.countryId,
    accountAlsoBy: others.map(wayOf),
    accountDuration: plan.days,
    accountDataLimit: plan.gigabytes ?? undefined,
    accountDataReset: plan.data_reset,
    accountStart: plan.start,
    accountMaxDevices: plan.devices ?? undefined,
    accountTargetCountry: open.accountTargetCountry,
    accountTargetOperator: open.accountTargetOperator,
    plan,
  }
}

export async function orderOf(
  tx: Db,
  caller: Caller,
  settings: Settings,
  input: Input<typeof newAccount> | Input<typeof newByPlan>,
): Promise<Order> {
  if (!('planUUID' in input)) {
    const obstacle = customObstacle(settings, caller, input)
    if (obstacle) throw new Refusal(obstacle)
    return { ...input, plan: null }
  }
  const plan = await planFor(tx, caller, input.planUUID)
  requireQuotedPlan(input, plan)
  return orderByPlan(plan, input)
}

/** A plan always adds its days, because its price is for all of them. */
export async function renewedByPlan(
  db: Db,
  settings: Settings,
  plan: PlanRecord,
  account: RenewableAccount,
  data: DataLimit | undefined,
  now: Date,
): Promise<Renewed> {
  if (!(await planFits(db, settings, plan, { account, data }))) throw new Refusal('PLAN_MISMATCH')
  const gigabytes = plan.data_reset === 'monthly' ? undefined : (plan.gigabytes ?? undefined)
  return renewVolume({ ...settings, renewal: 'extend' }, account, data, { days: plan.days, gigabytes }, now)
}

export async function renewalOf(
  tx: Db,
  caller: Caller,
  settings: Settings,
  account: RenewableAccount,
  input: Input<typeof extendDuration> | Input<typeof renewByPlan>,
  now: Date,
): Promise<{ plan: PlanRecord | null; renewed: Renewed }> {
  const data = await findDataLimit(tx, account.uuid)
  if ('planUUID' in input) {
    const plan = await planFor(tx, caller, input.planUUID)
    requireQuotedPlan(input, plan)
    return { plan, renewed: await renewedByPlan(tx, settings, plan, account, data, now) }
  }
  requireQuotedRule(input, settings)
  const planOnly = await soldByPlanOnly(tx, caller, settings, [{ account, data }])
  if (planOnly.has(account.uuid)) throw new Refusal('PLAN_REQUIRED')
  const wanted = { days: input.accountDuration, gigabytes: input.accountDataLimit }
  return { plan: null, renewed: renewVolume(settings, account, data, wanted, now) }
}
