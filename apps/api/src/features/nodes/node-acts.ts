import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { revokeNodeCertificates } from '../authority/authority.ts'
import { forgetCertificates } from '../hosts/host-keys.ts'
import { findAnyHost, type HeardHost, holdHost } from '../hosts/kinds.ts'
import { lockList, setMayShrink } from './desired.store.ts'

const allowedFor = 10 * 60_000

async function lockNode(ctx: Context, tx: Db, uuid: string): Promise<HeardHost> {
  const host = await findAnyHost(ctx.db, uuid)
  if (!host) throw new Refusal('RESOURCE_NOT_FOUND')
  await holdHost(tx, host)
  return host
}

/** Applies to the next list only; a further one needs another decision. */
export const allowSmallerList = (ctx: Context, by: Actor, uuid: string): Promise<void> =>
  ctx.atomically(async (tx) => {
    const { kind } = await lockNode(ctx, tx, uuid)
    const { may_shrink_until: from } = await lockList(tx, uuid)
    const to = new Date(ctx.clock.now().getTime() + allowedFor)
    await setMayShrink(tx, uuid, to)
    await record(ctx, tx, by, 'allowshrink', uuid, {
      from: from?.toISOString() ?? null,
      to: to.toISOString(),
      kind,
    })
  })

/** The agent is refused at once, also during a long poll. A new provisioning run issues a valid certificate. */
export const revokeHost = (ctx: Context, by: Actor, uuid: string): Promise<void> =>
  ctx.atomically(async (tx) => {
    const { kind } = await lockNode(ctx, tx, uuid)
    const count = await revokeNodeCertificates(ctx, tx, uuid)
    // Its key may be known to somebody else.
    await forgetCertificates(tx, uuid)
    await record(ctx, tx, by, 'revokenode', uuid, { from: 'good', to: 'revoked', certificates: count, kind })
  })
