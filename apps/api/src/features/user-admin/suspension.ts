import { type Input, Refusal, type setUserSuspended, type UserDetail } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { closeAccounts, countByState, reopenAccounts } from '../accounts/accounts.ts'
import { type Actor, record } from '../audit/audit.ts'
import { endSessions, lastSeenOf } from '../auth/auth.ts'
import { findUserByEmail, updateUser, userOf } from '../users/users.ts'
import { lockAmongAdmins } from './last-admin.ts'

/** On request it also disables the user's accounts; the end of the suspension enables exactly those again. */
export const setSuspended = (
  ctx: Context,
  by: Actor,
  { userEmail, userSuspended, closeAccounts: isClosing, reason, basedOn }: Input<typeof setUserSuspended>,
): Promise<UserDetail> =>
  ctx.atomically(async (tx) => {
    const { user, isLastAdmin } = await lockAmongAdmins(tx, userEmail)
    const from = user.suspended_at !== null
    requireAsSeen({ from: basedOn }, { from })
    if (userSuspended && userEmail === by.email) throw new Refusal('OWN_SUSPENSION')
    if (userSuspended && isLastAdmin) throw new Refusal('LAST_ADMIN')

    const accounts_closed = userSuspended && (isClosing ?? user.accounts_closed)
    await updateUser(tx, user.id, {
      suspended_at: userSuspended ? (user.suspended_at ?? ctx.clock.now()) : null,
      suspended_reason: userSuspended ? reason : '',
      accounts_closed,
    })
    const accountsChanged = await (accounts_closed ? closeAccounts : reopenAccounts)(tx, user.id)
    await record(ctx, tx, by, 'setusersuspended', user.email, {
      from,
      to: userSuspended,
      accountsClosed: accounts_closed,
      accountsChanged,
      reason,
    })
    if (userSuspended) await endSessions(ctx, tx, user.id)
    return detailOf(ctx, user.email, tx)
  })

export async function detailOf(ctx: Context, userEmail: string, db: Db = ctx.db): Promise<UserDetail> {
  const user = await findUserByEmail(db, userEmail)
  if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
  return {
    ...(await userOf(db, user.id)),
    userContact: user.contact,
    userSuspendedDate: user.suspended_at?.toISOString() ?? null,
    userSuspendedReason: user.suspended_reason,
    userAccountsClosed: user.accounts_closed,
    userLastSeenDate: (await lastSeenOf(db, user.id))?.toISOString() ?? null,
    accountsByState: await countByState(db, user.id, ctx.clock.now()),
  }
}
