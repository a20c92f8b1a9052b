import { getSettings, setSettings } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { changeSettingsAs, currentSettings } from './settings.ts'

export const settingsRoutes = [
  bind(getSettings, ({ ctx }) => currentSettings(ctx.db)),
  bind(
    setSettings,
    ({ ctx, caller, by, input: { client: _, clientVersion: __, lng: ___, basedOn, ...change } }) =>
      changeSettingsAs(ctx, caller, by, change, basedOn),
  ),
]
