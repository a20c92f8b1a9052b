import { randomInt } from 'node:crypto'
import { isAdminLevel, limits, Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { record } from '../audit/audit.ts'
import { allowAll, giveBack, type Origin, openSession } from '../auth/auth.ts'
import { findUserByPhone, lockUserByPhone } from '../users/users.ts'
import { countWrongTry, keepCode, useCode } from './sms.store.ts'

const codeLife = 5 * 60_000
const triesPerCode = 3
const gatewayTimeout = 10_000

const refuseWhenOff = (ctx: Context) => {
  if (!ctx.config.KELID_SMS_URL) throw new Refusal('SMS_OFF')
}

/** Bound to the phone and to the installation's key: four digits alone would be read off a hash at once. */
const hashOfCode = (ctx: Context, mobile: string, otp: string) => ctx.seal.fingerprint(`sms ${mobile}`, otp)

/** Says the same whether or not the phone belongs to anybody, and sends only to users who are not administrators. */
export async function sendCode(ctx: Context, origin: Origin, mobile: string): Promise<void> {
  refuseWhenOff(ctx)
  await allowAll(ctx, [
    ['smsSends', mobile],
    ['perAddress', origin.address],
  ])
  const user = await findUserByPhone(ctx.db, mobile)
  if (!user || isAdminLevel(user.level)) return
  const code = String(randomInt(10 ** limits.smsCodeLength)).padStart(limits.smsCodeLength, '0')
  await keepCode(
    ctx.db,
    mobile,
    hashOfCode(ctx, mobile, code),
    new Date(ctx.clock.now().getTime() + codeLife),
  )
  await deliver(ctx, mobile, code)
}

async function deliver(ctx: Context, mobile: string, code: string): Promise<void> {
  const { KELID_SMS_URL, KELID_SMS_TOKEN, KELID_BRAND_NAME } = ctx.config
  try {
    const reply = await fetch(KELID_SMS_URL, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(KELID_SMS_TOKEN && { authorization: `Bearer ${KELID_SMS_TOKEN}` }),
      },
      body: JSON.stringify({ mobile, code, text: `${KELID_BRAND_NAME}: ${code}` }),
      signal: AbortSignal.timeout(gatewayTimeout),
    })
    if (!reply.ok) throw new Error(`the gateway answered ${reply.status}`)
  } catch (error) {
    ctx.log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'an SMS was not sent')
    throw new Refusal('SMS_FAILED')
  }
}

export async function checkCode(
  ctx: Context,
  origin: Origin,
  { mobile, otp }: { mobile: string; otp: string },
): Promise<{ secret: string }> {
  refuseWhenOff(ctx)
  await allowAll(ctx, [
    ['smsChecks', mobile],
    ['perAddress', origin.address],
  ])
  const secret = await ctx.atomically(async (tx) => {
    if (!(await useCode(tx, mobile, hashOfCode(ctx, mobile, otp), ctx.clock.now(), triesPerCode))) return null
    const user = await lockUserByPhone(tx, mobile)
    if (!user || isAdminLevel(user.level)) return null
    const token = await openSession(ctx, tx, user.id, origin)
    await record(ctx, tx, { email: user.email, address: origin.address }, 'signin-sms', user.email)
    return token
  })
  if (!secret) {
    await countWrongTry(ctx.db, mobile)
    throw new Refusal('WRONG_CODE')
  }
  await giveBack(ctx, 'perAddress', origin.address)
  await giveBack(ctx, 'smsChecks', mobile)
  return { secret }
}
