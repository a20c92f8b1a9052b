import { isAdminLevel, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { networkOf } from '../../lib/addresses.ts'
import { record } from '../audit/audit.ts'
import { secondFactorOf, takeCode } from '../second-factor/second-factor.ts'
import * as users from '../users/users.ts'
import { nobody, type Origin, openSession } from './auth.ts'
import { knowsAddress, rememberAddress } from './throttle.store.ts'
import * as throttle from './throttle.ts'

interface Credentials {
  email: string
  password: string
  secondFactorCode?: string | undefined
}

export async function signIn(
  ctx: Context,
  origin: Origin,
  { email, password, secondFactorCode }: Credentials,
): Promise<{ token: string; userLevel?: number }> {
  const user = await users.findUserByEmail(ctx.db, email)
  const userId = user?.id ?? nobody
  await throttle.refuseWaiting(ctx, 'sessions', String(userId))
  const network = networkOf(origin.address)
  const isKnownAddress = await knowsAddress(ctx.db, userId, network)
  const atHome: throttle.Count = ['atKnownAddress', throttle.accountAt(email, origin.address)]
  const forAccount: throttle.Count = ['perAccount', email]
  const counts = isKnownAddress ? [atHome] : [forAccount, ['perAddress', origin.address] as const]
  const isRight = await throttle.attempt(ctx, counts, () =>
    ctx.passwords.matches(user?.password_hash, password),
  )
  if (!user || !isRight) {
    await ctx.atomically((tx) => record(ctx, tx, { email, address: origin.address }, 'signin-failed', email))
    throw new Refusal('WRONG_CREDENTIALS')
  }
  // Counted too, because a suspended user needs no further attempts.
  if (user.suspended_at) throw new Refusal('ACCOUNT_SUSPENDED')
  const outcome = await ctx.atomically(async (tx) => {
    const { password_hash, level } = await users.lockUser(tx, user.id, 'ACCOUNT_SUSPENDED')
    if (password_hash !== user.password_hash) throw new Refusal('WRONG_CREDENTIALS')
    const isAdmin = isAdminLevel(level)
    const refusal =
      isAdmin &&
      (await refusalOfCode(ctx, tx, origin, { ...user, isKnown: isKnownAddress }, secondFactorCode))
    if (refusal) return refusal
    await rememberAddress(tx, user.id, network, ctx.clock.now())
    const token = await openSession(ctx, tx, user.id, origin)
    await record(ctx, tx, { email, address: origin.address }, 'signin', email)
    return { token, ...(isAdmin && { userLevel: level }) }
  })
  // A correct password without a code does not clear the account's failures.
  const isIn = typeof outcome === 'object'
  if (isIn) await throttle.forget(ctx, ...(isKnownAddress ? atHome : forAccount))
  if (!isKnownAddress && outcome !== 'WRONG_CODE') await throttle.giveBack(ctx, 'perAddress', origin.address)
  if (!isIn) throw new Refusal(outcome)
  return outcome
}

/** Runs in the transaction that opens the session, so each code opens one session only. */
async function refusalOfCode(
  ctx: Context,
  tx: Db,
  { address }: Origin,
  { id, email, isKnown }: { id: number; email: string; isKnown: boolean },
  code: string | undefined,
): Promise<'SECOND_FACTOR_REQUIRED' | 'WRONG_CODE' | null> {
  const factor = await secondFactorOf(tx, id)
  if (!factor) return null
  if (code === undefined) return 'SECOND_FACTOR_REQUIRED'
  const guesses: throttle.Count = ['secondFactor', isKnown ? throttle.accountAt(email, address) : email]
  await throttle.allow(ctx, ...guesses, tx)
  const proof = await takeCode(ctx, tx, factor, code)
  if (proof) await throttle.forget(ctx, ...guesses, tx)
  if (proof === 'recovery') await record(ctx, tx, { email, address }, 'userecoverycode', email)
  if (!proof) await record(ctx, tx, { email, address }, 'signin-failed', email, { code: 'wrong' })
  return proof ? null : 'WRONG_CODE'
}
