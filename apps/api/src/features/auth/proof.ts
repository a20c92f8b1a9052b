import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import * as users from '../users/users.ts'
import * as sessions from './sessions.store.ts'
import * as throttle from './throttle.ts'

interface Holder {
  readonly userId: number
  readonly sessionId: string
}

/** While a call waits for its turn, its session may end: by a change of level, a new password or signing out. */
export async function refuseEnded(tx: Db, { sessionId }: Holder): Promise<void> {
  if (!(await sessions.isOpen(tx, sessionId))) throw new Refusal('UNAUTHENTICATED')
}

const guessesOf = ({ userId }: Holder): throttle.Count => ['perAccount', `change:${userId}`]

/** Wrong codes of a second factor count apart: only a right code clears them, and a new password does not. */
const codesOf = ({ userId }: Holder): throttle.Count => ['secondFactor', `session:${userId}`]

export const countCode = (ctx: Context, holder: Holder): Promise<void> =>
  throttle.allow(ctx, ...codesOf(holder))

export const clearCodes = (ctx: Context, tx: Db, holder: Holder): Promise<void> =>
  throttle.forget(ctx, ...codesOf(holder), tx)

type Work<T> = (tx: Db, user: users.LockedUser) => Promise<T>

/** Under the user's lock, while the session is open. Once it has succeeded, what was guessed before counts no more. */
async function inTurn<T>(ctx: Context, holder: Holder, work: Work<T>): Promise<T> {
  const result = await ctx.atomically(async (tx) => {
    const user = await users.lockUser(tx, holder.userId)
    await refuseEnded(tx, holder)
    return work(tx, user)
  })
  await throttle.forget(ctx, ...guessesOf(holder))
  return result
}

/** For what a session alone is not enough for: whoever has stolen one guesses ever more slowly. */
export async function guarded<T>(ctx: Context, holder: Holder, work: Work<T>): Promise<T> {
  await throttle.allow(ctx, ...guessesOf(holder))
  return inTurn(ctx, holder, work)
}

/** Checks the password of whoever is signed in. What comes back does what it was asked for, if it is still the same. */
export async function provePassword(ctx: Context, holder: Holder, password: string) {
  await throttle.allow(ctx, ...guessesOf(holder))
  const proven = await users.findUser(ctx.db, holder.userId)
  if (!(await ctx.passwords.matches(proven?.password_hash, password))) {
    // A password that another session has just changed ended this one too: that is what its holder has to know.
    await refuseEnded(ctx.db, holder)
    throw new Refusal('WRONG_CREDENTIALS')
  }
  return <T>(work: Work<T>): Promise<T> =>
    inTurn(ctx, holder, (tx, user) => {
      if (user.password_hash !== proven?.password_hash) throw new Refusal('WRONG_CREDENTIALS')
      return work(tx, user)
    })
}
