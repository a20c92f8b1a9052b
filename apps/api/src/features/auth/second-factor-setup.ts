import { randomBytes } from 'node:crypto'
import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import * as secondFactor from '../second-factor/second-factor.ts'
import { toBase32 } from '../second-factor/totp.ts'
import { currentSettings } from '../settings/settings.ts'
import { lockUserByEmail } from '../users/users.ts'
import { type Caller, clearCodes, countCode, endSessions, guarded, provePassword } from './auth.ts'

const secretBytes = 20
const recoveryCodeCount = 10
const timeToConfirm = 15 * 60_000

export async function describe(ctx: Context, { userId }: Caller) {
  const factor = await secondFactor.secondFactorOf(ctx.db, userId)
  return {
    isOn: factor !== null,
    isRequired: (await currentSettings(ctx.db)).secondFactor === 'required',
    recoveryCodesLeft: await secondFactor.countRecoveryCodes(ctx.db, userId),
    since: factor?.confirmed_at?.toISOString() ?? null,
  }
}

export async function start(ctx: Context, caller: Caller, password: string) {
  const inTurn = await provePassword(ctx, caller, password)
  const bytes = randomBytes(secretBytes)
  const sealedSecret = ctx.seal.close(secondFactor.locationOf(caller.userId), bytes.toString('base64'))
  await inTurn(async (tx) => {
    const begun = { user_id: caller.userId, secret: sealedSecret, started_at: ctx.clock.now() }
    if (!(await secondFactor.beginSecondFactor(tx, begun))) throw new Refusal('SECOND_FACTOR_ON')
  })
  const secret = toBase32(bytes)
  return { secret, otpauthUrl: otpauthUrlOf(ctx.config.KELID_BRAND_NAME, caller.email, secret) }
}

/** Digits, period and hash are the defaults of authenticator apps. */
function otpauthUrlOf(brand: string, email: string, secret: string): string {
  const [issuer, name] = [brand, email].map(encodeURIComponent)
  return `otpauth://totp/${issuer}:${name}?secret=${secret}&issuer=${issuer}`
}

/** Ends the other sessions, which were opened without the second factor. */
export async function confirm(ctx: Context, caller: Caller, by: Actor, code: string) {
  await countCode(ctx, caller)
  return guarded(ctx, caller, async (tx) => {
    const now = ctx.clock.now()
    const factor = await secondFactor.findSecondFactor(tx, caller.userId)
    if (factor?.confirmed_at) throw new Refusal('SECOND_FACTOR_ON')
    if (!factor || now.getTime() - factor.started_at.getTime() > timeToConfirm)
      throw new Refusal('RESOURCE_NOT_FOUND')
    if (!(await secondFactor.takeAppCode(ctx, tx, factor, code))) throw new Refusal('WRONG_CODE')
    await clearCodes(ctx, tx, caller)
    await secondFactor.confirmSecondFactor(tx, caller.userId, now)
    const newCodes = await giveRecoveryCodes(ctx, tx, caller.userId)
    await endSessions(ctx, tx, caller.userId, caller.sessionId)
    await record(ctx, tx, by, 'confirmsecondfactor', caller.email, { from: 'off', to: 'on' })
    return newCodes
  })
}

interface Proof {
  password: string
  code: string
}

export async function remove(
  ctx: Context,
  caller: Caller,
  by: Actor,
  { password, code }: Proof,
): Promise<void> {
  const inTurn = await provePassword(ctx, caller, password)
  await countCode(ctx, caller)
  await inTurn(async (tx) => {
    const proof = await demandCode(ctx, tx, caller, code)
    await secondFactor.deleteSecondFactor(tx, caller.userId)
    await announce(ctx, tx, caller.userId, [{ type: 'sessions' }])
    await record(ctx, tx, by, 'removesecondfactor', caller.email, { from: 'on', to: 'off', proof })
  })
}

export async function renewRecoveryCodes(ctx: Context, caller: Caller, by: Actor, { password, code }: Proof) {
  const inTurn = await provePassword(ctx, caller, password)
  await countCode(ctx, caller)
  return inTurn(async (tx) => {
    const proof = await demandCode(ctx, tx, caller, code)
    const from = await secondFactor.countRecoveryCodes(tx, caller.userId)
    const newCodes = await giveRecoveryCodes(ctx, tx, caller.userId)
    await record(ctx, tx, by, 'newrecoverycodes', caller.email, { from, to: recoveryCodeCount, proof })
    return newCodes
  })
}

async function demandCode(ctx: Context, tx: Db, caller: Caller, code: string): Promise<string> {
  const factor = await secondFactor.secondFactorOf(tx, caller.userId)
  if (!factor) throw new Refusal('RESOURCE_NOT_FOUND')
  const proof = await secondFactor.takeCode(ctx, tx, factor, code)
  if (!proof) throw new Refusal('WRONG_CODE')
  await clearCodes(ctx, tx, caller)
  return proof
}

/** Fifty bits each: throttling makes guessing hopeless, and the hashes are keyed. */
async function giveRecoveryCodes(ctx: Context, tx: Db, userId: number): Promise<{ recoveryCodes: string[] }> {
  const recoveryCodes = Array.from({ length: recoveryCodeCount }, () =>
    toBase32(randomBytes(7)).replace(/^(.{5})(.{5}).*/, '$1-$2'),
  )
  const hashes = recoveryCodes.map((code) => secondFactor.hashOfRecoveryCode(ctx, userId, code))
  await secondFactor.replaceRecoveryCodes(tx, userId, hashes)
  return { recoveryCodes }
}

/** For a user who has lost the app and the recovery codes. The operator verifies the person. */
export const removeFor = (
  ctx: Context,
  by: Actor,
  email: string,
): Promise<'removed' | 'had none' | 'nobody'> =>
  ctx.atomically(async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user) return 'nobody'
    if (!(await secondFactor.deleteSecondFactor(tx, user.id))) return 'had none'
    await endSessions(ctx, tx, user.id)
    await record(ctx, tx, by, 'removesecondfactor', email, { from: 'on', to: 'off' })
    return 'removed'
  })
