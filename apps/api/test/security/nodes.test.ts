import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { Agent } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import { day, getAudit, getServer, getTunnel, hello, removeHost, routes } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { issueNodeCertificate } from '../../src/features/authority/authority.ts'
import { signCertificate } from '../../src/features/authority/certificate.ts'
import { handshakesOfNetwork } from '../../src/http/handshakes.ts'
import { common } from '../calls.ts'
import { agentOf, nodesForAllTests, openProductWithNodes } from '../nodes.ts'
import { until } from '../until.ts'
import { json, readEnvelope, send, shortenTimeouts } from './wire.ts'

const product = nodesForAllTests()
let server: string
let agent: Agent
beforeAll(async () => {
  server = await product.server()
  agent = await product.nodeOf(server)
})

const helloBody = () => ({ ...common, coreVersion: '26.3.27', now: product.clock.now().toISOString() })
const letterOf = (body: object = helloBody(), path: string = hello.path) => ({
  path,
  headers: json,
  body: JSON.stringify(body),
})
const outcomeOf = async (reply: Promise<{ status: number; text: string }>) =>
  readEnvelope(await reply).error?.errorType ?? 'OK'
const say = (by: Agent, body?: object) => send(product.nodesUrl, letterOf(body), by)
/** What became of it, by TLS or by an envelope. */
const tried = (by: Agent) =>
  outcomeOf(say(by)).catch((error: NodeJS.ErrnoException) => error.code ?? error.message)

const healthOf = (uuid: string) => product.admin.ask(getServer, { serverUUID: uuid })

test('a host whose agent says hello is up, and after a minute of silence down', async () => {
  const uuid = await product.server()
  const node = await product.nodeOf(uuid)
  expect(await healthOf(uuid)).toMatchObject({ serverHealth: 'unknown', serverLastSeenDate: null })
  const reply = readEnvelope(await say(node))
  const epoch = await product.ctx.db.selectFrom('epoch').select('uuid').executeTakeFirstOrThrow()
  const now = product.clock.now().toISOString()
  expect(reply.detailedResponse).toEqual([{ epoch: epoch.uuid, now }])
  expect(await healthOf(uuid)).toMatchObject({ serverHealth: 'up', serverLastSeenDate: now })
  product.clock.advance(61_000)
  expect(await healthOf(uuid)).toMatchObject({ serverHealth: 'down', serverLastSeenDate: now })
  const tunnel = await product.tunnel()
  expect(await outcomeOf(say(await product.nodeOf(tunnel)))).toBe('OK')
  expect((await product.admin.ask(getTunnel, { tunnelUUID: tunnel })).tunnelHealth).toBe('up')
})

test('the report of a host is stored, and many hellos cause one event', async () => {
  const uuid = await product.server()
  const node = await product.nodeOf(uuid)
  const events = () => product.sql('SELECT FROM events WHERE payload @> $1', { serverUUID: uuid })
  const before = (await events()).length
  const late = new Date(product.clock.now().getTime() - 90_000).toISOString()
  for (let count = 0; count < 5; count += 1)
    expect(await outcomeOf(say(node, { ...helloBody(), clientVersion: `0.${count}`, now: late }))).toBe('OK')
  expect((await events()).length - before).toBe(1)
  const report = () => product.sql('SELECT * FROM node_reports WHERE host_uuid = $1', uuid)
  const first = { agent_version: '0.0', core_version: '26.3.27', clock_offset_ms: -90_000 }
  expect(await report()).toMatchObject([first])
  product.clock.advance(30_000)
  expect(await outcomeOf(say(node, { ...helloBody(), coreVersion: '' }))).toBe('OK')
  expect(await report()).toMatchObject([{ agent_version: '1.0', core_version: '', clock_offset_ms: 0 }])
  expect((await events()).length - before).toBe(1)
  await product.admin.ask(removeHost, { hostUUID: uuid })
  expect(await report()).toEqual([])
})

