import { changeServer, getServer, getServers, getTunnels } from '@kelid/contract'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { useForm } from '../../../lib/form.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { TextField } from '../../../ui/field.tsx'
import { useBasis } from '../../kit/basis.ts'
import { useBind } from '../../kit/bind.ts'
import type { Server } from '../host/host.ts'
import { latin } from './add-server.ts'
import { ChangeFrame } from './change-frame.tsx'
import { CountryField } from './country-field.tsx'
import { useChange } from './use-change.ts'

interface Values {
  serverIPV4: string
  countryId: string
}

const valuesOf = ({ serverIPV4, country }: Server): Values => ({
  serverIPV4,
  countryId: String(country.countryId),
})

/** To another address or country. What somebody else changed meanwhile is shown beside what is typed. */
export function ChangeServerForm({ server, onChanged }: { server: Server; onChanged: () => void }) {
  const { t } = useTranslation('admin')
  const { serverUUID } = server
  const basis = useBasis(server, () => read(getServer, { serverUUID }))
  const toBody = useCallback(
    ({ serverIPV4, countryId }: Values) => ({
      serverUUID,
      serverIPV4: latin(serverIPV4),
      countryId: Number(countryId),
    }),
    [serverUUID],
  )
  const form = useForm(changeServer, valuesOf(server), toBody)
  const change = useAct(changeServer, { refreshes: [getServers, getServer, getTunnels] })
  const send = async () => {
    const { serverIPV4, country } = basis.now
    const basedOn = { serverIPV4, countryId: country.countryId }
    await change.mutateAsync({ body: { ...toBody(form.values), basedOn } })
    onChanged()
  }
  const frame = useChange(form, send, basis)
  const bind = useBind(form, frame.isBusy)
  const { error: ipv4Rule, ...ipv4 } = bind('serverIPV4')
  const { now } = basis
  // Once it is changed, what others did before is no longer so.
  const saw = frame.isDone ? undefined : basis.saw
  const isMoved = saw !== undefined && saw.serverIPV4 !== now.serverIPV4
  const isElsewhere = saw !== undefined && saw.country.countryId !== now.country.countryId
  return (
    <ChangeFrame {...frame} about={t('servers.changeAbout')}>
      <TextField
        {...ipv4}
        label={t('hosts.ipv4')}
        error={
          (ipv4Rule && t('client.invalidIPv4')) ??
          (isMoved ? t('hosts.now', { value: now.serverIPV4 }) : undefined)
        }
        hint={t('hosts.ipv4Hint')}
        isLatin
      />
      <CountryField
        value={form.values.countryId}
        onValue={(countryId) => form.set('countryId', countryId)}
        note={
          isElsewhere ? t('hosts.now', { value: now.country.countryName || t('hosts.noCountry') }) : undefined
        }
        disabled={frame.isBusy}
      />
    </ChangeFrame>
  )
}
