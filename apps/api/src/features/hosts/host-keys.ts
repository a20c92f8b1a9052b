import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { fingerprintOf } from '../../lib/openssh.ts'
import { type Actor, record } from '../audit/audit.ts'
import * as store from './host-keys.store.ts'
import { findTarget } from './hosts.store.ts'
import { actionOf, type Host, holdHost } from './kinds.ts'

export { forgetCertificates, forgetTraces, noteTrust } from './host-keys.store.ts'

export interface PinnedKey {
  key: string
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
  firstSeenDate: string
  /** The product's SSH key was installed in place of a password. */
  trustsProduct: boolean
}

export async function hostKeyOf(db: Db, { kind, uuid }: Host): Promise<PinnedKey | null> {
  const [pinned, target] = [await store.findHostKey(db, uuid), await findTarget(db, kind, uuid)]
  return pinned && pinned.address === target?.ipv4 ? toPinned(pinned) : null
}

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
 * Unpins the key, so that the next run pins the key it meets. Only after an administrator has confirmed that the
 * machine was reinstalled. The other services of the machine forget it too. RESOURCE_NOT_FOUND if no key is pinned.
 */
export async function acceptHostKey(ctx: Context, tx: Db, by: Actor, host: Host): Promise<void> {
  const { ipv4 } = await holdHost(tx, host)
  const forgottenKey = await store.findHostKey(tx, host.uuid)
  if (forgottenKey?.address !== ipv4) throw new Refusal('RESOURCE_NOT_FOUND')
  await store.forgetMachineKey(tx, forgottenKey)
  await record(ctx, tx, by, actionOf(host.kind, 'acceptKey'), host.uuid, {
    from: forgottenKey.fingerprint,
    to: null,
  })
}