test('the node listener serves no pages, and the API documents have no node calls', async () => {
  for (const { path } of Object.values(routes)) {
    const reply = send(product.nodesUrl, { method: 'GET', path: path.replace('*', 'x') }, agent)
    expect(await outcomeOf(reply), path).toBe('RESOURCE_NOT_FOUND')
  }
  expect(await (await product.raw(routes.openapi.path)).text()).not.toContain('/agent/')
})

test('a certificate of a foreign CA with the name of ours is refused', async () => {
  const { ca } = await issueNodeCertificate(product.ctx, server)
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = new X509Certificate(ca).subject.replace('CN=', '')
  const life = { from: new Date(Date.now() - day), until: new Date(Date.now() + day) }
  const subject = { name: `node:${server}`, use: 'client', publicKey: keys.publicKey, ...life } as const
  const { pem } = signCertificate({ name, key: keys.privateKey }, subject)
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  expect(await tried(agentOf({ ca, certificate: pem, key }))).toMatch(/ALERT|ECONNRESET/)
})

test('a certificate that expires on an open connection is refused', async () => {
  const node = await product.nodeOf(await product.server())
  const now = product.clock.now()
  expect(await tried(node)).toBe('OK')
  product.clock.advance(91 * day)
  expect(await tried(node)).toBe('UNAUTHENTICATED')
  product.clock.set(now)
  expect(await tried(node)).toBe('OK')
})

