import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../database.ts'
import { launch } from '../process.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase({ isEmpty: true })
})
afterAll(() => database.close())

const elsewhere = (change: (url: URL) => void) => {
  const url = new URL(database.url)
  change(url)
  return url.href
}

async function refused(env: Record<string, string>): Promise<string> {
  const program = launch({ DATABASE_URL: database.url, ...env })
  expect(await program.ended()).toBe(1)
  const output = program.output()
  expect(output).not.toMatch(/^\s+at /m)
  return /Kelid could not start\. (.*)\n/.exec(output)?.[1] ?? output
}

const wrongDatabases: [string, () => string, RegExp][] = [
  [
    'an unknown host',
    () => 'postgres://kelid:secret@no-such-host.invalid/kelid',
    /^DATABASE_URL names a host that cannot be found/,
  ],
  [
    'a database that is not there',
    () => elsewhere((url) => (url.pathname = '/nowhere')),
    /^DATABASE_URL names a database that does not exist/,
  ],
  [
    'a server that does not answer',
    () => 'postgres://kelid:secret@127.0.0.1:1/kelid',
    /^The database does not answer: .* Check DATABASE_URL/,
  ],
]
test.each(wrongDatabases)('a DATABASE_URL with %s is explained in a sentence', async (_, url, sentence) => {
  const reason = await refused({ DATABASE_URL: url() })
  expect(reason).toMatch(sentence)
  expect(reason).not.toContain('secret')
})

test('a user or a password that the server refuses is explained in a sentence', async () => {
  const reason = await refused({
    DATABASE_URL: elsewhere((url) => {
      url.username = 'nobody-at-all'
      url.password = 'a-wrong-one'
    }),
  })
  expect(reason).toMatch(/^DATABASE_URL (?:has a password that the server refuses|names a user whom)/)
  expect(reason).not.toContain('a-wrong-one')
})

test('a wrong client folder, a foreign address and a used port are explained in a sentence', async () => {
  expect(await refused({ KELID_WEB_DIR: tmpdir() })).toMatch(
    /^KELID_WEB_DIR must be the folder of a built web client/,
  )
  expect(await refused({ HOST: '203.0.113.9' })).toBe(
    'HOST must be an address of this machine; it is "203.0.113.9".',
  )
  expect(await refused({ HOST: 'no-such-host.invalid' })).toMatch(/^HOST must be an address of this machine/)
  const other = createServer()
  const port = await new Promise<number>((listening) =>
    other.listen(0, '127.0.0.1', () => listening((other.address() as { port: number }).port)),
  )
  try {
    expect(await refused({ PORT: String(port) })).toBe(
      `PORT ${port} is taken by another program; set it to a free one.`,
    )
    expect(await refused({ KELID_METRICS_PORT: String(port) })).toMatch(/^KELID_METRICS_PORT .* is taken/)
    expect(await refused({ KELID_AGENT_PORT: String(port) })).toMatch(/^KELID_AGENT_PORT .* is taken/)
  } finally {
    other.close()
  }
})

test('a product that is stopped twice logs it once', async () => {
  const program = launch({ DATABASE_URL: database.url })
  expect(await program.says(/ready at/)).toBe(true)
  program.child.kill('SIGINT')
  program.child.kill('SIGTERM')
  expect(await program.ended()).toBe(0)
  expect(program.output().match(/Kelid is stopping/g)).toHaveLength(1)
})
