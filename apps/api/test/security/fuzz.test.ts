import {
  type Call,
  callerRefusals,
  calls,
  commonRefusals,
  nodeCalls,
  type RefusalType,
  unwrap,
} from '@kelid/contract'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { openForAllTests } from '../hooks.ts'
import { openProductWithNodes } from '../nodes.ts'
import { isLong, scale, seedOf } from '../scale.ts'
import { sampleCall, somebody } from './callers.ts'
import { databaseState } from './database-state.ts'
import { postAs } from './node-callers.ts'
import { bodiesFor, fromSample } from './schema-arbitrary.ts'
import { openFakeGateway } from './sms-gateway.ts'
import { json, readEnvelope } from './wire.ts'

const gateway = openForAllTests(openFakeGateway)
const product = openForAllTests(() =>
  openProductWithNodes({ env: { KELID_TRUST_PROXY: '1', KELID_SMS_URL: gateway.url } }),
)
beforeAll(() => product.server({ serverMaxAccounts: 100_000 }))

const seed = seedOf('fuzz')
const numRuns = scale(20, 1_000)
let accepted = 0
let refused = 0

/** What the call may say no with. A server error is never among it, though any call may meet one. */
const declared = (call: Call): Set<string> => {
  const byAccess: Record<Call['access'], RefusalType[]> = {
    anyone: [],
    user: [...callerRefusals],
    admin: [...callerRefusals, 'ACCESS_DENIED'],
    anyAdmin: [...callerRefusals, 'ACCESS_DENIED'],
    node: ['UNAUTHENTICATED'],
  }
  return new Set([...call.refusals, ...commonRefusals, ...byAccess[call.access]])
}

const headersFor = fc.record({
  'x-forwarded-for': fc.ipV4(),
  'idempotency-key': fc.option(
    fc.oneof(fc.constantFrom('k'.repeat(16), 'K_-'.repeat(8)), fc.stringMatching(/^[!-~]{1,70}$/)),
    { nil: undefined },
  ),
})

async function cast(call: Call) {
  const person = await somebody(product, 6)
  const { body: sample } = await sampleCall(product, call, person)
  return { post: await postAs(product, call, person), sample, state: await databaseState(product) }
}

test('the watch notices a committed change and ignores a rolled back one', async () => {
  await somebody(product, 6)
  const before = await databaseState(product)
  const undone = product.ctx.atomically(async (tx) => {
    await tx.updateTable('users').set({ level: 3 }).execute()
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await databaseState(product)).toBe(before)
  await product.ctx.db.updateTable('users').set({ level: 6 }).where('level', '=', 6).execute()
  expect(await databaseState(product)).toBe(before)
  await product.ctx.db.updateTable('users').set({ debt_limit_cents: 1 }).where('level', '=', 6).execute()
  expect(await databaseState(product)).not.toBe(before)
})

const everyCall: readonly Call[] = [...calls, ...nodeCalls]

test.each(everyCall.map((call) => [call.path, call] as const))(
  '%s takes what the contract takes and refuses the rest without a trace',
  { timeout: isLong ? 1_200_000 : 600_000 },
  async (path, call) => {
    const may = declared(call)
    let now = await cast(call)
    const property = fc.asyncProperty(bodiesFor(call), headersFor, async (template, more) => {
      const body = Object.fromEntries(
        Object.entries(template)
          .map(([name, value]) => [name, value === fromSample ? now.sample[name] : value])
          .filter(([, value]) => value !== undefined),
      )
      const headers = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined))
      const text = JSON.stringify(body)
      const reply = await now.post({
        path,
        headers: { ...json, ...(headers as Record<string, string>) },
        body: text,
      })
      const response = readEnvelope(reply)
      expect(reply.status, text).toBeLessThan(500)
      const state = await databaseState(product)
      if (response.error) {
        refused += 1
        expect(may, text).toContain(response.error.errorType)
        expect(state, `refused with ${response.error.errorType}: ${text}`).toBe(now.state)
      } else {
        accepted += 1
        expect(call.input.safeParse(JSON.parse(text)).success, text).toBe(true)
        unwrap(call, { response })
        if (state !== now.state) now = await cast(call)
      }
    })
    await fc.assert(property, { seed: seed + everyCall.indexOf(call), numRuns })
  },
)

test('enough bodies were accepted and enough were refused', () => {
  console.log(`fuzz: ${accepted} accepted, ${refused} refused`)
  expect(accepted).toBeGreaterThan(refused / 5)
  expect(refused).toBeGreaterThan(accepted / 5)
})
