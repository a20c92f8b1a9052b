import { editHost, type HostKind, hasAlpn, hasHello, parseWholeNumber, toLatinDigits } from '@kelid/contract'
import { Fragment, type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Body, read } from '../../../calls/api.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import type { BoundField } from '../../kit/bind.ts'
import { DateField } from '../../kit/date-field.tsx'
import { AlpnField, FingerprintField } from '../../kit/hello-fields.tsx'
import { MonthDayField } from '../../kit/month-day-field.tsx'
import { TextArea } from '../../kit/text-area.tsx'
import type { Server, Tunnel } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { useOtherServices } from '../host/machine.ts'
import styles from './detail.module.css'
import { useEdit } from './use-edit.ts'
import { useEditBind } from './use-edit-bind.ts'

type Field = BoundField & { label: string; hint: string }

const inputs = {
  latin: (field: Field) => <TextField {...field} isLatin />,
  text: (field: Field) => <TextField {...field} dir="auto" />,
  number: (field: Field) => <TextField {...field} inputMode="numeric" isLatin />,
  email: (field: Field) => <TextField {...field} inputMode="email" isLatin />,
  date: (field: Field) => <DateField {...field} />,
  monthDay: (field: Field) => <MonthDayField {...field} />,
  fingerprint: (field: Field) => <FingerprintField field={field} />,
  alpn: (field: Field) => <AlpnField field={field} />,
  lines: (field: Field) => <TextArea {...field} rows={3} />,
  key: (field: Field) => <TextArea {...field} spellCheck={false} isLatin />,
  password: (field: Field) => <PasswordField {...field} autoComplete="new-password" />,
} satisfies Record<string, (field: Field) => ReactNode>

type Row = readonly [name: keyof Body<typeof editHost>, label: string, input: keyof typeof inputs]

/** Field names of hosts/edit, which getserver and gettunnel share. */
const rows = {
  server: [
    ['serverName', 'hosts.name', 'latin'],
    ['serverMaxAccounts', 'hosts.maxAccounts', 'number'],
    ['serverSSHPort', 'servers.sshPort', 'number'],
    ['serverIPV6', 'servers.ipv6', 'latin'],
    ['serverFingerprint', 'servers.fingerprint', 'fingerprint'],
    ['serverAlpn', 'servers.alpn', 'alpn'],
    ['serverQuota', 'hosts.quota.gigabytes', 'number'],
    ['serverQuotaDay', 'hosts.quota.day', 'monthDay'],
    ['serverExpireDate', 'servers.expireDate', 'date'],
    ['serverTargetCountry', 'servers.targetCountry', 'text'],
    ['serverTargetOperator', 'servers.targetOperator', 'text'],
  ],
  tunnel: [
    ['tunnelName', 'hosts.name', 'latin'],
    ['tunnelMaxAccounts', 'hosts.maxAccounts', 'number'],
    ['tunnelSSHPort', 'servers.sshPort', 'number'],
    ['tunnelIPV6', 'servers.ipv6', 'latin'],
    ['tunnelQuota', 'hosts.quota.gigabytes', 'number'],
    ['tunnelQuotaDay', 'hosts.quota.day', 'monthDay'],
  ],
} as const satisfies Record<HostKind, readonly Row[]>

const helloNames: readonly string[] = ['serverFingerprint', 'serverAlpn']

const noteRows = {
  server: [
    ['serverDescription', 'servers.description', 'lines'],
    ['serverProvider', 'servers.provider', 'text'],
    ['serverLocation', 'servers.location', 'text'],
    ['serverProtocol', 'servers.protocol', 'latin'],
    ['serverConfigName', 'servers.configName', 'latin'],
    ['serverVersion', 'servers.version', 'latin'],
    ['serverVPNVersion', 'servers.vpnVersion', 'latin'],
  ],
  tunnel: [
    ['tunnelCreatorEmail', 'tunnels.creatorEmail', 'email'],
    ['tunnelVersion', 'tunnels.version', 'latin'],
  ],
} as const satisfies Record<HostKind, readonly Row[]>