test('a removed host is refused at its next request on its open connection', async () => {
  const uuid = await product.server()
  const [node, second] = [await product.nodeOf(uuid), await product.nodeOf(uuid)]
  const opened: Socket[] = []
  node.on('free', (socket: Socket) => opened.push(socket))
  expect([await tried(node), await tried(second)]).toEqual(['OK', 'OK'])
  await product.admin.ask(removeHost, { hostUUID: uuid })
  expect([await tried(node), await tried(second)]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED'])
  expect(new Set(opened).size).toBe(1)
  expect(product.logs.some((line) => line.includes('a node was refused') && line.includes(uuid))).toBe(true)
})

test('a revoked certificate is refused while another one of the same host is not', async () => {
  const uuid = await product.server()
  const stolen = await product.nodeOf(uuid)
  expect(await tried(stolen)).toBe('OK')
  const revoke = 'UPDATE node_certificates SET revoked_at = $2 WHERE host_uuid = $1'
  await product.sql(revoke, uuid, product.clock.now())
  expect(await tried(stolen)).toBe('UNAUTHENTICATED')
  expect(await tried(await product.nodeOf(uuid))).toBe('OK')
})

test('a node that names another node is refused or counts as itself', async () => {
  const [victim, uuid] = [await product.server(), await product.server()]
  const node = await product.nodeOf(uuid)
  const audited = async () =>
    (await product.admin.ask(getAudit, { subject: uuid, action: 'foreignreport' })).items
  const named = (field: string, value: unknown) => outcomeOf(say(node, { ...helloBody(), [field]: value }))
  for (const value of [uuid, 'fra-1', crypto.randomUUID(), 7])
    expect(await named('node', value)).toBe('UNKNOWN_FIELD')
  expect(await audited(), 'nobody else was named').toEqual([])
  for (const value of [{ uuid: victim.toUpperCase() }, victim])
    for (const field of ['serverUUID', 'uuid', 'node', 'host'])
      expect(await named(field, value)).toBe('UNKNOWN_FIELD')
  expect((await audited()).map(({ auditDetail }) => auditDetail)).toEqual([
    { count: 1, server: victim, kind: 'server' },
  ])
  const headers = { ...json, 'x-node': victim, 'x-forwarded-for': '203.0.113.9' }
  const letter = { ...letterOf(helloBody(), `${hello.path}?node=${victim}`), headers }
  expect(await outcomeOf(send(product.nodesUrl, letter, agent))).toBe('OK')
  expect(await healthOf(victim)).toMatchObject({ serverLastSeenDate: null })
})

test('the listener of nodes accepts TLS 1.3 only', async () => {
  const { ca, certificate, key } = await issueNodeCertificate(product.ctx, server)
  const { port } = new URL(product.nodesUrl)
  const handshake = async (maxVersion: 'TLSv1.2' | 'TLSv1.3') => {
    const how = { ca, cert: certificate, key, maxVersion }
    const socket = connectByTls({ port: Number(port), host: '127.0.0.1', ...how })
    const [error] = await Promise.race([
      once(socket, 'secureConnect').then(() => [null]),
      new Promise<[NodeJS.ErrnoException]>((failed) => socket.once('error', (reason) => failed([reason]))),
    ])
    const protocol = error ? error.code : socket.getProtocol()
    socket.destroy()
    return protocol
  }
  expect(await handshake('TLSv1.3')).toBe('TLSv1.3')
  expect(await handshake('TLSv1.2')).toMatch(/PROTOCOL_VERSION/)
})

/** A request whose head and half of whose body have arrived. */
async function halfAsked(uuid: string) {
  const { ca, certificate, key } = await issueNodeCertificate(product.ctx, uuid)
  const { port } = new URL(product.nodesUrl)
  const socket = connectByTls({ port: Number(port), host: '127.0.0.1', ca, cert: certificate, key })
  await once(socket, 'secureConnect')
  const body = JSON.stringify(helloBody())
  const head = `POST ${hello.path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
  socket.write(head + body.slice(0, 20))
  await once(socket, 'data')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const answer = once(socket, 'close').then(() =>
    readEnvelope({ status: Number(text.split(' ')[1]), text: text.split('\r\n\r\n')[1] ?? '' }),
  )
  return { goOn: () => socket.write(body.slice(20)), answer }
}

test('a host that is removed during its request is refused', async () => {
  const [stays, goes] = [await product.server(), await product.server()]
  const requests = [await halfAsked(stays), await halfAsked(goes)]
  await product.admin.ask(removeHost, { hostUUID: goes })
  for (const { goOn } of requests) goOn()
  const [first, second] = await Promise.all(requests.map(({ answer }) => answer))
  expect([first?.error?.errorType, second?.error?.errorType]).toEqual([undefined, 'UNAUTHENTICATED'])
})

test('a request without a body times out', async () => {
  const timeouts = { headersTimeout: 30_000, requestTimeout: 30_000 }
  shortenTimeouts(product.nodeListener, 1_500)
  const began = Date.now()
  const { answer } = await halfAsked(server)
  expect((await answer).error?.errorType).toBe('BAD_REQUEST')
  expect(Date.now() - began).toBeGreaterThan(1_400)
  Object.assign(product.nodeListener, timeouts)
})

test("a stranger's idle connections are few and are closed soon", async () => {
  const { port } = new URL(product.nodesUrl)
  const closed: number[] = []
  const open = (localAddress: string) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
    let began = Date.now()
    socket.on('connect', () => {
      began = Date.now()
    })
    socket.on('error', () => {})
    socket.on('close', () => closed.push(Date.now() - began))
    return socket
  }
  const silent = Array.from({ length: 1_000 }, () => open('127.0.0.9'))
  await until(
    () => closed.length >= silent.length - handshakesOfNetwork,
    'those beyond the limit to be hung up on',
  )
  expect(await tried(await product.nodeOf(server))).toBe('OK')
  await until(() => closed.length === silent.length, 'the rest to be given up')
  expect(closed.filter((ms) => ms > 9_000)).toHaveLength(handshakesOfNetwork)
  const again = open('127.0.0.9')
  await once(again, 'connect')
  again.destroy()
})

test('stopping does not wait for unfinished handshakes', async () => {
  const other = await openProductWithNodes()
  const socket = connect(Number(new URL(other.nodesUrl).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const began = Date.now()
  await other.close()
  expect(Date.now() - began).toBeLessThan(5_000)
})
