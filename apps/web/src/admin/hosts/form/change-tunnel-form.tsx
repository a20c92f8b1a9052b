import { changeTunnel, getMachine, getTunnel, getTunnels, parseWholeNumber } from '@kelid/contract'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Body, read } from '../../../calls/api.ts'
import { useForm } from '../../../lib/form.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { TextField } from '../../../ui/field.tsx'
import { useBasis } from '../../kit/basis.ts'
import { useBind } from '../../kit/bind.ts'
import { latin } from '../../kit/parse-number.ts'
import { useTakeOver } from '../../kit/take-over.ts'
import type { Tunnel } from '../host/host.ts'
import { useOtherServices } from '../host/machine.ts'
import { ChangeFrame } from './change-frame.tsx'
import styles from './form.module.css'
import { LinksStop } from './links-stop.tsx'
import { MovedAccess } from './moved-access.tsx'
import { SiteField } from './site-field.tsx'
import { accessBody, noTunnelAccess } from './tunnel-access.tsx'
import { useChange } from './use-change.ts'

const further = ['tunnelURL', 'tunnelPort', 'tunnelSite'] as const
type Further = (typeof further)[number]

/** A server that implements only spec.md omits all of it. */
export type TunnelPlace = Pick<Tunnel, 'tunnelUUID'> &
  Partial<Pick<Tunnel, 'tunnelIPV4' | 'tunnelAccounts' | Further>>

type Values = Readonly<Record<'tunnelIPV4' | Further | keyof typeof noTunnelAccess, string>>

const valuesOf = ({
  tunnelIPV4 = '',
  tunnelURL = '',
  tunnelPort = 0,
  tunnelSite = '',
}: TunnelPlace): Values => ({
  tunnelIPV4,
  tunnelURL,
  tunnelPort: String(tunnelPort),
  tunnelSite,
  ...noTunnelAccess,
})

/** Fields beyond spec.md are sent only if changed. */
function changedFurther(values: Values, now: TunnelPlace) {
  const before = valuesOf(now)
  const names = further.filter((name) => values[name].trim() !== before[name])
  const wire = (from: Values) =>
    Object.fromEntries(
      names.map((name) => [name, name === 'tunnelPort' ? parseWholeNumber(from[name]) : from[name].trim()]),
    ) as Pick<Body<typeof changeTunnel>, Further>
  return { body: wire(values), basedOn: wire(before) }
}

export function ChangeTunnelForm({ tunnel, onChanged }: { tunnel: TunnelPlace; onChanged: () => void }) {
  const { t } = useTranslation('admin')
  const { tunnelUUID } = tunnel
  const basis = useBasis<TunnelPlace>(tunnel, () => read(getTunnel, { tunnelUUID }))
  const toBody = useCallback(
    (values: Values) => ({
      tunnelUUID,
      tunnelIPV4: latin(values.tunnelIPV4),
      ...changedFurther(values, basis.now).body,
      ...accessBody(values),
    }),
    [tunnelUUID, basis.now],
  )
  const form = useForm<Values>(changeTunnel, valuesOf(tunnel), toBody)
  const change = useAct(changeTunnel, { refreshes: [getTunnels, getTunnel, getMachine] })
  const send = async () => {
    const { tunnelIPV4 } = basis.now
    const body = {
      ...toBody(form.values),
      ...(tunnelIPV4 && { basedOn: { tunnelIPV4, ...changedFurther(form.values, basis.now).basedOn } }),
    }
    await change.mutateAsync({ body: body as Body<typeof changeTunnel> })
    onChanged()
  }
  useTakeOver(
    form,
    useMemo(() => basis.previous && valuesOf(basis.previous), [basis.previous]),
    valuesOf(basis.now),
  )
  const frame = useChange(form, send, basis, form.values.tunnelIPV4)
  const bind = useBind(form, frame.isBusy)
  const { error: ipv4Rule, ...ipv4 } = bind('tunnelIPV4')
  const { now } = basis
  const isShared = useOtherServices(form.values.tunnelIPV4, tunnelUUID).length > 0
  // Earlier concurrent changes no longer matter after a successful change.
  const previous = frame.isDone ? undefined : basis.previous
  const noteOf = (name: keyof Values) => {
    const value = valuesOf(now)[name]
    if (!previous || valuesOf(previous)[name] === value) return undefined
    return form.values[name] === value ? t('hosts.takenOver') : t('hosts.now', { value })
  }
  const isChanged = (name: keyof Values) => form.values[name].trim() !== valuesOf(now)[name]
  const textOf = (name: Further) => {
    const { error, ...field } = bind(name)
    return { ...field, error: error ?? noteOf(name) }
  }
  return (
    <ChangeFrame {...frame} about={t('tunnels.changeAbout')}>
      <TextField
        {...ipv4}
        label={t('hosts.ipv4')}
        error={(ipv4Rule && t('client.invalidIPv4')) ?? noteOf('tunnelIPV4')}
        hint={t('hosts.ipv4Hint')}
        isLatin
      />
      {now.tunnelPort !== undefined && (
        <div className={styles.pair}>
          <TextField {...textOf('tunnelURL')} label={t('hosts.url')} hint={t('tunnels.urlHint')} isLatin />
          <TextField {...textOf('tunnelPort')} label={t('hosts.port')} inputMode="numeric" isLatin />
          <SiteField {...textOf('tunnelSite')} />
        </div>
      )}
      {!frame.isDone && (isChanged('tunnelIPV4') || isChanged('tunnelPort')) && (
        <LinksStop accounts={now.tunnelAccounts} />
      )}
      <MovedAccess
        isShared={isShared}
        port={bind('tunnelSSHPort')}
        username={bind('tunnelSSHUsername')}
        password={bind('tunnelSSHPassword')}
        replace={bind('tunnelReplacePassword')}
        privateKey={bind('tunnelSSHKey')}
      />
    </ChangeFrame>
  )
}
