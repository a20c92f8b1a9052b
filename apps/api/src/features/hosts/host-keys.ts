import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { fingerprintOf } from '../../lib/openssh.ts'
import { type By, record } from '../audit/audit.ts'
import * as store from './host-keys.store.ts'
import { findTarget } from './hosts.store.ts'
import { actionOf, type Host, holdHost } from './kinds.ts'

export { forgetTraces, noteTrust } from './host-keys.store.ts'

export interface PinnedKey {
  /** As in known_hosts, without the address. */
  key: string
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
  firstSeenDate: string
  /** Whether the product's own key was put there, in place of a password. */
  trustsProduct: boolean
}

/** Who answered at the host's present address when it was first reached there; null while nobody has. */
export async function hostKeyOf(db: Db, { kind, uuid }: Host): Promise<PinnedKey | null> {
  const [pinned, target] = [await store.findHostKey(db, uuid), await findTarget(db, kind, uuid)]
  return pinned && pinned.address === target?.ipv4 ? toPinned(pinned) : null
}

/** Of a host that may be removed by now. */
export async function hostKeyAt(db: Db, hostUuid: string, address: string): Promise<PinnedKey | null> {
  const pinned = await store.findHostKey(db, hostUuid)
  return pinned?.address === address ? toPinned(pinned) : null
}

const toPinned = ({ key, fingerprint, first_seen_at, trusts_product }: store.HostKeyRecord): PinnedKey => ({
  key,
  fingerprint,
  firstSeenDate: first_seen_at.toISOString(),
  trustsProduct: trusts_product,
})

/** At the first contact with an address; the one that is pinned by then. */
export async function pinHostKey(
  ctx: Context,
  hostUuid: string,
  address: string,
  key: string,
): Promise<PinnedKey | null> {
  await store.keepHostKey(ctx.db, {
    host_uuid: hostUuid,
    address,
    key,
    fingerprint: fingerprintOf(key),
    first_seen_at: ctx.clock.now(),
  })
  return hostKeyAt(ctx.db, hostUuid, address)
}

/**
 * Forgets who was known to answer: the next run pins whoever answers then. Only on somebody's word, who has seen that the
 * machine was set up anew. RESOURCE_NOT_FOUND when nothing is pinned.
 */
export async function acceptHostKey(ctx: Context, tx: Db, by: By, host: Host): Promise<void> {
  await holdHost(tx, host)
  const forgotten = await store.forgetHostKey(tx, host.uuid)
  if (!forgotten) throw new Refusal('RESOURCE_NOT_FOUND')
  await record(ctx, tx, by, actionOf(host.kind, 'acceptKey'), host.uuid, {
    from: forgotten.fingerprint,
    to: null,
  })
}
