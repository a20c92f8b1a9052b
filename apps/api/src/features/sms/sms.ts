import { randomUUID } from 'node:crypto'
import { isAdminLevel, limits, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { UserRecord } from '../../db/schema.ts'
import { networkOf } from '../../lib/addresses.ts'
import { record } from '../audit/audit.ts'
import {
  allowAll,
  type Count,
  giveBack,
  knowsAddress,
  nobody,
  type Origin,
  openSession,
  rememberAddress,
} from '../auth/auth.ts'
import { findUserByPhone, lockUserByPhone } from '../users/users.ts'
import * as store from './sms.store.ts'

const codeLife = 5 * 60_000
const triesPerCode = 3

const refuseWhenOff = (ctx: Context) => {
  if (!ctx.config.KELID_SMS_URL) throw new Refusal('SMS_OFF')
}

/** Derived from the request's id and the key: the digits are stored nowhere, and a retry sends the same ones. */
export function digitsOf(ctx: Context, { uuid }: store.SmsCode): string {
  const number = ctx.seal.fingerprint('sms code', uuid).readUInt32BE() % 10 ** limits.smsCodeLength
  return String(number).padStart(limits.smsCodeLength, '0')
}

/** Administrators never sign in by SMS. */
const unlessAdmin = (user: UserRecord | undefined) => (user && !isAdminLevel(user.level) ? user : undefined)

export const ownerOf = async (db: Db, mobile: string) => unlessAdmin(await findUserByPhone(db, mobile))

/** A job looks up the phone, so that every number takes the same steps here. */
export async function askForCode(ctx: Context, origin: Origin, mobile: string): Promise<void> {
  refuseWhenOff(ctx)
  const address = networkOf(origin.address)
  const ofStrangers: Count[] = (await isKnownAddress(ctx, mobile, address))
    ? []
    : [['smsSendsToPhone', mobile]]
  await allowAll(ctx, [['smsSends', `${mobile} ${address}`], ...ofStrangers, ['perAddress', origin.address]])
  const uuid = randomUUID()
  const asked_at = ctx.clock.now()
  const expires_at = new Date(asked_at.getTime() + codeLife)
  await ctx.atomically(async (tx) => {
    await store.keepCode(tx, { uuid, mobile, address, tries: 0, asked_at, expires_at })
    await ctx.jobs.send(tx, 'sms', { code: uuid })
  })
}

/** The owner has signed in from this address before, so strangers do not throttle them. */
const isKnownAddress = async (ctx: Context, mobile: string, address: string): Promise<boolean> =>
  knowsAddress(ctx.db, (await findUserByPhone(ctx.db, mobile))?.id ?? nobody, address)

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
  const address = networkOf(origin.address)
  const code = await store.findCodeFor(ctx.db, mobile, address, ctx.clock.now())
  const hasRequestedCode = code?.address === address
  const counts: Count[] = [
    ...(await countsOf(ctx, address, mobile, hasRequestedCode)),
    ['perAddress', origin.address],
  ]
  await allowAll(ctx, counts)
  const mayTry = code && (!hasRequestedCode || (await store.takeTry(ctx.db, code.uuid, triesPerCode)))
  if (!mayTry || otp !== digitsOf(ctx, code)) throw new Refusal('WRONG_CODE')
  for (const [kind, who] of counts) await giveBack(ctx, kind, who)
  return { secret: await signIn(ctx, origin, code) }
}

/**
 * Attempts count per address that requested a code, so that nobody uses up another's. Addresses without a request,
 * for example after a network change, share one count.
 */
async function countsOf(
  ctx: Context,
  address: string,
  mobile: string,
  hasRequestedCode: boolean,
): Promise<Count[]> {
  const isOwnersAddress = await isKnownAddress(ctx, mobile, address)
  if (!hasRequestedCode) return [['smsChecks', `${mobile} elsewhere`]]
  const ownCount: Count = ['smsChecks', `${mobile} ${address}`]
  return isOwnersAddress ? [ownCount] : [ownCount, ['smsChecksOfPhone', mobile]]
}

const signIn = (ctx: Context, origin: Origin, { uuid, mobile }: store.SmsCode): Promise<string> =>
  ctx.atomically(async (tx) => {
    const user = (await store.useCode(tx, uuid)) ? unlessAdmin(await lockUserByPhone(tx, mobile)) : undefined
    if (!user) throw new Refusal('WRONG_CODE')
    const token = await openSession(ctx, tx, user.id, origin)
    await rememberAddress(tx, user.id, networkOf(origin.address), ctx.clock.now())
    await record(ctx, tx, { email: user.email, address: origin.address }, 'signin-sms', user.email)
    return token
  })

export const purgeCodes = (ctx: Context): Promise<void> => store.deleteOldCodes(ctx.db, ctx.clock.now())
