import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import type { Context } from '../../context.ts'
import { hostKeyAt, type PinnedKey } from '../hosts/host-keys.ts'
import { productKey } from './product-key.ts'
import type { Subject } from './subject.ts'

export type WayIn = { sudo: { password: string } | null } & (
  | { by: 'local' }
  | { by: 'password'; user: string; password: string; key: string; pinned: PinnedKey | null }
  | { by: 'key'; user: string; key: string; pinned: PinnedKey | null }
)

/** Only if the operator allows it; otherwise anyone who may add a server would control this machine. */
export const isThisMachine = ({ config }: Context, address: string): boolean =>
  config.KELID_ALLOW_LOCAL_HOST &&
  Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === address))

export const ownHostKey = async (): Promise<string> =>
  (await readFile('/etc/ssh/ssh_host_ed25519_key.pub', 'utf8').catch(() => ''))
    .split(' ')
    .slice(0, 2)
    .join(' ')
    .trim()

/** Prefers the host's own key, then its password until the product's key replaces it, then the product's key. */
export async function wayInto(
  ctx: Context,
  { uuid, ipv4, access, pinned: pinnedBefore }: Subject,
): Promise<WayIn> {
  if (isThisMachine(ctx, ipv4))
    return { by: 'local', sudo: process.getuid?.() === 0 ? null : { password: '' } }
  const { user, password, key, replacesPassword } = access
  const sudo = user === 'root' ? null : { password }
  const pinned = pinnedBefore ?? (await hostKeyAt(ctx.db, uuid, ipv4))
  if (key) return { by: 'key', user, key: asFile(key), sudo, pinned }
  const { privateKey } = await productKey(ctx)
  const isReplaced = replacesPassword && pinned?.trustsProduct === true
  if (!password || isReplaced) return { by: 'key', user, key: privateKey, sudo, pinned }
  // A failed run may have installed the key already, so the key is tried before the password.
  return { by: 'password', user, password, key: replacesPassword ? privateKey : '', sudo, pinned }
}

/** ssh rejects keys with Windows line ends or without a final line end. */
const asFile = (key: string) => `${key.replace(/\r\n?/g, '\n').trim()}\n`

export const secretsOf = (way: WayIn): string[] =>
  [
    way.sudo?.password ?? '',
    way.by === 'password' ? way.password : '',
    way.by === 'local' ? '' : way.key,
  ].filter(Boolean)
