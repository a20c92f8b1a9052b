import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { defaultSettings, Refusal, type Settings, settingNames, settings, settingUses } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { type Actor, record } from '../audit/audit.ts'
import { announceNewPrices } from '../events/events.ts'
import { secondFactorOf } from '../second-factor/second-factor.ts'
import { findDnsProvider } from './dns-provider.store.ts'
import { lockSettings, readSettings, writeSettings } from './settings.store.ts'

/** Merges record by record: new settings get their default, and removed ones are dropped. */
function mergeOver<Value>(defaults: Value, stored: unknown): Value {
  if (stored === undefined) return defaults
  if (typeof defaults !== 'object' || defaults === null) return stored as Value
  const names = Object.entries(defaults).map(([name, value]) => [
    name,
    mergeOver(value, Object(stored)[name]),
  ])
  return Object.fromEntries(names) as Value
}

export const settingsOf = (stored: unknown): Settings => settings.parse(mergeOver(defaultSettings, stored))

export const currentSettings = async (db: Db): Promise<Settings> => settingsOf(await readSettings(db))

type Given<Value> = Value extends object ? { [Name in keyof Value]?: Value[Name] | undefined } : Value
type Change = { [Name in keyof Settings]?: Given<Settings[Name]> | undefined }

const priceNames = settingNames.filter((name) => settingUses[name].changesPrices)

/** Requiring a second factor needs one, so that administrators cannot lock themselves out. */
export async function changeSettingsAs(
  ctx: Context,
  { userId }: { userId: number },
  by: Actor,
  change: Change,
  basedOn?: Change,
): Promise<Settings> {
  if (change.secondFactor === 'required' && !(await secondFactorOf(ctx.db, userId)))
    throw new Refusal('SECOND_FACTOR_MISSING')
  if (change.certificates?.source === 'dns' && !(await findDnsProvider(ctx.db)))
    throw new Refusal('DNS_PROVIDER_MISSING')
  if (change.certificates?.acmeDirectory) refuseForbiddenDirectory(ctx, change.certificates.acmeDirectory)
  return changeSettings(ctx, by, change, basedOn)
}

/** Hosts fetch from this URL, so it must not lead to the hosts themselves or to cloud metadata. */
function refuseForbiddenDirectory(ctx: Context, directory: string): void {
  const { hostname } = new URL(directory)
  if (isIP(hostname) || hostname === 'localhost') refuseForbiddenTarget(ctx, hostname)
}

const namesOf = (change: Change) =>
  (Object.keys(change) as (keyof Settings)[]).filter((name) => change[name] !== undefined)

const only = (names: readonly (keyof Settings)[], from: Change) =>
  Object.fromEntries(names.map((name) => [name, from[name]]))

export const changeSettings = (
  ctx: Context,
  by: Actor,
  change: Change,
  basedOn: Change = {},
): Promise<Settings> =>
  ctx.atomically(async (tx) => {
    const changedNames = namesOf(change)
    const now = ctx.clock.now()
    const before = settingsOf(await lockSettings(tx, now))
    requireAsSeen(basedOn, before)
    const next = mergeOver(before, change)
    await writeSettings(tx, next, now)
    if (!isDeepStrictEqual(only(priceNames, before), only(priceNames, next))) await announceNewPrices(ctx, tx)
    const [from, to] = [before, next].map((settings) => JSON.stringify(only(changedNames, settings))) as [
      string,
      string,
    ]
    await record(ctx, tx, by, 'setsettings', 'settings', { from, to })
    return next
  })
