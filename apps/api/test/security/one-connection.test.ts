import { calls } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { productForAllTests } from '../product.ts'
import { until } from '../until.ts'
import { sampleCall, somebody } from './callers.ts'
import { outcomeOf } from './samples.ts'
import { readEnvelope } from './wire.ts'

const product = productForAllTests()
beforeAll(() => product.server({ serverMaxAccounts: 100_000 }))

/** How many connections of the pool were in use at once, at most. */
async function mostInUse(work: () => Promise<unknown>): Promise<number> {
  const { pool } = product.ctx
  // A connection of the request before may be released after its reply.
  await until(() => pool.idleCount === pool.totalCount, 'all connections to be idle')
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
  async (_, call) => {
    const { send } = await sampleCall(product, call, await somebody(product, 1))
    let outcome: string | undefined
    const most = await mostInUse(async () => {
      outcome = readEnvelope(await send()).error?.errorType ?? 'OK'
    })
    expect(outcome).toBe(outcomeOf(call))
    expect(most).toBe(1)
  },
)
