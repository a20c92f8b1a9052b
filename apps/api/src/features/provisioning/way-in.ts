import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import type { Context } from '../../context.ts'
import { hostKeyAt, type PinnedKey } from '../hosts/host-keys.ts'
import { productKey } from './product-key.ts'
import type { Subject } from './subject.ts'

/** How a run comes to its host, and what it may do there. */
export type WayIn = { sudo: { password: string } | null } & (
  | { by: 'local' }
  | { by: 'password'; user: string; password: string; key: string; pinned: PinnedKey | null }
  | { by: 'key'; user: string; key: string; pinned: PinnedKey | null }
)

/** Only where the operator allows it: whoever may add a server would otherwise command the machine of the product. */
export const isThisMachine = ({ config }: Context, address: string): boolean =>
  config.KELID_ALLOW_LOCAL_HOST &&
  Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === address))

/** Of this machine; empty where it has none. */
export const ownHostKey = async (): Promise<string> =>
  (await readFile('/etc/ssh/ssh_host_ed25519_key.pub', 'utf8').catch(() => ''))
    .split(' ')
    .slice(0, 2)
    .join(' ')
    .trim()

/** The host's own key, or its password until the product's key is in its place, or that. */
export async function wayInto(ctx: Context, { uuid, ipv4, access, pinned: known }: Subject): Promise<WayIn> {
  if (isThisMachine(ctx, ipv4))
    return { by: 'local', sudo: process.getuid?.() === 0 ? null : { password: '' } }
  const { user, password, key, replacesPassword } = access
  const sudo = user === 'root' ? null : { password }
  const pinned = known ?? (await hostKeyAt(ctx.db, uuid, ipv4))
  if (key) return { by: 'key', user, key: asFile(key), sudo, pinned }
  const { privateKey } = await productKey(ctx)
  const isReplaced = replacesPassword && pinned?.trustsProduct === true
  if (!password || isReplaced) return { by: 'key', user, key: privateKey, sudo, pinned }
  // A run that failed may have put the key in the password's place already: the key is tried first, then the password.
  return { by: 'password', user, password, key: replacesPassword ? privateKey : '', sudo, pinned }
}

/** ssh refuses a key that was pasted with the line ends of Windows or without its last one. */
const asFile = (key: string) => `${key.replace(/\r\n?/g, '\n').trim()}\n`

export const secretsOf = (way: WayIn): string[] =>
  [
    way.sudo?.password ?? '',
    way.by === 'password' ? way.password : '',
    way.by === 'local' ? '' : way.key,
  ].filter(Boolean)
