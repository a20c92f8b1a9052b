import type { Context } from '../../context.ts'

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

/** What may be said of them: whether there are any. */
export const tunnelSecretsThere = (secrets: TunnelSecrets) => ({
  tunnelHasSSHSecret: secrets.tunnelSSHPassword !== '' || secrets.tunnelSSHKey !== '',
})
