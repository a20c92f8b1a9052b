import { defaultSettings, type Settings, settings } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { memo } from '../../lib/memo.ts'
import { type By, record } from '../audit/audit.ts'
import { lockSettings, readSettings, writeSettings } from './settings.store.ts'

/** What an administrator has set, over the defaults: a setting added later has its default until then. */
export const currentSettings = async (db: Db): Promise<Settings> => settingsOf(await readSettings(db))

const understood = memo<Settings>(10)

export const settingsOf = (text: string | null): Settings =>
  understood(text ?? '{}', () =>
    Object.freeze(settings.parse({ ...defaultSettings, ...JSON.parse(text ?? '{}') })),
  )

export { settingsQuery } from './settings.store.ts'

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
