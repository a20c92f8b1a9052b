import { getSettings, setSettings } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { changeSettings, currentSettings } from './settings.ts'

export const settingsRoutes = [
  bind(getSettings, ({ ctx }) => currentSettings(ctx.db)),
  bind(setSettings, ({ ctx, by, input: { client: _, clientVersion: __, lng: ___, basedOn, ...change } }) =>
    changeSettings(ctx, by, change, basedOn),
  ),
]
