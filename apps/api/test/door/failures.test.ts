import { calls, getUser, newAccount, signUp } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../product.ts'
import { somebody, targetFor, targetsWith } from './callers.ts'
import { freshEmail, sampleBody, samplePassword, targetOf } from './samples.ts'
import { bearer, json, readEnvelope, send } from './wire.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
  await product.server({ serverMaxAccounts: 1_000 })
})
afterAll(() => product.close())

/** What only somebody who reads the program should ever see. */
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

test.each([
  'users',
  'sessions',
  'accounts',
  'servers',
  'tunnels',
  'settings',
  'ledger_entries',
  'audit',
  'attempts',
  'provision_runs',
  'events',
])(
  'without the table %s every call still answers with an envelope that says nothing of the inside',
  async (table) => {
    const [person, stranger] = [await somebody(product, 6), await somebody(product, 6)]
    const bodies = new Map<string, string>()
    for (const call of calls) {
      const field = targetOf(call)
      const kind = field === 'userEmail' ? 'foreign' : 'own'
      const target = field ? await targetFor(product, { person, stranger }, field, kind) : ''
      bodies.set(call.path, JSON.stringify(sampleBody(call, targetsWith(field, target))))
    }
    const logged = product.logs.length
    const failed: string[] = []
    await withoutTable(table, async () => {
      for (const { path } of calls.filter((call) => !call.path.endsWith('/signout'))) {
        const headers = { ...json, ...bearer(person.token) }
        const reply = await send(product.url, { path, headers, body: bodies.get(path) ?? '' })
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

test('a request that failed half-way has left nothing behind', async () => {
  const person = await product.person({ points: 1_000 })
  const count = async (table: 'users' | 'accounts') =>
    (await product.ctx.pool.query(`SELECT count(*) AS total FROM ${table}`)).rows[0].total
  const before = [await count('users'), await count('accounts')]
  await withoutTable('audit', async () => {
    const failed = await product.call(signUp, { email: freshEmail(), password: samplePassword })
    expect(failed.errorType).toBe('INTERNAL')
  })
  await withoutTable('events', async () => {
    const failed = await person.call(newAccount, {
      accountName: 'half',
      accountVPNType: 'hysteria2-direct',
      accountTunnelEnabled: false,
      accountTunnelType: '',
      accountDuration: 3,
    })
    expect(failed.errorType).toBe('INTERNAL')
  })
  expect([await count('users'), await count('accounts')]).toEqual(before)
  const { rows } = await product.ctx.pool.query('SELECT points FROM users WHERE id = $1', [person.id])
  expect(rows[0].points).toBe(1_000)
})
