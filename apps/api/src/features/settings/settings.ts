import { defaultSettings, type Settings, settings } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type By, record } from '../audit/audit.ts'
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

export const changeSettings = (ctx: Context, by: By, change: Change): Promise<Settings> =>
  ctx.atomically(async (tx) => {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const now = ctx.clock.now()
    const next = { ...settingsOf(await lockSettings(tx, now)), ...given }
    await writeSettings(tx, next, now)
    const detail = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)]),
    )
    await record(ctx, tx, by, 'setsettings', 'settings', detail)
    return next
  })
