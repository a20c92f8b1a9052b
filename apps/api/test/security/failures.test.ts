import { calls, getUser, newAccount, signOut, signUp } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { productForAllTests } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'
import { sampleCall, somebody } from './callers.ts'
import { freshEmail, samplePassword } from './samples.ts'
import { readEnvelope } from './wire.ts'

const product = productForAllTests()
beforeAll(() => product.server({ serverMaxAccounts: 1_000 }))

/** Internals that no reply may contain. */
const inside =
  /\bat \S+ \(|node_modules|\.[jt]s:\d|relation|column|syntax|constraint|SELECT |INSERT |UPDATE |kysely|pg-pool|\/(?:work|tmp|home|usr|var)\//i

async function withoutTable(table: string, work: () => Promise<void>): Promise<void> {
  await product.ctx.pool.query(`ALTER TABLE ${table} RENAME TO ${table}_gone`)
  try {
    await work()
  } finally {
    await product.ctx.pool.query(`ALTER TABLE ${table}_gone RENAME TO ${table}`)
  }
}

const tables = ['users', 'sessions', 'accounts', 'servers', 'tunnels', 'settings', 'ledger_entries']
test.each([...tables, 'audit', 'attempts', 'provision_runs', 'events'])(
  'without the table %s every call answers with an envelope that shows nothing of the inside',
  async (table) => {
    const [person, stranger] = [await somebody(product, 6), await somebody(product, 6)]
    const requests: [string, Awaited<ReturnType<typeof sampleCall>>][] = []
    for (const call of calls.filter((one) => one !== signOut))
      requests.push([call.path, await sampleCall(product, call, person, stranger)])
    const logged = product.logs.length
    const failed: string[] = []
    await withoutTable(table, async () => {
      for (const [path, { send }] of requests) {
        const reply = await send()
        const { error, message } = readEnvelope(reply)
        if (reply.status < 500) continue
        expect(reply.text, path).not.toMatch(inside)
        expect([reply.status, error?.errorType]).toEqual([500, 'INTERNAL'])
        const requestId = reply.headers['x-request-id']
        expect(error?.errorParameters).toEqual({ requestId })
        expect(message).toContain(String(requestId))
        failed.push(String(requestId))
      }
    })
    expect(failed.length).toBeGreaterThan(0)
    const lines = product.logs.slice(logged).map((line) => JSON.parse(line))
    for (const requestId of failed) {
      const line = lines.find(({ reqId, msg }) => reqId === requestId && msg === 'a request failed')
      expect(line?.err.message).toContain(table)
    }
    expect((await person.call(getUser, {})).status).toBe(200)
  },
)

test('a request that fails half-way leaves nothing behind', async () => {
  const person = await product.person({ points: 1_000 })
  const state = () =>
    product.sql(
      `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM accounts) AS accounts,
         (SELECT points FROM users WHERE id = $1) AS points`,
      person.id,
    )
  const before = await state()
  expect(before).toMatchObject([{ points: 1_000 }])
  await withoutTable('audit', async () => {
    const reply = await product.call(signUp, { email: freshEmail(), password: samplePassword })
    expect(reply.errorType).toBe('INTERNAL')
  })
  await withoutTable('events', async () => {
    expect(await person.refusal(newAccount, directAccount)).toBe('INTERNAL')
  })
  expect(await state()).toEqual(before)
})
