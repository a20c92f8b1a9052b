import type { Context } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { lockUserByEmail, setPasswordHash } from '../users/users.ts'
import { endSessions } from './auth.ts'
import * as throttle from './throttle.ts'

export async function resetPassword(
  ctx: Context,
  by: Actor,
  email: string,
  password: string,
): Promise<boolean> {
  const password_hash = await ctx.passwords.hash(password)
  const isDone = await ctx.atomically(async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user) return false
    await setPasswordHash(tx, user.id, password_hash)
    // Recorded first, because the caller's session may be among those that end.
    await record(ctx, tx, by, 'resetpassword', email)
    await endSessions(ctx, tx, user.id)
    return true
  })
  if (isDone) await throttle.forgetGuesses(ctx, email)
  return isDone
}
