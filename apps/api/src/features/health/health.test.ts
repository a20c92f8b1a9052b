import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import tls from 'node:tls'
import {
  changeServer,
  getDashboard,
  getHostHealth,
  getServer,
  getServers,
  getTunnel,
  provisionTunnel,
  removeHost,
  type VpnType,
} from '@kelid/contract'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../../test/clock.ts'
import { openProduct, productForAllTests } from '../../../test/product.ts'
import { trojanServer } from '../../../test/sample-hosts.ts'
import { measure } from '../../http/metrics.ts'
import { issueServerCertificate } from '../authority/authority.ts'
import { openTlsEntrance, type TlsEntrance } from './health.fixture.ts'
import { probeHosts } from './probe.job.ts'

const local = '127.0.0.1'
const first = 'ams1.example.com'
const second = 'ams2.example.com'

// Certificates are checked by the clock of this machine.
const product = productForAllTests({
  clock: testClock(new Date()),
  env: { KELID_PROBES: 'yes', KELID_ALLOW_RESERVED_TARGETS: 'yes' },
})
const entrances: TlsEntrance[] = []
afterEach(async () => {
  for (const entrance of entrances.splice(0)) await entrance.close().catch(() => {})
  for (const table of ['health_changes', 'probes', 'servers', 'tunnels'])
    await product.sql(`DELETE FROM ${table}`)
})

type Issued = Awaited<ReturnType<typeof issueServerCertificate>>
async function openWith(certificates: [string, Issued][]) {
  const entrance = await openTlsEntrance(new Map(certificates))
  entrances.push(entrance)
  return entrance
}
const open = async (...names: string[]) => {
  const issued = names.map(
    async (name): Promise<[string, Issued]> => [name, await issueServerCertificate(product.ctx, name)],
  )
  return openWith(await Promise.all(issued))
}
/** Not by a call, which refuses a second host on one machine. */
async function putHere(table: 'servers' | 'tunnels', uuid: string): Promise<string> {
  await product.setRow(table, uuid, { ipv4: local })
  return uuid
}
const tunnelAt = async (port: number, change = {}) =>
  putHere('tunnels', await product.tunnel({ tunnelPort: port, ...change }))
const exit = (url = first, change = {}) => product.server({ ...trojanServer(), serverURL: url, ...change })
/** A minute passes, and the next round with it. */
const round = async (times = 1) => {
  let counted = {}
  for (let count = 0; count < times; count += 1) {
    counted = await probeHosts(product.ctx)
    product.clock.advance(60_000)
  }
  return counted
}
const admin = () => product.again(product.admin)
const healthOf = async (hostUUID: string) => (await admin()).ask(getHostHealth, { hostUUID })

test('a tunnel and the server behind it are up after a handshake through both, with issuer and end of the certificate', async () => {
  const tunnel = await tunnelAt((await open(first)).port)
  const server = await exit()
  expect((await healthOf(server)).health).toBe('unknown')
  expect(await round()).toEqual({ answered: 2, failed: 0, untried: 0 })
  expect(await healthOf(server)).toMatchObject({
    health: 'up',
    reason: 'ANSWERED',
    probeOutcome: 'ANSWERED',
    certificateIssuer: expect.stringMatching(/^Kelid authority/),
    changes: [{ health: 'up', untilDate: null }],
  })
  const { certificateUntilDate } = await healthOf(server)
  expect(Date.parse(certificateUntilDate ?? '') - Date.now()).toBeGreaterThan(80 * 86_400_000)
  expect(await healthOf(tunnel)).toMatchObject({ health: 'up', changes: [{ health: 'up' }] })
  expect(await (await admin()).ask(getTunnel, { tunnelUUID: tunnel })).toMatchObject({ tunnelHealth: 'up' })
  const list = await (await admin()).ask(getServers, {})
  expect(list.items[0]?.serverHealth).toBe('up')
})

test('a tunnel is down after three failures in a row and up again after one answer; both changes are kept', async () => {
  const entrance = await open(first)
  const tunnel = await tunnelAt(entrance.port)
  const server = await exit()
  await round()
  await entrance.close()
  await round(2)
  expect(await healthOf(tunnel)).toMatchObject({ health: 'up', probeOutcome: 'REFUSED', probeFailures: 2 })
  await round()
  expect(await healthOf(tunnel)).toMatchObject({
    health: 'down',
    reason: 'REFUSED',
    changes: [{ health: 'down', reason: 'REFUSED', detail: 'ams-1: ECONNREFUSED' }, { health: 'up' }],
  })
  const board = await (await admin()).ask(getDashboard, {})
  expect(board).toMatchObject({ downServers: 1, downTunnels: 1, silentServers: 0, silentTunnels: 0 })

  const again = await open(first)
  await product.setRow('tunnels', tunnel, { port: again.port })
  await round()
  expect(await healthOf(tunnel)).toMatchObject({ health: 'up', probeFailures: 0 })
  const { changes } = await healthOf(server)
  expect(changes.map(({ health }) => health)).toEqual(['up', 'down', 'up'])
  expect(changes[1]?.untilDate).toBe(changes[0]?.sinceDate)
})

