import { randomUUID } from 'node:crypto'
import { type Access, day, isAdminLevel, limits, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { networkOf } from '../../lib/addresses.ts'
import { clip, plain } from '../../lib/text.ts'
import { hashOf, randomToken } from '../../lib/tokens.ts'
import { type By, record } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import * as users from '../users/users.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { isAlive, lifeOf, touchAfter } from './session-life.ts'
import * as sessions from './sessions.store.ts'
import { forgetOld, knowsAddress, rememberAddress } from './throttle.store.ts'
import * as throttle from './throttle.ts'

/** The signed-in user behind a request, as the database has them now. */
export interface Caller {
  readonly userId: number
  readonly email: string
  readonly phone: string | null
  readonly level: number
  readonly sessionId: string
}

/** From where a request came, for throttling, sessions and the audit log. */
export interface Origin {
  readonly address: string
  readonly userAgent: string
}

const newUserLevel = 1
/** Stands for an e-mail that nobody has, so that the same questions are asked of the database for it. */
export const nobody = 0

/**
 * The one door: nobody passes without the access that the contract names for the route. A look that is no use, such as
 * a stream that stays open, does not keep a session from ending.
 */
export async function admit(
  ctx: Context,
  access: Access,
  token: string | null,
  { isUse = true } = {},
): Promise<Caller | null> {
  if (access === 'anyone') return null
  const session = token ? await sessions.findSession(ctx.db, hashOf(token)) : undefined
  const now = ctx.clock.now()
  if (!session) throw new Refusal('UNAUTHENTICATED')
  if (!isAlive(session, now)) {
    // Or it would come to life again when the clock is set back.
    await sessions.deleteSession(ctx.db, session.user_id, session.id)
    throw new Refusal('UNAUTHENTICATED')
  }
  if (access === 'admin' && !isAdminLevel(session.level)) throw new Refusal('ACCESS_DENIED')
  if (isUse && now.getTime() - session.last_seen_at.getTime() > touchAfter)
    await sessions.touchSession(ctx.db, session.id, now)
  const { user_id, email, phone, level, id } = session
  return { userId: user_id, email, phone, level, sessionId: id }
}

/** While a call waits for its turn, its session may end: by a change of level, a new password or signing out. */
async function refuseEnded(tx: Db, { sessionId }: Caller): Promise<void> {
  if (!(await sessions.isOpen(tx, sessionId))) throw new Refusal('UNAUTHENTICATED')
}

export const byOf = (caller: Caller, { address }: Origin): By => ({
  email: caller.email,
  address,
  confirm: (tx) => refuseEnded(tx, caller),
})

export async function signUp(
  ctx: Context,
  origin: Origin,
  { email, password }: { email: string; password: string },
): Promise<void> {
  refuseCommonPassword(password)
  const password_hash = await throttle.attempt(ctx, [['signUps', origin.address]], () =>
    ctx.passwords.hash(password),
  )
  await ctx.atomically(async (tx) => {
    const user = await users.insertUser(tx, {
      email,
      password_hash,
      level: newUserLevel,
      created_at: ctx.clock.now(),
    })
    if (!user) throw new Refusal('EMAIL_TAKEN')
    await record(ctx, tx, { email, address: origin.address }, 'signup', email)
  })
}

export async function signIn(
  ctx: Context,
  origin: Origin,
  { email, password }: { email: string; password: string },
): Promise<{ token: string }> {
  const user = await users.findUserByEmail(ctx.db, email)
  const userId = user?.id ?? nobody
  await throttle.refuseWaiting(ctx, 'sessions', String(userId))
  const network = networkOf(origin.address)
  const isKnown = await knowsAddress(ctx.db, userId, network)
  const here = throttle.accountAt(email, origin.address)
  const counts: throttle.Count[] = isKnown
    ? [['atKnownAddress', here]]
    : [
        ['perAccount', email],
        ['perAddress', origin.address],
      ]
  const isRight = await throttle.attempt(ctx, counts, () =>
    ctx.passwords.matches(user?.password_hash, password),
  )
  if (!user || !isRight) {
    await ctx.atomically((tx) => record(ctx, tx, { email, address: origin.address }, 'signin-failed', email))
    throw new Refusal('WRONG_CREDENTIALS')
  }
  // Still counted: whoever is kept out has no use for many tries.
  if (user.suspended_at) throw new Refusal('ACCOUNT_SUSPENDED')
  if (isKnown) await throttle.forget(ctx, 'atKnownAddress', here)
  else {
    await throttle.forget(ctx, 'perAccount', email)
    await throttle.giveBack(ctx, 'perAddress', origin.address)
  }
  return ctx.atomically(async (tx) => {
    const { password_hash } = await users.lockUser(tx, user.id, 'ACCOUNT_SUSPENDED')
    if (password_hash !== user.password_hash) throw new Refusal('WRONG_CREDENTIALS')
    await rememberAddress(tx, user.id, network, ctx.clock.now())
    const token = await openSession(ctx, tx, user.id, origin)
    await record(ctx, tx, { email, address: origin.address }, 'signin', email)
    return { token }
  })
}

/**
 * One at a time for each user, or sessions opened at once would not see each other and pass the limit; and not many in
 * a row, however they were opened.
 */
export async function openSession(ctx: Context, tx: Db, userId: number, origin: Origin): Promise<string> {
  await users.lockUser(tx, userId, 'ACCOUNT_SUSPENDED')
  await throttle.allow(ctx, 'sessions', String(userId), tx)
  const token = randomToken(256)
  const now = ctx.clock.now()
  const session = {
    id: randomUUID(),
    user_id: userId,
    token_hash: hashOf(token),
    created_at: now,
    last_seen_at: now,
    user_agent: clip(plain(origin.userAgent), 200),
    address: origin.address,
  }
  await sessions.insertSession(tx, session, limits.sessionsPerUser)
  await announce(ctx, tx, userId, [{ type: 'sessions' }])
  return token
}

/** Ends every session of a user, or every other one. Streams that hang on them end with it. */
export async function endSessions(ctx: Context, tx: Db, userId: number, except?: string): Promise<void> {
  await sessions.deleteSessionsOf(tx, userId, except)
  await announce(ctx, tx, userId, [{ type: 'sessions' }])
}

export const signOut = (ctx: Context, caller: Caller): Promise<void> =>
  revokeSession(ctx, caller, caller.sessionId)

export const revokeSession = (ctx: Context, caller: Caller, sessionId: string): Promise<void> =>
  ctx.atomically((tx) => endSession(ctx, tx, caller.userId, sessionId))

export async function endSession(ctx: Context, tx: Db, userId: number, sessionId: string): Promise<void> {
  const isGone = await sessions.deleteSession(tx, userId, sessionId)
  if (!isGone) throw new Refusal('RESOURCE_NOT_FOUND')
  await announce(ctx, tx, userId, [{ type: 'sessions' }])
}

/** Of the caller, or of somebody else whom the caller administers. */
export async function listSessions(
  ctx: Context,
  caller: Caller,
  { userId, level }: { userId: number; level: number } = caller,
) {
  const now = ctx.clock.now()
  const rows = await sessions.listSessions(ctx.db, userId)
  return {
    items: rows
      .filter((row) => isAlive({ ...row, level }, now))
      .map((row) => ({
        sessionId: row.id,
        sessionCreatedDate: row.created_at.toISOString(),
        sessionLastSeenDate: row.last_seen_at.toISOString(),
        sessionUserAgent: row.user_agent,
        sessionAddress: row.address,
        sessionIsCurrent: row.id === caller.sessionId,
      })),
  }
}

export async function changePassword(
  ctx: Context,
  caller: Caller,
  origin: Origin,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<void> {
  refuseCommonPassword(newPassword)
  const who = `change:${caller.userId}`
  await throttle.allow(ctx, 'perAccount', who)
  const user = await users.findUser(ctx.db, caller.userId)
  if (!(await ctx.passwords.matches(user?.password_hash, oldPassword))) throw new Refusal('WRONG_CREDENTIALS')
  const password_hash = await ctx.passwords.hash(newPassword)
  await throttle.forget(ctx, 'perAccount', who)
  await ctx.atomically(async (tx) => {
    const now = await users.lockUser(tx, caller.userId)
    await refuseEnded(tx, caller)
    if (now.password_hash !== user?.password_hash) throw new Refusal('WRONG_CREDENTIALS')
    await users.setPasswordHash(tx, caller.userId, password_hash)
    await endSessions(ctx, tx, caller.userId, caller.sessionId)
    await record(ctx, tx, byOf(caller, origin), 'changepassword', caller.email)
  })
}

export { lastSeenOf } from './sessions.store.ts'
export { knowsAddress, rememberAddress } from './throttle.store.ts'
export { allowAll, type Count, giveBack } from './throttle.ts'

/** Sessions that have ended by themselves, and what throttling no longer needs to remember. */
export async function purgeSignIns(ctx: Context): Promise<void> {
  const before = (age: number) => new Date(ctx.clock.now().getTime() - age)
  const { absolute, idle } = lifeOf(newUserLevel)
  await sessions.deleteOldSessions(ctx.db, before(absolute), before(idle))
  await forgetOld(ctx.db, before(2 * day), before(90 * day))
}
