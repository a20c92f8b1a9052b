import { Refusal, type UserDetail } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { countByState } from '../accounts/accounts.ts'
import { lastSeenOf } from '../auth/auth.ts'
import { findUserByEmail, userOf } from '../users/users.ts'

export async function detailOf(ctx: Context, userEmail: string, db: Db = ctx.db): Promise<UserDetail> {
  const user = await findUserByEmail(db, userEmail)
  if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
  return {
    ...(await userOf(db, user.id)),
    userSuspendedDate: user.suspended_at?.toISOString() ?? null,
    userSuspendedReason: user.suspended_reason,
    userAccountsClosed: user.accounts_closed,
    userLastSeenDate: (await lastSeenOf(db, user.id))?.toISOString() ?? null,
    accountsByState: await countByState(db, user.id, ctx.clock.now()),
  }
}
