import { type AnyAccount, type getAnyAccounts, type Input, type Language, Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { findUserByEmail } from '../users/users.ts'
import { listAnyAccounts } from './account-list.store.ts'
import { toAnyAccount, toAnyWay } from './account-shape.ts'
import { findAnyAccount } from './any-account.store.ts'
import { waysOf } from './further-ways.store.ts'

export async function findAnyAccounts(
  ctx: Context,
  { userEmail, serverUUID: server, tunnelUUID: tunnel, limit = 50, ...query }: Input<typeof getAnyAccounts>,
  lng: Language,
) {
  const user = userEmail === undefined ? null : await findUserByEmail(ctx.db, userEmail)
  if (user === undefined) return { items: [], total: 0, nextCursor: null }
  const now = ctx.clock.now()
  const owner = user?.id ?? 'anyone'
  const { rows, ...page } = await listAnyAccounts(ctx.db, { ...query, owner, server, tunnel, limit, now })
  return { items: rows.map((row) => toAnyAccount(row, lng, now)), ...page }
}

export async function getAnyAccount(ctx: Context, uuid: string, lng: Language): Promise<AnyAccount> {
  const row = await findAnyAccount(ctx.db, uuid)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  const ways = await waysOf(ctx.db, uuid)
  return { ...toAnyAccount(row, lng, ctx.clock.now()), accountWays: ways.map((way) => toAnyWay(way, lng)) }
}
