import { type Language, type PlanOffer, Refusal, type Settings } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { planNameIn } from '../../lib/plan-name.ts'
import type { Caller } from '../auth/auth.ts'
import { countryOf } from '../countries/countries.ts'
import { type PlanRecord, plansFor } from '../plans/plans.ts'
import { currentSettings } from '../settings/settings.ts'
import { findOwnAccount } from './accounts.store.ts'
import { findDataLimit } from './data-limits.store.ts'
import { maySellCustom, plansThatFit } from './plan-fit.ts'

const toOffer = (plan: PlanRecord, { maxDevices }: Settings, lng: Language): PlanOffer => ({
  planUUID: plan.uuid,
  planRevision: plan.revision,
  planName: planNameIn(plan.names, lng),
  planWays: plan.ways.map(({ vpnType, tunnelType, countryId }) => ({
    accountVPNType: vpnType,
    accountTunnelType: tunnelType,
    countryId,
    countryName: countryOf(countryId, lng).countryName,
  })),
  accountDuration: plan.days,
  accountDataLimit: plan.gigabytes,
  accountDataReset: plan.data_reset,
  accountStart: plan.start,
  accountMaxDevices: plan.devices,
  planDevices: plan.devices ?? maxDevices,
  planPoints: plan.points,
  planTunnelCredit: plan.tunnel_credit,
})

export async function plansOnOffer(
  ctx: Context,
  caller: Caller,
  accountUUID: string | undefined,
  lng: Language,
) {
  const settings = await currentSettings(ctx.db)
  const mayCustom = maySellCustom(settings, caller)
  const offersOf = (plans: readonly PlanRecord[]) => plans.map((plan) => toOffer(plan, settings, lng))
  if (!accountUUID) return { plans: offersOf(await plansFor(ctx.db, caller)), customAllowed: mayCustom }
  const account = await findOwnAccount(ctx.db, caller.userId, accountUUID)
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  const data = await findDataLimit(ctx.db, accountUUID)
  const plans = await plansThatFit(ctx.db, caller, settings, { account, data })
  return { plans: offersOf(plans), customAllowed: mayCustom || plans.length === 0 }
}
