import type { serverDefaults } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { given } from '../../lib/given.ts'

/** Write-only: they go in sealed and never come out through a call. */
export const secretNames = [
  'serverSSHUsername',
  'serverSSHPassword',
  'serverSSHKey',
  'serverHostingName',
  'serverHostingUsername',
  'serverHostingPassword',
] as const
type Typed = Pick<typeof serverDefaults, (typeof secretNames)[number]>
export type Secrets = Typed & {
  /** The first run puts the product's key in place of the password. */
  replacePassword?: boolean
}

const locationOf = (uuid: string) => `servers.secrets.${uuid}` as const

const none = Object.fromEntries(secretNames.map((name) => [name, ''])) as Typed

export const openSecrets = (
  { seal }: Pick<Context, 'seal'>,
  { uuid, secrets }: { uuid: string; secrets: Buffer | null },
): Secrets => (secrets ? { ...none, ...JSON.parse(seal.open(locationOf(uuid), secrets)) } : none)

export const closeSecrets = ({ seal }: Pick<Context, 'seal'>, uuid: string, secrets: Secrets): Buffer =>
  seal.close(
    locationOf(uuid),
    JSON.stringify({
      ...Object.fromEntries(secretNames.map((name) => [name, secrets[name]])),
      replacePassword: secrets.replacePassword ?? false,
    }),
  )

/** What is sent replaces, an empty text clears, what is left out stays; with the names of what was sent. */
export function replaceSecrets(
  stored: Secrets,
  input: { [Name in keyof Typed]?: Typed[Name] | undefined } & {
    serverReplacePassword?: boolean | undefined
  },
) {
  const replaced = given(input, secretNames)
  const { serverReplacePassword: replacePassword } = input
  const secrets: Secrets = {
    ...stored,
    ...replaced,
    ...(replacePassword !== undefined && { replacePassword }),
  }
  return { secrets, names: Object.keys({ ...replaced, ...given(input, ['serverReplacePassword']) }) }
}

/** A host learns a password by being sent it, so only the machine that it was entered for is; a key it never learns. */
export const withoutPassword = (secrets: Secrets): Secrets => ({
  ...secrets,
  serverSSHPassword: '',
  replacePassword: false,
})

/** What may be said of them: whether there are any. */
export const secretsThere = (secrets: Secrets) => ({
  serverHasSSHSecret: secrets.serverSSHPassword !== '' || secrets.serverSSHKey !== '',
  serverHasHostingSecret: secrets.serverHostingPassword !== '',
})
