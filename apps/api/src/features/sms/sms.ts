import { randomUUID } from 'node:crypto'
import { isAdminLevel, limits, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { record } from '../audit/audit.ts'
import { allow, giveBack, knowsAddress, type Origin, openSession, rememberAddress } from '../auth/auth.ts'
import { findUserByPhone } from '../users/users.ts'
import * as store from './sms.store.ts'

const codeLife = 5 * 60_000
const triesPerCode = 3

const refuseWhenOff = (ctx: Context) => {
  if (!ctx.config.KELID_SMS_URL) throw new Refusal('SMS_OFF')
}

/**
 * The digits follow from the number of the request and the installation's key: they lie neither in the database nor in
 * the queue, and a second attempt to send them sends the same ones.
 */
export function digitsOf(ctx: Context, { uuid }: store.SmsCode): string {
  const number = ctx.seal.fingerprint('sms code', uuid).readUInt32BE() % 10 ** limits.smsCodeLength
  return String(number).padStart(limits.smsCodeLength, '0')
}

/** Administrators never sign in by SMS. */
export async function ownerOf(db: Db, mobile: string) {
  const user = await findUserByPhone(db, mobile)
  return user && !isAdminLevel(user.level) ? user : undefined
}

/** Whether it is the phone of somebody, a job finds out: here, every number takes the same steps. */
export async function askForCode(ctx: Context, origin: Origin, mobile: string): Promise<void> {
  refuseWhenOff(ctx)
  await allow(ctx, 'perAddress', origin.address)
  await allow(ctx, 'smsSends', `${mobile} ${origin.address}`)
  if (!(await isKnown(ctx, mobile, origin))) await allow(ctx, 'smsSendsToPhone', mobile)
  const uuid = randomUUID()
  const asked_at = ctx.clock.now()
  const expires_at = new Date(asked_at.getTime() + codeLife)
  await ctx.atomically(async (tx) => {
    await store.keepCode(tx, { uuid, mobile, address: origin.address, tries: 0, asked_at, expires_at })
    await ctx.jobs.send(tx, 'sms', { code: uuid })
  })
}

/** The owner of the phone has signed in from there before: what strangers do does not hold them up. */
const isKnown = async (ctx: Context, mobile: string, { address }: Origin): Promise<boolean> =>
  knowsAddress(ctx.db, (await findUserByPhone(ctx.db, mobile))?.email ?? '', address)

interface Guess {
  mobile: string
  otp: string
}

export async function checkCode(
  ctx: Context,
  origin: Origin,
  { mobile, otp }: Guess,
): Promise<{ secret: string }> {
  refuseWhenOff(ctx)
  await allow(ctx, 'perAddress', origin.address)
  const code = await store.findCodeFor(ctx.db, mobile, origin.address, ctx.clock.now())
  const hasAsked = code?.address === origin.address
  const counted = await countersOf(ctx, origin, mobile, hasAsked)
  for (const [kind, who] of counted) await allow(ctx, kind, who)
  const mayTry = code && (!hasAsked || (await store.takeTry(ctx.db, code.uuid, triesPerCode)))
  if (!mayTry || otp !== digitsOf(ctx, code)) throw new Refusal('WRONG_CODE')
  const secret = await signIn(ctx, origin, code)
  await giveBack(ctx, 'perAddress', origin.address)
  for (const [kind, who] of counted) await giveBack(ctx, kind, who)
  return { secret }
}

type Counter = ['smsChecks' | 'smsChecksOfPhone', string]

/**
 * Guesses count for whoever asked for the code, so that nobody uses up those of another. Whoever has not asked from
 * this address, as with a network that changed meanwhile, shares the guesses of all such visitors.
 */
async function countersOf(
  ctx: Context,
  origin: Origin,
  mobile: string,
  hasAsked: boolean,
): Promise<Counter[]> {
  const isOwnersAddress = await isKnown(ctx, mobile, origin)
  if (!hasAsked) return [['smsChecks', `${mobile} elsewhere`]]
  const own: Counter = ['smsChecks', `${mobile} ${origin.address}`]
  return isOwnersAddress ? [own] : [own, ['smsChecksOfPhone', mobile]]
}

const signIn = (ctx: Context, origin: Origin, { uuid, mobile }: store.SmsCode): Promise<string> =>
  ctx.atomically(async (tx) => {
    const user = (await store.useCode(tx, uuid)) ? await ownerOf(tx, mobile) : undefined
    if (!user) throw new Refusal('WRONG_CODE')
    const token = await openSession(ctx, tx, user.id, origin)
    await rememberAddress(tx, user.id, origin.address, ctx.clock.now())
    await record(ctx, tx, { email: user.email, address: origin.address }, 'signin-sms', user.email)
    return token
  })

export const purgeCodes = (ctx: Context): Promise<void> => store.deleteOldCodes(ctx.db, ctx.clock.now())