test('a tunnel that reaches one server is up although it does not reach another', async () => {
  const tunnel = await tunnelAt((await open(first)).port)
  const reached = await exit()
  const lost = await exit(second, { serverName: 'ams-2' })
  await round(3)
  expect((await healthOf(reached)).health).toBe('up')
  expect(await healthOf(lost)).toMatchObject({ health: 'down', reason: 'NO_HANDSHAKE' })
  expect((await healthOf(tunnel)).health).toBe('up')
})

test('a tunnel that does not lead where another does is down, and the server is not', async () => {
  const good = await tunnelAt((await open(first, second)).port)
  const bad = await tunnelAt((await open(first)).port, { tunnelName: 'thr-2' })
  const servers = [await exit(), await exit(second, { serverName: 'ams-2' })]
  await round(3)
  expect((await healthOf(good)).health).toBe('up')
  const badHealth = await healthOf(bad)
  expect(badHealth).toMatchObject({ health: 'down', reason: 'NO_HANDSHAKE' })
  expect(badHealth.probeDetail).toMatch(/^ams-2\b/)
  for (const server of servers) expect((await healthOf(server)).health).toBe('up')
})

test('a certificate of another CA is reported as such and shown', async () => {
  const other = await openProduct({ clock: testClock(new Date()) })
  const entrance = await openWith([[first, await issueServerCertificate(other.ctx, first)]])
  await other.close()
  const tunnel = await tunnelAt(entrance.port)
  const server = await exit()
  await round(3)
  expect(await healthOf(server)).toMatchObject({ health: 'down', reason: 'CERTIFICATE' })
  expect((await healthOf(server)).certificateIssuer).toMatch(/^Kelid authority/)
  expect((await healthOf(tunnel)).reason).toBe('CERTIFICATE')
})

test('a certificate for another name is refused too', async () => {
  const ofSecond = await issueServerCertificate(product.ctx, second)
  await tunnelAt((await openWith([[first, ofSecond]])).port)
  const server = await exit()
  await round()
  expect(await healthOf(server)).toMatchObject({
    health: 'unknown',
    probeOutcome: 'CERTIFICATE',
    probeDetail: 'thr-1: ERR_TLS_CERT_ALTNAME_INVALID',
  })
})

test('a host that accepts the connection and stays silent does not delay the round', async () => {
  const mute = createServer(() => {}).listen(0, local)
  await new Promise((listening) => mute.once('listening', listening))
  const { port } = mute.address() as { port: number }
  await tunnelAt(port, { tunnelType: 'ssh' })
  const stuck = await exit(second, { serverTunnelType: 'ssh' })
  await tunnelAt((await open(first)).port)
  const server = await exit()
  expect(await round()).toEqual({ answered: 2, failed: 2, untried: 0 })
  expect((await healthOf(stuck)).probeOutcome).toBe('TIMEOUT')
  expect((await healthOf(server)).health).toBe('up')
  mute.close()
})

test('a round reads the trusted certificates once, not per probe', async () => {
  const closed = await open()
  await closed.close()
  await exit()
  for (const name of ['one', 'two', 'three'])
    await tunnelAt(closed.port, { tunnelName: name, tunnelURL: `${name}.example.com` })
  const { createSecureContext } = tls
  let read = 0
  tls.createSecureContext = (options) => {
    if (options?.ca) read += 1
    return createSecureContext(options)
  }
  syncBuiltinESMExports()
  try {
    expect(await round()).toMatchObject({ failed: 4 })
  } finally {
    tls.createSecureContext = createSecureContext
    syncBuiltinESMExports()
  }
  expect(read).toBe(1)
})

test('a silent host is down despite its probe, and only hosts in service are probed', async () => {
  const tunnel = await tunnelAt((await open(first)).port)
  const server = await exit()
  await product.setRow('servers', server, { last_seen_at: product.clock.now() })
  await round(2)
  expect(await healthOf(server)).toMatchObject({ health: 'down', reason: 'SILENT', probeOutcome: 'ANSWERED' })
  await (await admin()).ask(provisionTunnel, { tunnelUUID: tunnel })
  expect((await healthOf(tunnel)).health).toBe('up')
  await product.setRow('tunnels', tunnel, { state: 'failed' })
  expect((await healthOf(tunnel)).health).toBe('unknown')
  expect(await round()).toEqual({ answered: 0, failed: 0, untried: 1 })
  expect((await healthOf(tunnel)).changes).toMatchObject([{ health: 'up', untilDate: expect.any(String) }])
  expect((await healthOf(server)).probeOutcome).toBe('NO_TUNNEL')
})

