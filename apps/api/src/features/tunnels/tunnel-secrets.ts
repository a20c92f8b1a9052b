import type { Context } from '../../context.ts'
import { given } from '../../lib/given.ts'

/** Write-only: they go in sealed and never come out through a call. */
export const tunnelSecretNames = ['tunnelSSHUsername', 'tunnelSSHPassword', 'tunnelSSHKey'] as const
export type TunnelSecrets = Record<(typeof tunnelSecretNames)[number], string> & {
  /** The first run puts the product's key in place of the password. */
  replacePassword?: boolean
}

const locationOf = (uuid: string) => `tunnels.secrets.${uuid}` as const

const none: TunnelSecrets = { tunnelSSHUsername: '', tunnelSSHPassword: '', tunnelSSHKey: '' }

export const openTunnelSecrets = (
  { seal }: Pick<Context, 'seal'>,
  { uuid, secrets }: { uuid: string; secrets: Buffer | null },
): TunnelSecrets => (secrets ? { ...none, ...JSON.parse(seal.open(locationOf(uuid), secrets)) } : none)

export const closeTunnelSecrets = (
  { seal }: Pick<Context, 'seal'>,
  uuid: string,
  { tunnelSSHUsername, tunnelSSHPassword, tunnelSSHKey, replacePassword = false }: TunnelSecrets,
): Buffer =>
  seal.close(
    locationOf(uuid),
    JSON.stringify({ tunnelSSHUsername, tunnelSSHPassword, tunnelSSHKey, replacePassword }),
  )

/** What is sent replaces, an empty text clears, what is left out stays; with the names of what was sent. */
export function replaceTunnelSecrets(
  stored: TunnelSecrets,
  input: { [Name in (typeof tunnelSecretNames)[number]]?: string | undefined } & {
    tunnelReplacePassword?: boolean | undefined
  },
) {
  const replaced = given(input, tunnelSecretNames)
  const { tunnelReplacePassword: replacePassword } = input
  const secrets: TunnelSecrets = {
    ...stored,
    ...replaced,
    ...(replacePassword !== undefined && { replacePassword }),
  }
  return { secrets, names: Object.keys({ ...replaced, ...given(input, ['tunnelReplacePassword']) }) }
}

/** A host learns a password by being sent it, so only the machine that it was entered for is; a key it never learns. */
export const withoutTunnelPassword = (secrets: TunnelSecrets): TunnelSecrets => ({
  ...secrets,
  tunnelSSHPassword: '',
  replacePassword: false,
})

/** What may be said of them: whether there are any. */
export const tunnelSecretsThere = (secrets: TunnelSecrets) => ({
  tunnelHasSSHSecret: secrets.tunnelSSHPassword !== '' || secrets.tunnelSSHKey !== '',
})
