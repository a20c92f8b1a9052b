import { signIn } from '@kelid/contract'
import { expect, test } from 'vitest'
import { createPasswords } from '../../src/lib/passwords.ts'
import { common } from '../calls.ts'
import { productForAllTests } from '../product.ts'
import { scale } from '../scale.ts'
import { somebody } from './callers.ts'
import { expectSameTime } from './same-time.ts'
import { freshEmail } from './samples.ts'
import { json, sameness, send } from './wire.ts'

const product = productForAllTests({ env: { KELID_TRUST_PROXY: '1' }, passwords: createPasswords() })

let address = 0
const replies = new Set<string>()
/** Each guess from another address and at another e-mail, so that none is throttled. */
async function guess(email: string): Promise<number> {
  address += 1
  const headers = { ...json, 'x-forwarded-for': `10.1.${address >> 8}.${address & 255}` }
  const body = JSON.stringify({ ...common, email, password: 'Wrong-Pass-1' })
  const started = performance.now()
  const reply = await send(product.url, { path: signIn.path, headers, body })
  const took = performance.now() - started
  replies.add(sameness(reply))
  return took
}

test('signing in takes the same time and gets the same reply for an e-mail that exists and one that does not', async () => {
  await guess(freshEmail())
  const figures = { pairs: scale(40, 300), attempts: 3, tolerance: scale(0.1, 0.05) }
  await expectSameTime('sign-in timing', figures, async (kind) =>
    guess(kind === 'known' ? (await somebody(product, 1)).email : freshEmail()),
  )
  expect([...replies]).toHaveLength(1)
})
