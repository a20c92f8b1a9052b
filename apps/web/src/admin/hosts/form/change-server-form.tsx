import {
  changeServer,
  getMachine,
  getServer,
  getServers,
  getTunnels,
  isQuic,
  parseWholeNumber,
} from '@kelid/contract'
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
import { TextArea } from '../../kit/text-area.tsx'
import type { Server } from '../host/host.ts'
import { useOtherServices } from '../host/machine.ts'
import { noServerAccess } from './add-server.ts'
import { ChangeFrame } from './change-frame.tsx'
import { CountryField } from './country-field.tsx'
import styles from './form.module.css'
import { LinksStop } from './links-stop.tsx'
import { MovedAccess } from './moved-access.tsx'
import { QuicFields } from './quic-fields.tsx'
import { RealityTargetField } from './reality-target-field.tsx'
import { SiteField } from './site-field.tsx'
import { useChange } from './use-change.ts'

const texts = ['serverURL', 'serverPort', 'serverSNIAddress', 'serverRealityTarget', 'serverSite'] as const
const quic = ['serverObfuscated', 'serverHopPorts'] as const
const further = [...texts, ...quic] as const
type Further = (typeof further)[number]

type Values = Readonly<
  Record<'serverIPV4' | 'countryId' | 'serverConfigJson' | Further | keyof typeof noServerAccess, string>
>

/** A server that implements only spec.md omits all but the URL. */
export type ServerPlace = Pick<Server, 'serverUUID'> & {
  readonly [Known in
    | 'serverIPV4'
    | 'country'
    | 'serverVPNType'
    | 'serverTunnelType'
    | 'serverAccounts'
    | 'serverReality'
    | Further]?: Server[Known] | undefined
}

const valuesOf = ({ serverIPV4 = '', country, ...server }: ServerPlace): Values => ({
  serverIPV4,
  countryId: String(country?.countryId ?? 0),
  serverURL: server.serverURL ?? '',
  serverPort: String(server.serverPort ?? ''),
  serverSNIAddress: server.serverSNIAddress ?? '',
  serverRealityTarget: server.serverRealityTarget ?? '',
  serverSite: server.serverSite ?? '',
  serverObfuscated: server.serverObfuscated ? 'yes' : '',
  serverHopPorts: server.serverHopPorts ?? '',
  serverConfigJson: '',
  ...noServerAccess,
})

/** Fields beyond spec.md are sent only if changed. */
function changedFurther(values: Values, now: ServerPlace) {
  const before = valuesOf(now)
  const names = further.filter((name) => values[name].trim() !== before[name])
  const sentOf = (name: Further, text: string) => {
    if (name === 'serverPort') return parseWholeNumber(text)
    if (name === 'serverObfuscated') return text !== ''
    return name === 'serverHopPorts' ? latin(text) : text.trim()
  }
  const wire = (from: Values) =>
    Object.fromEntries(names.map((name) => [name, sentOf(name, from[name])])) as Pick<
      Body<typeof changeServer>,
      Further
    >
  return { body: wire(values), basedOn: wire(before) }
}

