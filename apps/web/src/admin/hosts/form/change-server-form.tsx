import { changeServer, getServer, getServers, getTunnels } from '@kelid/contract'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { useForm } from '../../../lib/form.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { TextField } from '../../../ui/field.tsx'
import { useBasis } from '../../kit/basis.ts'
import { useBind } from '../../kit/bind.ts'
import { useTakeOver } from '../../kit/take-over.ts'
import type { Server } from '../host/host.ts'
import { latin } from './add-server.ts'
import { ChangeFrame } from './change-frame.tsx'
import { CountryField } from './country-field.tsx'
import { MovedAccess } from './moved-access.tsx'
import { useChange } from './use-change.ts'

type Values = Readonly<Record<'serverIPV4' | 'countryId' | keyof typeof noServerAccess, string>>

/** A server that implements only spec.md omits the address and the country. */
export type ServerPlace = Pick<Server, 'serverUUID'> & {
  readonly [Known in 'serverIPV4' | 'country']?: Server[Known] | undefined
}

const valuesOf = ({ serverIPV4 = '', country }: ServerPlace): Values => ({
  serverIPV4,
  countryId: String(country?.countryId ?? 0),
  ...noServerAccess,
})

export function ChangeServerForm({ server, onChanged }: { server: ServerPlace; onChanged: () => void }) {
  const { t } = useTranslation('admin')
  const { serverUUID } = server
  const basis = useBasis<ServerPlace>(server, () => read(getServer, { serverUUID }))
  const toBody = useCallback(
    ({ serverIPV4, countryId, ...access }: Values) => ({
      serverUUID,
      serverIPV4: latin(serverIPV4),
      countryId: Number(countryId),
      ...serverAccessBody(access),
    }),
    [serverUUID],
  )
  const form = useForm(changeServer, valuesOf(server), toBody)
  const change = useAct(changeServer, { refreshes: [getServers, getServer, getTunnels] })
  const send = async () => {
    const { serverIPV4, country } = basis.now
    const basedOn = country && { serverIPV4, countryId: country.countryId }
    await change.mutateAsync({ body: { ...toBody(form.values), ...(basedOn && { basedOn }) } })
    onChanged()
  }
  useTakeOver(
    form,
    useMemo(() => basis.previous && valuesOf(basis.previous), [basis.previous]),
    valuesOf(basis.now),
  )
  const frame = useChange(form, send, basis, form.values.serverIPV4)
  const bind = useBind(form, frame.isBusy)
  const { error: ipv4Rule, ...ipv4 } = bind('serverIPV4')
  const { now } = basis
  // Earlier concurrent changes no longer matter after a successful change.
  const previous = frame.isDone ? undefined : basis.previous
  const noteOf = (name: keyof Values, value: string) => {
    if (!previous || valuesOf(previous)[name] === valuesOf(now)[name]) return undefined
    return form.values[name] === valuesOf(now)[name] ? t('hosts.takenOver') : t('hosts.now', { value })
  }
  return (
    <ChangeFrame {...frame} about={t('servers.changeAbout')}>
      <TextField
        {...ipv4}
        label={t('hosts.ipv4')}
        error={(ipv4Rule && t('client.invalidIPv4')) ?? noteOf('serverIPV4', now.serverIPV4 ?? '')}
        hint={t('hosts.ipv4Hint')}
        isLatin
      />
      <CountryField
        value={form.values.countryId}
        onValue={(countryId) => form.set('countryId', countryId)}
        note={noteOf('countryId', now.country?.countryName || t('hosts.noCountry'))}
        disabled={frame.isBusy}
      />
      <MovedAccess
        username={bind('serverSSHUsername')}
        password={bind('serverSSHPassword')}
        replace={bind('serverReplacePassword')}
        privateKey={bind('serverSSHKey')}
      />
    </ChangeFrame>
  )
}

const noServerAccess = {
  serverSSHUsername: '',
  serverSSHPassword: '',
  serverSSHKey: '',
  serverReplacePassword: '',
}

/** Fields beyond spec.md are sent only if set. */
const serverAccessBody = (values: typeof noServerAccess) => ({
  ...(values.serverSSHUsername.trim() && { serverSSHUsername: values.serverSSHUsername.trim() }),
  ...(values.serverSSHPassword && { serverSSHPassword: values.serverSSHPassword }),
  ...(values.serverSSHKey && { serverSSHKey: values.serverSSHKey }),
  ...(values.serverReplacePassword && values.serverSSHPassword && { serverReplacePassword: true }),
})
