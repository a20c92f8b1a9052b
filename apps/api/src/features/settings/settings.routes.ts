import { getDnsProvider, getSettings, setDnsProvider, setSettings } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { changeDnsProvider, dnsProviderInUse } from './dns-provider.ts'
import { changeSettingsAs, currentSettings } from './settings.ts'

export const settingsRoutes = [
  bind(getSettings, ({ ctx }) => currentSettings(ctx.db)),
  bind(
    setSettings,
    ({ ctx, caller, by, input: { client: _, clientVersion: __, lng: ___, basedOn, ...change } }) =>
      changeSettingsAs(ctx, caller, by, change, basedOn),
  ),
  bind(getDnsProvider, ({ ctx }) => dnsProviderInUse(ctx.db)),
  bind(setDnsProvider, ({ ctx, by, input }) => changeDnsProvider(ctx, by, input)),
]
