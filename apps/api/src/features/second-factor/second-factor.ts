import { timingSafeEqual } from 'node:crypto'
import { toLatinDigits } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { SecretLocation } from '../../lib/seal.ts'
import * as store from './second-factor.store.ts'
import { codeAt, stepOf } from './totp.ts'

export {
  beginSecondFactor,
  confirm as confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  lacksRequired as lacksRequiredSecondFactor,
  replaceRecoveryCodes,
} from './second-factor.store.ts'

export const locationOf = (userId: number): SecretLocation => `second_factors.secret.${userId}`

export const hashOfRecoveryCode = ({ seal }: Context, userId: number, code: string): Buffer =>
  seal.fingerprint('recovery code', `${userId} ${plainCode(code)}`)

/** Accepts spaces, hyphens, lower case and Persian digits. */
const plainCode = (input: string) =>
  toLatinDigits(input)
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()

export async function secondFactorOf(db: Db, userId: number): Promise<store.SecondFactor | null> {
  const factor = await store.findSecondFactor(db, userId)
  return factor?.confirmed_at ? factor : null
}

const drift = [0, -1, 1]

/** A code and all earlier ones become invalid. */
export async function takeAppCode(
  ctx: Context,
  tx: Db,
  { user_id, secret }: store.SecondFactor,
  input: string,
): Promise<boolean> {
  const code = plainCode(input)
  const key = Buffer.from(ctx.seal.open(locationOf(user_id), secret), 'base64')
  const now = stepOf(ctx.clock.now())
  const step = drift.map((off) => now + off).find((one) => isSame(codeAt(key, one), code))
  return step !== undefined && store.takeStep(tx, user_id, step)
}

const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export async function takeCode(
  ctx: Context,
  tx: Db,
  factor: store.SecondFactor,
  input: string,
): Promise<'app' | 'recovery' | null> {
  if (await takeAppCode(ctx, tx, factor, input)) return 'app'
  const hash = hashOfRecoveryCode(ctx, factor.user_id, input)
  return (await store.takeRecoveryCode(tx, factor.user_id, hash)) ? 'recovery' : null
}
