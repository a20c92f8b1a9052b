import { changeTunnel, getTunnel, getTunnels } from '@kelid/contract'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { useForm } from '../../../lib/form.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { TextField } from '../../../ui/field.tsx'
import { useBasis } from '../../kit/basis.ts'
import { useBind } from '../../kit/bind.ts'
import type { Tunnel } from '../host/host.ts'
import { latin } from './add-server.ts'
import { ChangeFrame } from './change-frame.tsx'
import { MovedAccess } from './moved-access.tsx'
import { accessBody, noTunnelAccess } from './tunnel-access.tsx'
import { useChange } from './use-change.ts'

/** A server that implements only spec.md omits the address. */
export type TunnelPlace = Pick<Tunnel, 'tunnelUUID'> & Partial<Pick<Tunnel, 'tunnelIPV4'>>

type Values = Readonly<Record<'tunnelIPV4' | keyof typeof noTunnelAccess, string>>

export function ChangeTunnelForm({ tunnel, onChanged }: { tunnel: TunnelPlace; onChanged: () => void }) {
  const { t } = useTranslation('admin')
  const { tunnelUUID } = tunnel
  const basis = useBasis<TunnelPlace>(tunnel, () => read(getTunnel, { tunnelUUID }))
  const toBody = useCallback(
    ({ tunnelIPV4, ...access }: Values) => ({
      tunnelUUID,
      tunnelIPV4: latin(tunnelIPV4),
      ...accessBody(access),
    }),
    [tunnelUUID],
  )
  const form = useForm<Values>(
    changeTunnel,
    { tunnelIPV4: tunnel.tunnelIPV4 ?? '', ...noTunnelAccess },
    toBody,
  )
  const change = useAct(changeTunnel, { refreshes: [getTunnels, getTunnel] })
  const send = async () => {
    const { tunnelIPV4 } = basis.now
    await change.mutateAsync({
      body: { ...toBody(form.values), ...(tunnelIPV4 && { basedOn: { tunnelIPV4 } }) },
    })
    onChanged()
  }
  const frame = useChange(form, send, basis, form.values.tunnelIPV4)
  const bind = useBind(form, frame.isBusy)
  const { error: ipv4Rule, ...ipv4 } = bind('tunnelIPV4')
  const { now } = basis
  // Earlier concurrent changes no longer matter after a successful change.
  const previous = frame.isDone ? undefined : basis.previous
  const isMoved = previous !== undefined && previous.tunnelIPV4 !== now.tunnelIPV4
  return (
    <ChangeFrame {...frame} about={t('tunnels.changeAbout')}>
      <TextField
        {...ipv4}
        label={t('hosts.ipv4')}
        error={
          (ipv4Rule && t('client.invalidIPv4')) ??
          (isMoved ? t('hosts.now', { value: now.tunnelIPV4 ?? '' }) : undefined)
        }
        hint={t('hosts.ipv4Hint')}
        isLatin
      />
      <MovedAccess
        username={bind('tunnelSSHUsername')}
        password={bind('tunnelSSHPassword')}
        replace={bind('tunnelReplacePassword')}
        privateKey={bind('tunnelSSHKey')}
      />
    </ChangeFrame>
  )
}