export function ChangeServerForm({ server, onChanged }: { server: ServerPlace; onChanged: () => void }) {
  const { t } = useTranslation('admin')
  const { serverUUID } = server
  const basis = useBasis<ServerPlace>(server, () => read(getServer, { serverUUID }))
  const toBody = useCallback(
    (values: Values) => ({
      serverUUID,
      serverIPV4: latin(values.serverIPV4),
      countryId: Number(values.countryId),
      ...changedFurther(values, basis.now).body,
      ...(values.serverConfigJson.trim() && { serverConfigJson: values.serverConfigJson }),
      ...serverAccessBody(values),
    }),
    [serverUUID, basis.now],
  )
  const form = useForm(changeServer, valuesOf(server), toBody)
  const change = useAct(changeServer, { refreshes: [getServers, getServer, getTunnels, getMachine] })
  const send = async () => {
    const { serverIPV4, country } = basis.now
    const basedOn = country && {
      serverIPV4,
      countryId: country.countryId,
      ...changedFurther(form.values, basis.now).basedOn,
    }
    const body = { ...toBody(form.values), ...(basedOn && { basedOn }) }
    await change.mutateAsync({ body: body as Body<typeof changeServer> })
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
  const hopPorts = bind('serverHopPorts')
  const { now } = basis
  const isShared = useOtherServices(form.values.serverIPV4, serverUUID).length > 0
  // Earlier concurrent changes no longer matter after a successful change.
  const previous = frame.isDone ? undefined : basis.previous
  const isChanged = (name: keyof Values) => form.values[name].trim() !== valuesOf(now)[name]
  /** Behind a tunnel, links have the tunnel's address and port. */
  const inLinks =
    now.serverTunnelType === ''
      ? (['serverIPV4', ...further] as const)
      : further.filter((name) => name !== 'serverPort')
  /** Apps without port hopping go on when it begins, and no link has the site for strangers. */
  const stopsLinks = (name: (typeof inLinks)[number]) =>
    isChanged(name) && name !== 'serverSite' && (name !== 'serverHopPorts' || now.serverHopPorts !== '')
  const noteOf = (name: keyof Values, value: string) => {
    if (!previous || valuesOf(previous)[name] === valuesOf(now)[name]) return undefined
    return form.values[name] === valuesOf(now)[name] ? t('hosts.takenOver') : t('hosts.now', { value })
  }
  const left = now.serverReality ? 'serverSite' : 'serverRealityTarget'
  const shown = texts.filter((name) => name !== left)
  const labels = {
    serverURL: { label: t('hosts.url'), hint: t('hosts.urlHint') },
    serverPort: { label: t('hosts.port'), inputMode: 'numeric' },
    serverSNIAddress: { label: t('servers.sniAddress'), hint: t('servers.sniHint') },
  } as const
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
      {now.serverPort !== undefined && (
        <>
          <div className={styles.pair}>
            {shown.map((name) => {
              const field = bind(name)
              const note = noteOf(name, valuesOf(now)[name])
              if (name === 'serverRealityTarget')
                return (
                  <RealityTargetField
                    key={name}
                    field={{ ...field, error: field.error ?? note }}
                    sni={form.values.serverSNIAddress}
                    serverUUID={serverUUID}
                  />
                )
              if (name === 'serverSite')
                return <SiteField key={name} {...field} error={field.error ?? note} />
              return <TextField key={name} {...field} {...labels[name]} error={field.error ?? note} isLatin />
            })}
          </div>
          {now.serverVPNType && isQuic(now.serverVPNType) && (
            <QuicFields
              obfuscated={bind('serverObfuscated')}
              hopPorts={{
                ...hopPorts,
                error: hopPorts.error ?? noteOf('serverHopPorts', now.serverHopPorts || '–'),
              }}
              obfuscatedNote={noteOf(
                'serverObfuscated',
                t(now.serverObfuscated ? 'servers.optionOn' : 'servers.optionOff'),
              )}
            />
          )}
          <TextArea
            {...bind('serverConfigJson')}
            label={t('servers.configJson')}
            hint={`${t('servers.configHint')} ${t('servers.configKeep')}`}
            spellCheck={false}
            isLatin
          />
        </>
      )}
      {!frame.isDone && inLinks.some(stopsLinks) && <LinksStop accounts={now.serverAccounts} />}
      <MovedAccess
        isShared={isShared}
        port={bind('serverSSHPort')}
        username={bind('serverSSHUsername')}
        password={bind('serverSSHPassword')}
        replace={bind('serverReplacePassword')}
        privateKey={bind('serverSSHKey')}
      />
    </ChangeFrame>
  )
}

/** Fields beyond spec.md are sent only if set. */
const serverAccessBody = (values: Pick<Values, keyof typeof noServerAccess>) => ({
  ...(values.serverSSHPort.trim() && { serverSSHPort: parseWholeNumber(values.serverSSHPort) }),
  ...(values.serverSSHUsername.trim() && { serverSSHUsername: values.serverSSHUsername.trim() }),
  ...(values.serverSSHPassword && { serverSSHPassword: values.serverSSHPassword }),
  ...(values.serverSSHKey && { serverSSHKey: values.serverSSHKey }),
  ...(values.serverReplacePassword && values.serverSSHPassword && { serverReplacePassword: true }),
})
