import { gigabyte, isAdminLevel, type Settings } from '@kelid/contract'
import type { Db } from '../../context.ts'
import type { PlanTerms, PlanWay } from '../../db/schema.ts'
import type { Caller } from '../auth/auth.ts'
import { type PlanRecord, plansFor } from '../plans/plans.ts'
import type { RenewableAccount } from './accounts.store.ts'
import type { DataLimit } from './data-limits.store.ts'
import { findFurtherTypes } from './further-ways.store.ts'

type WayTypes = Pick<PlanWay, 'vpnType' | 'tunnelType'>

interface Sold {
  readonly account: RenewableAccount
  readonly data: DataLimit | undefined
}

interface Fitted extends Sold {
  /** Beside the first one. */
  readonly chosenWays: readonly WayTypes[]
}

const typeOf = ({ vpnType, tunnelType }: WayTypes) => `${vpnType} ${tunnelType}`
const placeOf = (way: PlanWay) => `${typeOf(way)} ${way.countryId}`

/** The first way has the price and the location, so only the others may be in another order. */
const areSame = ([first, ...others]: readonly string[], [otherFirst, ...rest]: readonly string[]) =>
  first === otherFirst && others.sort().join() === rest.sort().join()

/**
 * Where a plan sold the account, the countries count too: a plan for any location must not renew what was sold for one.
 * Of other accounts nobody knows what was chosen, and their price does not depend on it.
 */
const waysFit = (plan: PlanRecord, terms: PlanTerms | null, { account, chosenWays }: Fitted): boolean =>
  terms
    ? areSame(terms.ways.map(placeOf), plan.ways.map(placeOf))
    : areSame(
        [{ vpnType: account.vpn_type, tunnelType: account.tunnel_type }, ...chosenWays].map(typeOf),
        plan.ways.map(typeOf),
      )

/** What was paid for counts, not what an administrator has changed since. */
function devicesFit(
  plan: PlanRecord,
  terms: PlanTerms | null,
  { account }: Fitted,
  { maxDevices }: Settings,
): boolean {
  const allowed = plan.devices ?? maxDevices
  return terms
    ? (terms.devices ?? maxDevices) === allowed
    : account.extra_devices === Math.max(0, allowed - maxDevices)
}

const dataFits = ({ gigabytes, data_reset }: PlanRecord, { data }: Fitted): boolean => {
  if (gigabytes === null || !data) return gigabytes === null && !data
  return data_reset === 'monthly' ? data.monthly_bytes === gigabytes * gigabyte : data.monthly_bytes === null
}

const fits = (settings: Settings, plan: PlanRecord, fitted: Fitted): boolean => {
  const { plan_terms: terms } = fitted.account
  return waysFit(plan, terms, fitted) && devicesFit(plan, terms, fitted, settings) && dataFits(plan, fitted)
}

const withWays = async (db: Db, accounts: readonly Sold[]): Promise<Fitted[]> => {
  const uuids = accounts.flatMap(({ account }) => (account.chosen_ways > 0 ? [account.uuid] : []))
  const ways = await findFurtherTypes(db, uuids)
  return accounts.map(({ account, data }) => {
    const chosenWays = (ways.get(account.uuid) ?? []).slice(0, account.chosen_ways)
    return { account, data, chosenWays }
  })
}

export const planFits = async (db: Db, settings: Settings, plan: PlanRecord, sold: Sold): Promise<boolean> =>
  (await withWays(db, [sold])).every((fitted) => fits(settings, plan, fitted))

export async function plansThatFit(
  db: Db,
  caller: Caller,
  settings: Settings,
  sold: Sold,
): Promise<PlanRecord[]> {
  const fitted = await withWays(db, [sold])
  return (await plansFor(db, caller)).filter((plan) => fitted.every((one) => fits(settings, plan, one)))
}

export const maySellCustom = (settings: Settings, { level }: Pick<Caller, 'level'>): boolean =>
  settings.customAccounts || isAdminLevel(level)

/** Accounts that may only be renewed by plan. One that fits no plan may always be renewed without. */
export async function soldByPlanOnly(
  db: Db,
  caller: Caller,
  settings: Settings,
  accounts: readonly Sold[],
): Promise<ReadonlySet<string>> {
  if (maySellCustom(settings, caller)) return new Set()
  const plans = await plansFor(db, caller)
  const fitting = (await withWays(db, accounts)).filter((fitted) =>
    plans.some((plan) => fits(settings, plan, fitted)),
  )
  return new Set(fitting.map(({ account }) => account.uuid))
}