test('a host with customers is probed, in the metrics and judged whatever its last run did', async () => {
  const tunnel = await tunnelAt((await open(first)).port)
  const server = await exit()
  await product.setRow('servers', server, { state: 'failed', accounts: 1 })
  await product.setRow('tunnels', tunnel, { state: 'failed', accounts: 1 })
  expect(await round()).toEqual({ answered: 2, failed: 0, untried: 0 })
  for (const uuid of [server, tunnel]) expect((await healthOf(uuid)).health).toBe('up')
  const registry = await measure(fastify(), product.ctx).metrics()
  expect(registry.match(/^kelid_host_up.* 1$/gm)).toHaveLength(2)
})

test('a host that cannot be probed says why, and an old result does not count', async () => {
  const alone = await tunnelAt(1, { tunnelType: 'ssh' })
  const direct = await putHere('servers', await product.server({ serverName: 'fra-9' }))
  await tunnelAt((await open(first)).port)
  const server = await exit()
  await round()
  expect(await healthOf(alone)).toMatchObject({ health: 'unknown', probeOutcome: 'NO_SERVER' })
  expect(await healthOf(direct)).toMatchObject({ health: 'unknown', probeOutcome: 'NO_CORE' })
  expect((await healthOf(server)).health).toBe('up')
  product.clock.advance(5 * 60_000)
  expect((await healthOf(server)).health).toBe('unknown')
})

test('a server of an unknown VPN type is not tried, and the others are', async () => {
  const tunnel = await tunnelAt((await open(first)).port)
  const [unknown, server] = [await exit(second), await exit()]
  const vpn_type = 'pigeon' as VpnType
  await product.setRow('servers', unknown, { vpn_type })
  await round()
  const refused = { probeOutcome: 'NO_CORE', probeDetail: 'unknown VPN type "pigeon"' }
  expect(await healthOf(unknown)).toMatchObject(refused)
  expect((await healthOf(server)).health).toBe('up')
  expect((await healthOf(tunnel)).health).toBe('up')
})

test('a target that has become forbidden gets nothing', async () => {
  const tunnel = await tunnelAt((await open(first)).port)
  await exit()
  const strict = await openProduct({
    database: product.database,
    clock: product.clock,
    env: { KELID_PROBES: 'yes' },
  })
  expect(await probeHosts(strict.ctx)).toEqual({ answered: 0, failed: 0, untried: 2 })
  await strict.close()
  expect(await healthOf(tunnel)).toMatchObject({ probeOutcome: 'FORBIDDEN', probeDetail: local })
})

test('two workers probe a host once; a host that was moved or removed meanwhile has no result', async () => {
  const tunnel = await tunnelAt((await open(first)).port)
  const server = await exit()
  await probeHosts(product.ctx)
  expect(await probeHosts(product.ctx)).toEqual({ answered: 0, failed: 0, untried: 0 })
  const seen = await admin()
  await seen.call(changeServer, { serverUUID: server, serverIPV4: '198.51.100.99', countryId: 276 })
  expect((await seen.ask(getServer, { serverUUID: server })).serverHealth).toBe('unknown')
  await seen.ask(removeHost, { hostUUID: tunnel })
  expect(await seen.refusal(getHostHealth, { hostUUID: tunnel })).toBe('RESOURCE_NOT_FOUND')
  await round()
  expect(await product.sql('SELECT host_uuid FROM probes')).toEqual([{ host_uuid: server }])
})

test('the metrics have every host in service that was heard or reached, under its name', async () => {
  const entrance = await open(first)
  const tunnel = await tunnelAt(entrance.port)
  const server = await exit()
  await tunnelAt(1, { tunnelType: 'ssh', tunnelName: 'alone' })
  const registry = measure(fastify(), product.ctx)
  const lines = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('kelid_host_up'))
  expect(await lines()).toEqual([])
  await round()
  expect(await lines()).toEqual([
    `kelid_host_up{kind="server",uuid="${server}",name="ams-1"} 1`,
    `kelid_host_up{kind="tunnel",uuid="${tunnel}",name="thr-1"} 1`,
  ])
  await entrance.close()
  await round(3)
  expect((await lines()).map((line) => line.slice(-2))).toEqual([' 0', ' 0'])
  await (await admin()).call(removeHost, { hostUUID: tunnel })
  expect(await lines()).toHaveLength(1)
})

test('all changes are counted, the latest fifty listed, and each is kept for 30 days', async () => {
  await tunnelAt((await open(first)).port)
  const server = await exit()
  await round()
  const now = product.clock.now()
  await product.sql(
    `INSERT INTO health_changes (host_uuid, subject, health, reason, detail, since, until)
     SELECT $1, 'server', 'down', 'TIMEOUT', '', $2::timestamptz - ago, $2::timestamptz - ago + interval '1 minute'
     FROM (SELECT number * interval '1 minute' AS ago FROM generate_series(2, 61) number
           UNION ALL SELECT interval '30 days 2 minutes') AS changes`,
    server,
    now,
  )
  const { changes, changeCount } = await healthOf(server)
  expect([changes.length, changeCount]).toEqual([50, 62])
  await round()
  expect((await healthOf(server)).changeCount).toBe(61)
})
