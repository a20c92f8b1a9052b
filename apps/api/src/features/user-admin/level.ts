import { isAdminLevel, Refusal, type User } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { type Actor, record } from '../audit/audit.ts'
import { endSessions } from '../auth/auth.ts'
import { updateUser, userOf } from '../users/users.ts'
import { lockAmongAdmins } from './last-admin.ts'

interface LevelChange {
  userEmail: string
  value: number
  basedOn?: number | undefined
}

/** At least one administrator remains; the user must sign in again. */
export const setLevel = (
  ctx: Context,
  by: Actor,
  { userEmail, value: level, basedOn }: LevelChange,
): Promise<User> =>
  ctx.atomically(async (tx) => {
    const { user, isLastAdmin } = await lockAmongAdmins(tx, userEmail)
    requireAsSeen({ level: basedOn }, user)
    if (isLastAdmin && !isAdminLevel(level)) throw new Refusal('LAST_ADMIN')
    await updateUser(tx, user.id, { level })
    // Recorded first, because the caller's session may be among those that end.
    await record(ctx, tx, by, 'setuserlevel', user.email, { from: user.level, to: level })
    await endSessions(ctx, tx, user.id)
    return userOf(tx, user.id)
  })
