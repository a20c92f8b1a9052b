import { type endUserSessions, type Input, Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { findUserByEmail, lockUserByEmail } from '../users/users.ts'
import { type Caller, endSession, endSessions, listSessions } from './auth.ts'
import { randomPassword } from './first-start.ts'
import { resetPassword } from './reset-password.ts'

const notFound = () => new Refusal('RESOURCE_NOT_FOUND')

export async function listUserSessions(ctx: Context, caller: Caller, userEmail: string) {
  const user = await findUserByEmail(ctx.db, userEmail)
  if (!user) throw notFound()
  return listSessions(ctx, caller, { userId: user.id, level: user.level })
}

export const endSessionsOf = (
  ctx: Context,
  by: Actor,
  { userEmail, sessionId }: Input<typeof endUserSessions>,
): Promise<void> =>
  ctx.atomically(async (tx) => {
    const user = await lockUserByEmail(tx, userEmail)
    if (!user) throw notFound()
    // Recorded first, because the caller's session may be among those that end.
    await record(ctx, tx, by, 'endusersessions', user.email, { session: sessionId ?? 'all' })
    if (sessionId === undefined) await endSessions(ctx, tx, user.id)
    else await endSession(ctx, tx, user.id, sessionId)
  })

export async function replacePassword(ctx: Context, by: Actor, userEmail: string) {
  const password = randomPassword()
  if (!(await resetPassword(ctx, by, userEmail, password))) throw notFound()
  return { userEmail, password }
}
