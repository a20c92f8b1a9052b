import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { extendDuration, getUserAccounts, newAccount } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseForAllTests } from '../database.ts'
import { expectSoundBooks } from '../faults/races.ts'
import { type Person, productForAllTests } from '../product.ts'
import { trojanServer, tunnelledAccount } from '../sample-hosts.ts'

/** The reply to a failed purchase says what became of it, and never that nothing happened when something may have. */

let isAnswerLost = false

/** A connection that can lose the database's answer to a "commit". */
function losable(): Socket {
  const socket = new Socket()
  const write = socket.write.bind(socket)
  // Not before: to connect gives a socket its own way to write back.
  socket.once('connect', () => {
    socket.write = ((data: Uint8Array, ...rest: []) => {
      if (isAnswerLost && Buffer.from(data).includes('commit')) {
        isAnswerLost = false
        socket.removeAllListeners('data')
        socket.once('data', () => socket.destroy())
      }
      return write(data, ...rest)
    }) as typeof socket.write
  })
  return socket
}

const database = databaseForAllTests()
const product = productForAllTests(() => ({
  database: { ...database, connection: { ...database.connection, stream: losable } },
}))
beforeAll(async () => {
  await product.server(trojanServer())
  await product.tunnel()
})
afterAll(() => expectSoundBooks(product.ctx.db))

/** While `work` runs, the database does `deed` to every row that is written to `table`. */
async function whileTheDatabase(
  { table, when, deed }: { table: string; when: 'at once' | 'at commit'; deed: string },
  work: () => Promise<void>,
): Promise<void> {
  const { pool } = product.ctx
  await pool.query(
    `CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${deed}; RETURN NEW; END $$`,
  )
  await pool.query(
    when === 'at once'
      ? `CREATE TRIGGER interfering BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION interfere()`
      : `CREATE CONSTRAINT TRIGGER interfering AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION interfere()`,
  )
  try {
    await work()
  } finally {
    await pool.query('DROP FUNCTION interfere CASCADE')
  }
}

const points = 1_000
const price = 300
const buyer = () => product.person({ points, tunnelCredit: 1_000 })
const withKey = () => ({ 'idempotency-key': randomUUID() })

async function holdings(person: Person) {
  const [row] = await product.sql(
    'SELECT points, (SELECT count(*) FROM accounts WHERE user_id = users.id) AS accounts FROM users WHERE id = $1',
    person.id,
  )
  return row
}

const untouched = { points, accounts: 0 }
const boughtOnce = { points: points - price, accounts: 1 }

const garble = { table: 'accounts', when: 'at once', deed: `NEW.secrets := '\\x00'` } as const

test('an account whose reply cannot be composed is not bought, as the refusal says', async () => {
  const person = await buyer()
  await whileTheDatabase(garble, async () => {
    const reply = await person.call(newAccount, tunnelledAccount, withKey())
    expect([reply.status, reply.errorType]).toEqual([500, 'INTERNAL'])
    expect(reply.envelope.response.message).toContain('nothing was changed')
  })
  expect(await holdings(person)).toEqual(untouched)
})

test('an account whose reply cannot be composed is not renewed', async () => {
  const person = await buyer()
  const { accountUUID } = await person.ask(newAccount, tunnelledAccount)
  await whileTheDatabase(garble, async () => {
    const reply = await person.call(extendDuration, { accountUUID, accountDuration: 30 }, withKey())
    expect(reply.errorType).toBe('INTERNAL')
  })
  expect(await holdings(person)).toEqual(boughtOnce)
  const [account] = (await person.ask(getUserAccounts, {})).items
  expect(account?.accountDuration).toBe(30)
})

test('a reply that breaks the contract is not sent, and the buyer learns that the purchase was done', async () => {
  const person = await buyer()
  const key = withKey()
  const change = { table: 'accounts', when: 'at once', deed: `NEW.tunnel_type := 'pigeon'` } as const
  await whileTheDatabase(change, async () => {
    const reply = await person.call(newAccount, tunnelledAccount, key)
    expect([reply.status, reply.errorType]).toEqual([500, 'REPLY_FAILED'])
    expect(reply.envelope.response.message).not.toContain('nothing was changed')
    expect(reply.envelope.response.message).toContain(reply.headers.get('x-request-id'))
    expect(await holdings(person)).toEqual(boughtOnce)
  })
  await product.sql(`UPDATE accounts SET tunnel_type = 'wstunnel' WHERE user_id = $1`, person.id)
  expect((await person.call(newAccount, tunnelledAccount, key)).status).toBe(200)
  expect(await holdings(person)).toEqual(boughtOnce)
})

test('if the database is lost before the commit, the outcome is unknown and the same key buys once', async () => {
  const person = await buyer()
  const key = withKey()
  const deed = 'PERFORM pg_terminate_backend(pg_backend_pid())'
  const die = { table: 'events', when: 'at commit', deed } as const
  await whileTheDatabase(die, async () => {
    const reply = await person.call(newAccount, tunnelledAccount, key)
    expect([reply.status, reply.errorType]).toEqual([503, 'OUTCOME_UNKNOWN'])
    expect(reply.envelope.response.message).toContain('not known')
    expect(await holdings(person)).toEqual(untouched)
  })
  expect((await person.call(newAccount, tunnelledAccount, key)).status).toBe(200)
  expect(await holdings(person)).toEqual(boughtOnce)
})

test('if the database is lost after the commit, the outcome is unknown and the same key finds the purchase', async () => {
  const person = await buyer()
  const key = withKey()
  isAnswerLost = true
  const reply = await person.call(newAccount, tunnelledAccount, key)
  expect([reply.status, reply.errorType]).toEqual([503, 'OUTCOME_UNKNOWN'])
  expect(await holdings(person)).toEqual(boughtOnce)
  const again = await person.call(newAccount, tunnelledAccount, key)
  const [account] = (await person.ask(getUserAccounts, {})).items
  expect(again.answer().accountUUID).toBe(account?.accountUUID)
  expect(await holdings(person)).toEqual(boughtOnce)
})
