import { calls } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../product.ts'
import { somebody, targetFor, targetsWith } from './callers.ts'
import { outcomeOf, sampleBody, targetOf } from './samples.ts'
import { bearer, json, readEnvelope, send } from './wire.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
  await product.server({ serverMaxAccounts: 100_000 })
})
afterAll(() => product.close())

/** How many connections of the pool were in use at once, at most. */
async function mostInUse(work: () => Promise<unknown>): Promise<number> {
  const { pool } = product.ctx
  let inUse = 0
  let most = 0
  const acquired = () => {
    inUse += 1
    most = Math.max(most, inUse)
  }
  const released = () => {
    inUse -= 1
  }
  pool.on('acquire', acquired).on('release', released)
  await work()
  pool.off('acquire', acquired).off('release', released)
  return most
}

test.each(calls.filter(({ access }) => access === 'user').map((call) => [call.path, call] as const))(
  '%s holds one database connection at a time, so that turns in front of the pool count connections',
  async (path, call) => {
    const person = await somebody(product, 1)
    const field = targetOf(call)
    const target = field ? await targetFor(product, { person, stranger: person }, field, 'own') : ''
    const body = JSON.stringify(sampleBody(call, targetsWith(field, target)))
    let outcome: string | undefined
    const most = await mostInUse(async () => {
      const reply = await send(product.url, { path, headers: { ...json, ...bearer(person.token) }, body })
      outcome = readEnvelope(reply).error?.errorType ?? 'OK'
    })
    expect(outcome).toBe(outcomeOf(call))
    expect(most).toBe(1)
  },
)
