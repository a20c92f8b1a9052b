import { Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import type { Actor } from '../audit/audit.ts'
import { acceptHostKey, hostKeyOf, type PinnedKey } from './host-keys.ts'
import { findHost } from './hosts.store.ts'
import { announceHost, type Host, holdHost } from './kinds.ts'

const keyReply = (pinned: PinnedKey | null) => ({
  hostKeyFingerprint: pinned?.fingerprint ?? '',
  hostKeyDate: pinned?.firstSeenDate ?? null,
  hostKeyTrustsProduct: pinned?.trustsProduct ?? false,
})

export async function readHostKey(ctx: Context, host: Host) {
  if (!(await findHost(ctx.db, host.kind, host.uuid))) throw new Refusal('RESOURCE_NOT_FOUND')
  return keyReply(await hostKeyOf(ctx.db, host))
}

/** Only after an administrator has seen which key is pinned now. */
export const acceptNewHostKey = (
  ctx: Context,
  by: Actor,
  host: Host,
  basedOn: { hostKeyFingerprint?: string | undefined } | undefined,
) =>
  ctx.atomically(async (tx) => {
    const { state } = await holdHost(tx, host)
    requireAsSeen(basedOn, keyReply(await hostKeyOf(tx, host)))
    await acceptHostKey(ctx, tx, by, host)
    await announceHost(ctx, tx, host, state)
    return keyReply(null)
  })
