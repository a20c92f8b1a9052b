import { type Input, Refusal, type setUserSuspended, type UserDetail } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { closeAccounts, reopenAccounts } from '../accounts/accounts.ts'
import { type Actor, record } from '../audit/audit.ts'
import { endSessions } from '../auth/auth.ts'
import { updateUser } from '../users/users.ts'
import { lockAmongAdmins } from './last-admin.ts'
import { detailOf } from './user-detail.ts'

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
