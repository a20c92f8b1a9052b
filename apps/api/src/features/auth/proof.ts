import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import * as users from '../users/users.ts'
import * as sessions from './sessions.store.ts'
import * as throttle from './throttle.ts'

interface Holder {
  readonly userId: number
  readonly sessionId: string
}

/** The session may have ended while the call waited: after a change of level, a new password or a sign-out. */
export async function refuseEnded(tx: Db, { sessionId }: Holder): Promise<void> {
  if (!(await sessions.isOpen(tx, sessionId))) throw new Refusal('UNAUTHENTICATED')
}

const guessesOf = ({ userId }: Holder): throttle.Count => ['perAccount', `change:${userId}`]

/** Wrong codes have their own count, which only a correct code clears. */
const codesOf = ({ userId }: Holder): throttle.Count => ['secondFactor', `session:${userId}`]

export const countCode = (ctx: Context, holder: Holder): Promise<void> =>
  throttle.allow(ctx, ...codesOf(holder))

export const clearCodes = (ctx: Context, tx: Db, holder: Holder): Promise<void> =>
  throttle.forget(ctx, ...codesOf(holder), tx)

type Work<T> = (tx: Db, user: users.LockedUser) => Promise<T>

/** Holds the user's lock and requires an open session. Success clears the failed attempts. */
async function inTurn<T>(ctx: Context, holder: Holder, work: Work<T>): Promise<T> {
  const result = await ctx.atomically(async (tx) => {
    const user = await users.lockUser(tx, holder.userId)
    await refuseEnded(tx, holder)
    return work(tx, user)
  })
  await throttle.forget(ctx, ...guessesOf(holder))
  return result
}

/** For acts that need more than a session: a thief of the session is throttled. */
export async function guarded<T>(ctx: Context, holder: Holder, work: Work<T>): Promise<T> {
  await throttle.allow(ctx, ...guessesOf(holder))
  return inTurn(ctx, holder, work)
}

/** Returns a function that executes the act if the password is still the same. */
export async function confirmPassword(ctx: Context, holder: Holder, password: string) {
  await throttle.allow(ctx, ...guessesOf(holder))
  const checkedUser = await users.findUser(ctx.db, holder.userId)
  if (!(await ctx.passwords.matches(checkedUser?.password_hash, password))) {
    // If another session changed the password, it ended this one, and the caller must learn that.
    await refuseEnded(ctx.db, holder)
    throw new Refusal('WRONG_CREDENTIALS')
  }
  return <T>(work: Work<T>): Promise<T> =>
    inTurn(ctx, holder, (tx, user) => {
      if (user.password_hash !== checkedUser?.password_hash) throw new Refusal('WRONG_CREDENTIALS')
      return work(tx, user)
    })
}