/** These are write-only: never shown, and kept when left empty. */
const secretRows = {
  server: [
    ['serverSSHUsername', 'servers.sshUsername', 'latin'],
    ['serverSSHPassword', 'servers.sshPassword', 'password'],
    ['serverSSHKey', 'servers.sshKey', 'key'],
    ['serverHostingName', 'servers.hostingName', 'text'],
    ['serverHostingUsername', 'servers.hostingUsername', 'latin'],
    ['serverHostingPassword', 'servers.hostingPassword', 'password'],
  ],
  tunnel: [
    ['tunnelSSHUsername', 'servers.sshUsername', 'latin'],
    ['tunnelSSHPassword', 'servers.sshPassword', 'password'],
    ['tunnelSSHKey', 'servers.sshKey', 'key'],
  ],
} as const satisfies Record<HostKind, readonly Row[]>

const secrets = Object.values(secretRows).flatMap((list) => list.map(([name]) => name))

type Texts = Readonly<Record<string, string>>

const textsOf = (kind: HostKind, host: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries([
    ...[...rows[kind], ...noteRows[kind]].map(([name]) => [name, String(host[name])]),
    ...secretRows[kind].map(([name]) => [name, '']),
  ])

const latinNames = /Date$|Version$|IPV6$/
const numbers = /MaxAccounts$|Port$|Quota(?:Day)?$/

const toWire = (values: Partial<Texts>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, text = '']) => {
      if (name.endsWith('Quota') && text === '') return [name, 0]
      if (numbers.test(name)) return [name, parseWholeNumber(text)]
      return [name, latinNames.test(name) ? toLatinDigits(text) : text]
    }),
  )

type Props = { onClose: () => void } & ({ kind: 'server'; host: Server } | { kind: 'tunnel'; host: Tunnel })

export function EditHost({ onClose, ...props }: Props) {
  const { t } = useTranslation('admin')
  const { kind, host } = props
  const { one, target, stale } = kinds[kind]
  const hostUUID = props.kind === 'server' ? props.host.serverUUID : props.host.tunnelUUID
  const name = `${kind}Name` as const
  const initial = textsOf(kind, host)
  const edit = useEdit({
    call: editHost,
    target: useMemo(() => ({ hostUUID }), [hostUUID]),
    initial,
    read: async () => textsOf(kind, (await read(one, target(hostUUID))) as Server | Tunnel),
    toWire,
    secrets,
  })
  const save = useAct(editHost, { refreshes: stale })
  const bind = useEditBind(edit)
  const address = props.kind === 'server' ? props.host.serverIPV4 : props.host.tunnelIPV4
  const isShared = useOtherServices(address, hostUUID).length > 0
  const isHidden = (field: string) =>
    props.kind === 'server' &&
    helloNames.includes(field) &&
    !(field === 'serverAlpn' ? hasAlpn : hasHello)(props.host.serverVPNType)
  const noteOf = (field: string) => {
    if (field.endsWith('Quota')) return t(isShared ? 'hosts.quota.shared' : 'hosts.quota.hint')
    if (field.endsWith('QuotaDay')) return t('hosts.quota.dayHint')
    return isShared && field.endsWith('SSHPort') ? t('ssh.shared') : ''
  }
  const inputsOf = (list: readonly (typeof rows | typeof noteRows | typeof secretRows)[HostKind][number][]) =>
    list
      .filter(([field]) => !isHidden(field))
      .map(([field, label, input]) => {
        const { hint, ...bound } = bind(field)
        const note = noteOf(field)
        return (
          <Fragment key={field}>{inputs[input]({ ...bound, hint: hint || note, label: t(label) })}</Fragment>
        )
      })
  return (
    <ActDialog
      title={t('hosts.edit.title', { name: initial[name] })}
      confirm={t('acts.save')}
      isReady={edit.isReady}
      onChanged={edit.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await save.mutateAsync({ body: edit.body as Body<typeof editHost> })
        notify(t('hosts.edit.done', { name: edit.form.values[name]?.trim() }), 'success')
      }}
    >
      <p>{t(kind === 'server' ? 'hosts.edit.serverText' : 'hosts.edit.text')}</p>
      {inputsOf(rows[kind])}
      <details className={styles.secrets}>
        <summary>{t('hosts.notes')}</summary>
        <div>
          <p>{t('hosts.notesText')}</p>
          {inputsOf(noteRows[kind])}
        </div>
      </details>
      <details className={styles.secrets}>
        <summary>{t('servers.secrets')}</summary>
        <div>
          <p>{t('servers.secretsText')}</p>
          {isShared && <p>{t('ssh.shared')}</p>}
          {inputsOf(secretRows[kind])}
        </div>
      </details>
    </ActDialog>
  )
}
