import { signIn } from '@kelid/contract'
import { beforeEach, expect } from 'vitest'
import { type OptionsOfTests, type Product, productForAllTests } from '../product.ts'
import { samplePassword } from './samples.ts'

/** One product for all tests of a file. Each test begins at the same time, and no attempt was made before it. */
export function productWithoutAttempts(options?: OptionsOfTests): Product {
  const product = productForAllTests(options)
  const start = new Date('2026-03-01T12:00:00.000Z')
  beforeEach(async () => {
    product.clock.set(start)
    await product.sql('DELETE FROM attempts')
    await product.sql('DELETE FROM known_addresses')
  })
  return product
}

export const wrongPassword = 'Wrong-Pass-1'

/** Options of a call that comes from an address, by a proxy that the operator trusts. */
export const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** Tries to sign in from an address, by default with the right password of people that `somebody` creates. */
export const signInFrom = (product: Product, email: string, address: string, password = samplePassword) =>
  product.call(signIn, { email, password }, from(address))

/** Addresses of attackers, each of another number. */
export const attacker = (count: number) => `198.51.100.${count}`

interface Attempt {
  readonly status: number
  readonly errorType: string | undefined
  readonly headers: Headers
}

export const waitOf = ({ headers }: Attempt) => Number(headers.get('retry-after'))

/** The seconds that a refused caller has to wait each time, if it waits and tries again. */
export async function waitsOf(
  { clock }: Product,
  rounds: number,
  attempt: () => Promise<Attempt>,
  outcome?: string,
): Promise<number[]> {
  const waits: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const refused = await attempt()
    expect([refused.status, refused.errorType]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
    waits.push(waitOf(refused))
    clock.advance(waitOf(refused) * 1_000)
    expect((await attempt()).errorType).toBe(outcome)
  }
  return waits
}

/** How often something about a subject was audited. */
export const auditedTimes = async ({ sql }: Product, subject: string, action: string): Promise<number> =>
  (await sql('SELECT FROM audit WHERE subject = $1 AND action = $2', subject, action)).length
