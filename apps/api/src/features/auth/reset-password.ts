import type { Context } from '../../context.ts'
import { type By, record } from '../audit/audit.ts'
import { lockUserByEmail, setPasswordHash } from '../users/users.ts'
import { endSessions } from './auth.ts'
import * as throttle from './throttle.ts'

/** For whoever has lost theirs: a new password, every session ends, and earlier failures no longer count. */
export async function resetPassword(ctx: Context, by: By, email: string, password: string): Promise<boolean> {
  const password_hash = await ctx.passwords.hash(password)
  const isDone = await ctx.atomically(async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user) return false
    await setPasswordHash(tx, user.id, password_hash)
    // Before the sessions end: the one that asks may be among them.
    await record(ctx, tx, by, 'resetpassword', email)
    await endSessions(ctx, tx, user.id)
    return true
  })
  if (isDone) await throttle.forgetGuesses(ctx, email)
  return isDone
}
