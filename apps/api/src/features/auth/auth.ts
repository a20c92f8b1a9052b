import { randomUUID } from 'node:crypto'
import { day, isAdminLevel, limits, type PeopleAccess, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { clip, plain } from '../../lib/text.ts'
import { hashOf, randomToken } from '../../lib/tokens.ts'
import { type Actor, record } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import { lacksRequiredSecondFactor } from '../second-factor/second-factor.ts'
import * as users from '../users/users.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { confirmPassword, refuseEnded } from './proof.ts'
import { isAlive, lifeOf, touchAfter } from './session-life.ts'
import * as sessions from './sessions.store.ts'
import { forgetOld } from './throttle.store.ts'
import * as throttle from './throttle.ts'

export interface Caller {
  readonly userId: number
  readonly email: string
  readonly phone: string | null
  readonly level: number
  /** '' for the operator's. */
  readonly contact: string
  readonly sessionId: string
}

export interface Origin {
  readonly address: string
  readonly userAgent: string
}

const newUserLevel = 1
/** Stands for an unknown e-mail, so that both cases run the same queries. */
export const nobody = 0

/** Every request passes here. A passive request, such as an open stream, does not extend the session. */
export async function admit(
  ctx: Context,
  access: PeopleAccess,
  token: string | null,
  { isUse = true } = {},
): Promise<Caller | null> {
  if (access === 'anyone') return null
  const session = token ? await sessions.findSession(ctx.pool, hashOf(token)) : undefined
  const now = ctx.clock.now()
  if (!session) throw new Refusal('UNAUTHENTICATED')
  if (!isAlive(session, now)) {
    // Otherwise the session would be valid again if the clock is set back.
    await sessions.deleteSession(ctx.db, session.user_id, session.id)
    throw new Refusal('UNAUTHENTICATED')
  }
  const isForAdmins = access === 'admin' || access === 'anyAdmin'
  if (isForAdmins && !isAdminLevel(session.level)) throw new Refusal('ACCESS_DENIED')
  if (access === 'admin' && (await lacksRequiredSecondFactor(ctx.db, session.user_id)))
    throw new Refusal('SECOND_FACTOR_MISSING')
  if (isUse && now.getTime() - session.last_seen_at.getTime() > touchAfter)
    await sessions.touchSession(ctx.db, session.id, now)
  const { user_id, email, phone, level, contact, id } = session
  return { userId: user_id, email, phone, level, contact, sessionId: id }
}

export const mayAdminister = async (ctx: Context, { level, userId }: Caller): Promise<boolean> =>
  isAdminLevel(level) && !(await lacksRequiredSecondFactor(ctx.db, userId))

export const byOf = (caller: Caller, { address }: Origin): Actor => ({
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

/** Serialised per user, so that parallel sign-ins respect the limit, and throttled. */
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

export async function endSessions(ctx: Context, tx: Db, userId: number, except?: string): Promise<void> {
  await sessions.deleteSessionsOf(tx, userId, except)
  await announce(ctx, tx, userId, [{ type: 'sessions' }])
}

export const signOut = (ctx: Context, caller: Caller): Promise<void> =>
  revokeSession(ctx, caller, caller.sessionId)

export const revokeSession = (ctx: Context, caller: Caller, sessionId: string): Promise<void> =>
  ctx.atomically((tx) => endSession(ctx, tx, caller.userId, sessionId))

export async function endSession(ctx: Context, tx: Db, userId: number, sessionId: string): Promise<void> {
  const wasDeleted = await sessions.deleteSession(tx, userId, sessionId)
  if (!wasDeleted) throw new Refusal('RESOURCE_NOT_FOUND')
  await announce(ctx, tx, userId, [{ type: 'sessions' }])
}

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
  const changes: throttle.Count = ['passwordChanges', String(caller.userId)]
  await throttle.refuseWaiting(ctx, ...changes)
  const inTurn = await confirmPassword(ctx, caller, oldPassword)
  const password_hash = await ctx.passwords.hash(newPassword)
  await inTurn(async (tx) => {
    await throttle.allow(ctx, ...changes, tx)
    await users.setPasswordHash(tx, caller.userId, password_hash)
    await endSessions(ctx, tx, caller.userId, caller.sessionId)
    await record(ctx, tx, byOf(caller, origin), 'changepassword', caller.email)
  })
}

export { clearCodes, confirmPassword as provePassword, countCode, guarded } from './proof.ts'
export { lastSeenOf } from './sessions.store.ts'
export { knowsAddress, rememberAddress } from './throttle.store.ts'
export { allowAll, type Count, giveBack } from './throttle.ts'

export async function purgeSignIns(ctx: Context): Promise<void> {
  const before = (age: number) => new Date(ctx.clock.now().getTime() - age)
  const { absolute, idle } = lifeOf(newUserLevel)
  await sessions.deleteOldSessions(ctx.db, before(absolute), before(idle))
  await forgetOld(ctx.db, before(2 * day), before(90 * day))
}
