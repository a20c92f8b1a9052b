import { signIn } from '@kelid/contract'
import { expect, test } from 'vitest'
import { createPasswords } from '../../src/lib/passwords.ts'
import { common, productForAllTests } from '../product.ts'
import { isLong, scale } from '../scale.ts'
import { somebody } from './callers.ts'
import { freshEmail } from './samples.ts'
import { type Answered, json, sameness, send } from './wire.ts'

const product = productForAllTests({ env: { KELID_TRUST_PROXY: '1' }, passwords: createPasswords() })

const pairs = scale(40, 300)
const tolerance = scale(0.1, 0.05)
const attempts = 3

let address = 0
/** Each guess from an address and at an e-mail of its own, so that none is throttled. */
async function guess(email: string): Promise<{ ms: number; reply: Answered }> {
  address += 1
  const headers = { ...json, 'x-forwarded-for': `10.1.${address >> 8}.${address & 255}` }
  const body = JSON.stringify({ ...common, email, password: 'Wrong-Pass-1' })
  const started = performance.now()
  const reply = await send(product.url, { path: signIn.path, headers, body })
  return { ms: performance.now() - started, reply }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function measure(known: readonly string[]) {
  const times = { known: [] as number[], unknown: [] as number[] }
  const replies = new Set<string>()
  for (const [index, email] of known.entries()) {
    const order = index % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of order) {
      const { ms, reply } = await guess(kind === 'known' ? email : freshEmail())
      times[kind].push(ms)
      replies.add(sameness(reply))
    }
  }
  return { known: median(times.known), unknown: median(times.unknown), replies: [...replies] }
}

test('signing in takes the same time and gives the same reply for an e-mail that exists and one that does not', {
  timeout: isLong ? 600_000 : 120_000,
}, async () => {
  const findings: string[] = []
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const known: string[] = []
    for (let count = 0; count < pairs; count += 1) known.push((await somebody(product, 1)).email)
    await guess(freshEmail())
    const { known: a, unknown: b, replies } = await measure(known)
    expect(replies).toHaveLength(1)
    const figure = `known ${a.toFixed(2)} ms, unknown ${b.toFixed(2)} ms, ${pairs} each`
    console.log(`sign-in timing: ${figure}`)
    if (Math.abs(a - b) <= Math.max(1, tolerance * Math.min(a, b))) return
    findings.push(figure)
  }
  expect(findings).toEqual([])
})
