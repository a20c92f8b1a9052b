import { createServer } from 'node:https'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, query } from '../../test/database.ts'
import { startProcess } from '../../test/process.ts'
import { freePort } from '../../test/real/ports.ts'
import { temporaryFolder } from '../db/backup/backup.fixture.ts'
import { keyPem, newKeyPair, signCertificate } from '../features/authority/certificate.ts'
import { kelid } from './cli.fixture.ts'

const linesOf = ({ stdout }: { stdout: string }) => stdout.trim().split('\n')
const problemsOf = (outcome: { stdout: string }) =>
  linesOf(outcome)
    .filter((line) => line.startsWith('PROBLEM '))
    .map((line) => line.slice('PROBLEM  '.length))

/** Facts of the machine that runs the tests. */
const ofThisMachine = /^The (program|clock|store)|GB are free/

async function databaseOfThisTest() {
  const database = await createDatabase({ isEmpty: true })
  onTestFinished(() => database.close())
  return database
}

async function installation() {
  const [port, agentPort, metricsPort] = [await freePort(), await freePort(), await freePort()]
  return {
    DATABASE_URL: (await databaseOfThisTest()).url,
    KELID_DATA_DIR: await temporaryFolder(),
    PORT: String(port),
    KELID_AGENT_PORT: String(agentPort),
    KELID_AGENT_URL: `https://localhost:${agentPort}`,
    KELID_METRICS_PORT: String(metricsPort),
    KELID_PUBLIC_URL: `http://localhost:${port}`,
  }
}

async function listen(server: ReturnType<typeof createNetServer>, port: string) {
  await new Promise<void>((listening) => server.listen(Number(port), '127.0.0.1', listening))
  onTestFinished(() => void server.close())
}

test('a running installation has no problem, and a stopped one is told apart', async () => {
  const env = await installation()
  const server = await startProcess(env)
  onTestFinished(async () => void (await server.kill('SIGTERM')))
  const running = await kelid(['doctor'], env)
  expect(problemsOf(running).filter((line) => !ofThisMachine.test(line))).toEqual([])
  expect(running.stdout).toContain(`good     The server answers on port ${env.PORT}.`)
  expect(running.stdout).toContain(
    `good     ${env.KELID_AGENT_URL} answers, with a certificate of this installation.`,
  )
  await server.kill('SIGTERM')
  const stopped = await kelid(['doctor'], env)
  expect(stopped.code).toBe(1)
  expect(problemsOf(stopped).filter((line) => !ofThisMachine.test(line))).toEqual([
    `The server does not answer on port ${env.PORT}: it is not running.`,
    expect.stringMatching(/^KELID_PUBLIC_URL: .* refuses connections. Is Kelid running/),
    expect.stringMatching(/^KELID_AGENT_URL: .* refuses connections. Is Kelid running/),
  ])
})

test('it names a database that is not there, and creates none', async () => {
  const folder = await temporaryFolder()
  const { code, stdout } = await kelid(['doctor'], { KELID_DATA_DIR: join(folder, 'data'), PORT: '0' })
  expect(code).toBe(1)
  expect(stdout).toMatch(/PROBLEM {2}The database cannot be used: There is no database in/)
  expect(stdout).toContain('PROBLEM  KELID_AGENT_URL is not set, so no host can be set up.')
  expect(stdout).toMatch(/PROBLEM {2}There is no folder .*start the server once/)
})

test('it names ports that others use, names without an address, and foreign certificates', async () => {
  const env = await installation()
  const server = await startProcess(env)
  await server.kill('SIGTERM')
  await listen(createNetServer(), env.KELID_METRICS_PORT)
  const { publicKey, privateKey } = newKeyPair()
  const life = { from: new Date(Date.now() - 1000), until: new Date(Date.now() + 60_000) }
  const name = 'somebody else'
  const signer = { name, key: privateKey }
  const { pem } = signCertificate(signer, { name, use: 'server', publicKey, ...life, hosts: ['localhost'] })
  await listen(createServer({ cert: pem, key: keyPem(privateKey) }), env.KELID_AGENT_PORT)
  const outcome = await kelid(['doctor'], { ...env, KELID_PUBLIC_URL: 'https://kelid.invalid' })
  expect(problemsOf(outcome)).toEqual(
    expect.arrayContaining([
      `KELID_METRICS_PORT: port ${env.KELID_METRICS_PORT} at 127.0.0.1 cannot be used, because another program uses it.`,
      'KELID_PUBLIC_URL: the name kelid.invalid has no address. Is it in the DNS?',
      expect.stringMatching(
        /^KELID_AGENT_URL: .* has a certificate (that nobody else issued|of another issuer)/,
      ),
    ]),
  )
})

test('it names an empty database and one of a newer version, and changes neither', async () => {
  const database = await databaseOfThisTest()
  const env = { DATABASE_URL: database.url, KELID_DATA_DIR: await temporaryFolder(), PORT: '0' }
  const empty = 'The database is empty: start the server once, or restore a backup.'
  expect(problemsOf(await kelid(['doctor'], env))).toContain(empty)
  expect(problemsOf(await kelid(['doctor'], env))).toContain(empty)
  await query(database.connection, 'CREATE TABLE schema_migrations (version int)')
  await query(database.connection, 'INSERT INTO schema_migrations VALUES (9999)')
  expect(problemsOf(await kelid(['doctor'], env))).toContainEqual(
    expect.stringMatching(/^The database is at version 9999, newer than this program knows/),
  )
})
