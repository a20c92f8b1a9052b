import { isAdminLevel, limits, Refusal, type User } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { type By, record } from '../audit/audit.ts'
import { endSessions } from '../auth/auth.ts'
import { lockAdminsAnd } from './users.store.ts'
import { updateUser, userOf } from './users.ts'

/** Everybody keeps at least one administrator; whoever's level changes signs in again. */
export const setLevel = (ctx: Context, by: By, userEmail: string, level: number): Promise<User> =>
  ctx.atomically(async (tx) => {
    const locked = await lockAdminsAnd(tx, userEmail, limits.adminLevelAbove)
    const user = locked.find(({ email }) => email === userEmail)
    if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
    const admins = locked.filter((one) => isAdminLevel(one.level))
    const isLastAdmin = admins.length === 1 && admins[0] === user
    if (isLastAdmin && !isAdminLevel(level)) throw new Refusal('LAST_ADMIN')
    await updateUser(tx, user.id, { level })
    // Before the sessions end: the one that asks may be among them.
    await record(ctx, tx, by, 'setuserlevel', user.email, { from: user.level, to: level })
    await endSessions(ctx, tx, user.id)
    return userOf(tx, user.id)
  })
