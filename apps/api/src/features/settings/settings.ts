import { isDeepStrictEqual } from 'node:util'
import { defaultSettings, Refusal, type Settings, settings } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type By, record } from '../audit/audit.ts'
import { announceNewPrices } from '../events/events.ts'
import { secondFactorOf } from '../second-factor/second-factor.ts'
import { lockSettings, readSettings, writeSettings } from './settings.store.ts'

/**
 * What was stored over the defaults, name by name and record by record: what was added since, a VPN type say, has its
 * default until an administrator sets it, and what is no longer there is left out.
 */
function over<Value>(usual: Value, stored: unknown): Value {
  if (stored === undefined) return usual
  if (typeof usual !== 'object' || usual === null) return stored as Value
  const names = Object.entries(usual).map(([name, value]) => [name, over(value, Object(stored)[name])])
  return Object.fromEntries(names) as Value
}

const settingsOf = (stored: unknown): Settings => settings.parse(over(defaultSettings, stored))

export const currentSettings = async (db: Db): Promise<Settings> => settingsOf(await readSettings(db))

type Change = { [Name in keyof Settings]?: Settings[Name] | undefined }

/** All that a quote or a balance is made of. */
const quotedBy = ({ maxDevices: _, secondFactor: __, ...quoted }: Settings) => quoted

/** Whoever asks a second factor of everybody has one: nobody shuts themselves out. */
export async function changeSettingsAs(
  ctx: Context,
  { userId }: { userId: number },
  by: By,
  change: Change,
): Promise<Settings> {
  if (change.secondFactor === 'required' && !(await secondFactorOf(ctx.db, userId)))
    throw new Refusal('SECOND_FACTOR_MISSING')
  return changeSettings(ctx, by, change)
}

export const changeSettings = (ctx: Context, by: By, change: Change): Promise<Settings> =>
  ctx.atomically(async (tx) => {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const now = ctx.clock.now()
    const before = settingsOf(await lockSettings(tx, now))
    const next = { ...before, ...given }
    await writeSettings(tx, next, now)
    if (!isDeepStrictEqual(quotedBy(before), quotedBy(next))) await announceNewPrices(ctx, tx)
    const detail = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)]),
    )
    await record(ctx, tx, by, 'setsettings', 'settings', detail)
    return next
  })
