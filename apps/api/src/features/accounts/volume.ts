import { dataPeriodDays, day, gigabyte, limits, Refusal, type Settings, type VpnType } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { Priced } from '../credit/money.ts'
import type { Bought } from '../credit/purchase-reason.ts'
import { changeLimit } from '../data/data.ts'
import { type PlanRecord, soldBy } from '../plans/plans.ts'
import {
  type AccountRecord,
  type LockedAccount,
  type RenewableAccount,
  updateAccount,
} from './accounts.store.ts'
import type { DataLimit } from './data-limits.store.ts'
import { beginOf, isWaiting, type Outcome, renew } from './renewal.ts'

const period = dataPeriodDays * day

/** Periods of data that begin before an account ends. */
const periodsUntil = (expires: Date, began: Date): number =>
  Math.max(0, Math.ceil((expires.getTime() - began.getTime()) / period))

interface WantedVolume {
  readonly accountDuration: number
  readonly accountDataLimit?: number | undefined
  readonly accountDataReset?: 'none' | 'monthly' | undefined
  readonly accountStart?: 'now' | 'firstUse' | undefined
  readonly accountMaxDevices?: number | undefined
}

/** What is charged beside the days. */
export interface Volume {
  /** GB that are charged, of all periods. */
  readonly gigabytes: number
  readonly extraDevices: number
}

export interface NewVolume extends Volume {
  readonly starts_by: Date | null
  readonly expires: Date
  /** null: no limit. */
  readonly data: Pick<DataLimit, 'bytes' | 'monthly_bytes' | 'period_began_at'> | null
}

export const needsLimit = (settings: Settings, { accountDataLimit }: WantedVolume): boolean =>
  !settings.unlimitedAccounts && accountDataLimit === undefined

export function newVolume(settings: Settings, wanted: WantedVolume, now: Date): NewVolume {
  const { accountDuration: days, accountDataLimit: limit, accountMaxDevices: devices = 0 } = wanted
  const isMonthly = wanted.accountDataReset === 'monthly'
  const startsBy =
    wanted.accountStart === 'firstUse' ? new Date(now.getTime() + settings.firstUseWaitDays * day) : null
  const begin = startsBy ?? now
  const expires = new Date(begin.getTime() + days * day)
  const bytes = (limit ?? 0) * gigabyte
  return {
    gigabytes: (limit ?? 0) * (isMonthly ? periodsUntil(expires, begin) : 1),
    extraDevices: Math.max(0, devices - settings.maxDevices),
    starts_by: startsBy,
    expires,
    data:
      limit === undefined ? null : { bytes, monthly_bytes: isMonthly ? bytes : null, period_began_at: begin },
  }
}

export interface Renewed extends Outcome {
  readonly priced: Priced
  readonly gigabytes: number
  readonly starts_by: Date | null
  /** The limit after it; null: no limit. */
  readonly data: DataLimit | null
}

/** What becomes of an account by a renewal. GB are added to the present period; a period that has ended begins anew. */
export function renewVolume(
  settings: Settings,
  account: Pick<LockedAccount, keyof RenewableAccount>,
  data: DataLimit | undefined,
  { days, gigabytes: added = 0 }: { days: number; gigabytes?: number | undefined },
  now: Date,
): Renewed {
  if (added > 0 && !data) throw new Refusal('NO_DATA_LIMIT')
  const outcome = renew(settings.renewal, account.expires_at, days, beginOf(account, now))
  const isOver = account.expires_at <= now
  const periodBegan = isOver ? now : (data?.period_began_at ?? now)
  const paid = isOver ? 0 : periodsUntil(account.expires_at, periodBegan)
  const monthly = data?.monthly_bytes ?? null
  const newPeriods = monthly === null ? 0 : Math.max(0, periodsUntil(outcome.expires, periodBegan) - paid)
  const renewedData =
    data && monthly !== null && isOver
      ? { ...data, bytes: monthly, used: 0, period_began_at: periodBegan }
      : (data ?? null)
  return {
    ...outcome,
    priced: pricedOf(account),
    gigabytes: added + (newPeriods * (monthly ?? 0)) / gigabyte,
    starts_by: isWaiting(account, now) ? account.starts_by : null,
    data: renewedData && withMore(renewedData, added),
  }
}

/** The same account with more data in its present period. */
export function withMore(data: DataLimit, gigabytes: number): DataLimit {
  const bytes = data.bytes + gigabytes * gigabyte
  if (bytes > limits.gigabytesMax * gigabyte)
    throw new Refusal('DATA_LIMIT_TOO_LARGE', { gigabytes: limits.gigabytesMax })
  return { ...data, bytes }
}

/** What a renewal charges for. */
export const chargedOf = ({ chargedDays: days, gigabytes }: Renewed) => ({ days, gigabytes })

export const boughtOf = (vpnType: VpnType, { chargedDays, gigabytes, priced }: Renewed): Bought => ({
  days: chargedDays,
  vpnType,
  chosenWays: priced.chosenWays ?? 0,
  gigabytes,
  extraDevices: priced.extraDevices ?? 0,
})

/** Call it while the account is locked. */
export async function writeRenewal(
  ctx: Context,
  tx: Db,
  accountUUID: string,
  { expires, starts_by, data, plan }: Renewed & { readonly plan: PlanRecord | null },
): Promise<AccountRecord> {
  if (data) {
    const { bytes, used, period_began_at } = data
    await changeLimit(ctx, tx, accountUUID, { bytes, used, period_began_at })
  }
  const sold = plan ? soldBy(plan) : {}
  return updateAccount(tx, accountUUID, { expires_at: expires, expiry_noted_at: null, starts_by, ...sold })
}

export const pricedOf = (
  account: Pick<LockedAccount, 'vpn_type' | 'tunnel_type' | 'chosen_ways' | 'extra_devices'>,
): Priced => ({
  vpnType: account.vpn_type,
  tunnelType: account.tunnel_type,
  chosenWays: account.chosen_ways,
  extraDevices: account.extra_devices,
})

/** When the period began that holds now. */
export const presentPeriod = (began: Date, now: Date): Date =>
  new Date(began.getTime() + Math.floor((now.getTime() - began.getTime()) / period) * period)

export const periodLength = period
