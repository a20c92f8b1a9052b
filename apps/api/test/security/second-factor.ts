import { confirmSecondFactor, signIn, startSecondFactor } from '@kelid/contract'
import { codeAt, stepOf } from '../../src/features/second-factor/totp.ts'
import type { Person, Product } from '../product.ts'
import { somebody } from './callers.ts'
import { samplePassword } from './samples.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** As an app reads it from a QR code. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export interface Guarded extends Person {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  /** What the app shows, by a clock so many steps off. */
  code(stepsOff?: number): string
}

/** An administrator who set up a second factor a while ago, so that none of its codes is used up. */
export async function guardedAdmin(product: Product): Promise<Guarded> {
  const person = await somebody(product, 6)
  const { secret } = await person.ask(startSecondFactor, { password: samplePassword })
  const code = (stepsOff = 0) => codeAt(fromBase32(secret), stepOf(product.clock.now()) + stepsOff)
  const { recoveryCodes } = await person.ask(confirmSecondFactor, { code: code() })
  product.clock.advance(90_000)
  return { ...person, secret, recoveryCodes, code }
}

export const enter = (
  product: Product,
  email: string,
  secondFactorCode?: string,
  { password = samplePassword, address = '127.0.0.1' } = {},
) =>
  product.call(
    signIn,
    { email, password, ...(secondFactorCode !== undefined && { secondFactorCode }) },
    { headers: { 'x-forwarded-for': address } },
  )
