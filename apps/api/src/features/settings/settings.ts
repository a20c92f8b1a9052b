import { defaultSettings, type Settings, settings } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type By, record } from '../audit/audit.ts'
import { readSettings, writeSettings } from './settings.store.ts'

/** What an administrator has set, over the defaults: a setting added later has its default until then. */
export async function currentSettings(db: Db): Promise<Settings> {
  return settings.parse({ ...defaultSettings, ...((await readSettings(db)) as Partial<Settings>) })
}

type Change = { [Name in keyof Settings]?: Settings[Name] | undefined }

export const changeSettings = (ctx: Context, by: By, change: Change): Promise<Settings> =>
  ctx.atomically(async (tx) => {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const next = { ...(await currentSettings(tx)), ...given }
    await writeSettings(tx, next, ctx.clock.now())
    const detail = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)]),
    )
    await record(ctx, tx, by, 'setsettings', 'settings', detail)
    return next
  })
