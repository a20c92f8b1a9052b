import type { HostKind } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { pickDefined } from '../../lib/given.ts'

/** Write-only: no call returns them. They are stored under these names. */
const secretNames = {
  server: [
    'serverSSHUsername',
    'serverSSHPassword',
    'serverSSHKey',
    'serverHostingName',
    'serverHostingUsername',
    'serverHostingPassword',
    'serverConfigJson',
  ],
  tunnel: ['tunnelSSHUsername', 'tunnelSSHPassword', 'tunnelSSHKey'],
} as const satisfies Record<HostKind, readonly string[]>

type SecretName = (typeof secretNames)[HostKind][number]

export interface Secrets {
  readonly values: { readonly [Name in SecretName]?: string }
  /** The first run replaces the password with the product's key. */
  readonly replacePassword: boolean
}

export type SentSecrets = { readonly [Name in SecretName]?: string | undefined } & {
  readonly [Name in `${HostKind}ReplacePassword`]?: boolean | undefined
}

export const defaultSshPort = 22

const locationOf = (kind: HostKind, uuid: string) => `${kind}s.secrets.${uuid}` as const

export function openSecrets(
  { seal }: Pick<Context, 'seal'>,
  kind: HostKind,
  { uuid, secrets }: { uuid: string; secrets: Buffer | null },
): Secrets {
  if (!secrets) return { values: {}, replacePassword: false }
  const { replacePassword = false, ...values } = JSON.parse(seal.open(locationOf(kind, uuid), secrets))
  return { values, replacePassword }
}

export const sealSecrets = (
  { seal }: Pick<Context, 'seal'>,
  kind: HostKind,
  uuid: string,
  { values, replacePassword }: Secrets,
): Buffer => seal.close(locationOf(kind, uuid), JSON.stringify({ ...values, replacePassword }))

export const secretsIn = (kind: HostKind, sent: SentSecrets): Secrets => ({
  values: pickDefined(sent, secretNames[kind]),
  replacePassword: sent[`${kind}ReplacePassword`] ?? false,
})

/** An empty text clears a secret, and an omitted field keeps it. The audit log gets the names only. */
export function replaceSecrets(kind: HostKind, stored: Secrets, sent: SentSecrets) {
  const { values, replacePassword } = secretsIn(kind, sent)
  const flag = pickDefined(sent, [`${kind}ReplacePassword`])
  const names = Object.keys({ ...values, ...flag })
  return {
    secrets: {
      values: { ...stored.values, ...values },
      replacePassword: Object.keys(flag).length > 0 ? replacePassword : stored.replacePassword,
    },
    detail: names.length > 0 ? { replacedSecrets: names.join(' ') } : {},
  }
}

const accessNames = ['SSHUsername', 'SSHPassword', 'SSHKey'] as const

/** The services of a machine have the same access, each under the names of its kind. */
export function withAccessOf(
  kind: HostKind,
  { values }: Secrets,
  other: { kind: HostKind; secrets: Secrets },
): Secrets {
  const access = accessNames.map((name) => [
    `${kind}${name}`,
    other.secrets.values[`${other.kind}${name}`] ?? '',
  ])
  return {
    values: { ...values, ...Object.fromEntries(access) },
    replacePassword: other.secrets.replacePassword,
  }
}

/** Like replaceSecrets, for a host that moves: a password must not be sent to another machine. */
export function moveSecrets(kind: HostKind, stored: Secrets, sent: SentSecrets, isElsewhere: boolean) {
  const name = `${kind}SSHPassword` as const
  const keptSecrets = isElsewhere
    ? { values: { ...stored.values, [name]: '' }, replacePassword: false }
    : stored
  const { secrets, detail } = replaceSecrets(kind, keptSecrets, sent)
  const isForgotten = stored.values[name] && !secrets.values[name]
  return { secrets, detail: { ...detail, ...(isForgotten && { forgottenSecrets: name }) } }
}

export const sshAccessOf = (kind: HostKind, { values, replacePassword }: Secrets) => ({
  user: values[`${kind}SSHUsername`] || 'root',
  password: values[`${kind}SSHPassword`] ?? '',
  key: values[`${kind}SSHKey`] ?? '',
  replacesPassword: replacePassword && !!values[`${kind}SSHPassword`],
})

export const hasSshSecret = (kind: HostKind, { values }: Secrets): boolean =>
  !!values[`${kind}SSHPassword`] || !!values[`${kind}SSHKey`]

export const serverSecretFlags = (secrets: Secrets) => ({
  serverHasSSHSecret: hasSshSecret('server', secrets),
  serverHasHostingSecret: !!secrets.values.serverHostingPassword,
  serverHasConfigJson: !/^(?:\{\s*\})?$/.test(secrets.values.serverConfigJson?.trim() ?? ''),
})
