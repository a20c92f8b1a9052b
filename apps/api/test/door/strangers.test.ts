import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:https'
import { connect } from 'node:tls'
import {
  calls,
  day,
  getDashboard,
  hello,
  nodeCalls,
  routes,
  stranger,
  strangersProtocol,
} from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueNodeCertificate } from '../../src/features/authority/authority.ts'
import { signCertificate } from '../../src/features/authority/certificate.ts'
import { knocksMax } from '../../src/features/nodes/strangers.ts'
import { strangersMax } from '../../src/http/strangers.ts'
import { testClock } from '../clock.ts'
import { type Identity, openProductWithNodes, type ProductWithNodes } from '../nodes.ts'
import { common, openProduct } from '../product.ts'
import { bearer, json, type Letter, readEnvelope, send } from './wire.ts'

let product: ProductWithNodes
let own: string
let other: { authority: Required<Identity>; node(): Promise<Required<Identity>> }
beforeAll(async () => {
  product = await openProductWithNodes()
  own = await product.server()
  other = authorityOfOurOwnMaking('Kelid authority 0123abcd')
})
afterAll(() => product.close())

const from = () => new Date(Date.now() - day)
const until = () => new Date(Date.now() + day)
const keys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const pem = (key: ReturnType<typeof keys>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }) as string

/** Anybody can make one. */
function authorityOfOurOwnMaking(name: string) {
  const { publicKey, privateKey } = keys()
  const signer = { name, key: privateKey }
  const ca = signCertificate(signer, { name, use: 'authority', publicKey, from: from(), until: until() }).pem
  return {
    authority: { ca, certificate: ca, key: pem(privateKey) },
    async node(uuid: string = crypto.randomUUID()) {
      const mine = keys()
      const certificate = signCertificate(signer, {
        ...{ name: `node:${uuid}`, use: 'client', publicKey: mine.publicKey, from: from(), until: until() },
      } as never).pem
      return { ca, certificate, key: pem(mine.privateKey) }
    },
  }
}

/** As an agent knocks, unless said otherwise. */
const knocking = ({ ca, certificate, key }: Partial<Identity>, protocol = strangersProtocol): Agent =>
  new Agent({
    rejectUnauthorized: false,
    ...(certificate && { cert: certificate + (ca ?? ''), key }),
    ALPNProtocols: [protocol],
    maxSockets: 1,
    keepAlive: true,
  })
const letter = (path: string = stranger.path, body = JSON.stringify(common)): Letter => ({
  path,
  headers: json,
  body,
})
/** What became of it; whoever is hung up on learns nothing. */
async function tried(agent: Agent, sent: Letter = letter()): Promise<string> {
  const reply = await send(product.nodesUrl, sent, agent).catch(() => null)
  agent.destroy()
  return reply ? (readEnvelope(reply).error?.errorType ?? 'OK') : 'hung up'
}
/** To an administrator who has just signed in, whatever the time is by now. */
const shown = async () =>
  (await (await product.person({ level: 6 })).call(getDashboard, {})).answer().strangeAuthorities
const forget = () => product.ctx.db.deleteFrom('knocks').execute()

test('hosts of another installation that knock are told to administrators by its fingerprint, for an hour', async () => {
  expect(await shown()).toEqual([])
  const elsewhere = await openProduct({ clock: testClock(new Date()) })
  const [uuid, second] = [await elsewhere.server(), await elsewhere.tunnel()]
  const identity = await issueNodeCertificate(elsewhere.ctx, uuid)
  const theirs = await elsewhere.ctx.db
    .selectFrom('authority')
    .select('fingerprint')
    .executeTakeFirstOrThrow()
  expect(await tried(knocking(identity))).toBe('OK')
  product.clock.advance(60_000)
  expect(await tried(knocking(identity))).toBe('OK')
  expect(await tried(knocking(await issueNodeCertificate(elsewhere.ctx, second)))).toBe('OK')
  await elsewhere.close()
  const lastDate = product.clock.now().toISOString()
  expect(await shown()).toEqual([{ fingerprint: theirs.fingerprint, hosts: 2, lastDate }])
  product.clock.advance(3_599_000)
  expect(await shown()).toHaveLength(1)
  product.clock.advance(1_000)
  expect(await shown()).toEqual([])
  await forget()
})

test('without a certificate, with one of their own making or one that nobody signed, nobody gets as far as to knock', async () => {
  const honest = await other.node()
  const liar = await authorityOfOurOwnMaking('Kelid authority 0123abcd').node()
  const unlike = await authorityOfOurOwnMaking('Somebody').node()
  const self = authorityOfOurOwnMaking(`node:${crypto.randomUUID()}`).authority
  for (const [who, agent] of Object.entries({
    'no certificate': knocking({}),
    'self-signed': knocking(self),
    'an authority itself': knocking(other.authority),
    'without its authority': knocking({ certificate: honest.certificate, key: honest.key }),
    'with an authority that did not sign it': knocking({ ...liar, ca: honest.ca }),
    'of an authority with another name': knocking(unlike),
    'by the way of our own': knocking(honest, 'http/1.1'),
  }))
    expect(await tried(agent), who).toBe('hung up')
  expect(await shown()).toEqual([])
})

test('a stranger finds one call and is hung up on wherever else it asks; our own do not find it', async () => {
  const identity = await other.node()
  const paths = [...nodeCalls, ...calls].map(({ path }) => path)
  for (const path of [...paths, ...Object.values(routes).map(({ path }) => path), '/', '/agent/v1/%zz'])
    expect(
      await tried(knocking(identity), {
        ...letter(path),
        headers: { ...json, ...bearer(product.admin.token) },
      }),
      path,
    ).toBe('hung up')
  for (const protocol of ['http/1.1', strangersProtocol]) {
    const mine = await issueNodeCertificate(product.ctx, own)
    expect(await tried(knocking(mine, protocol))).toBe('UNAUTHENTICATED')
    expect(await tried(knocking({ ...mine, ca: other.authority.ca }, protocol))).toBe('UNAUTHENTICATED')
  }
  const clock = testClock(new Date(Date.now() - 100 * day))
  const ended = await issueNodeCertificate({ ...product.ctx, clock }, own)
  expect(await tried(knocking(ended))).toBe('UNAUTHENTICATED')
  expect(await shown()).toEqual([])
})

test('nothing but the knock is taken: no fields, no text, no great body', async () => {
  const identity = await other.node()
  const say = (body: string) => tried(knocking(identity), letter(stranger.path, body))
  expect(await say(JSON.stringify({ ...common, accounts: [] }))).toBe('UNKNOWN_FIELD')
  expect(await say('{')).toBe('BAD_REQUEST')
  expect(await say(JSON.stringify({ ...common, client: 'x'.repeat(2_000) }))).toBe('BODY_TOO_LARGE')
  expect(await say('x'.repeat(5_000_000))).toMatch(/BODY_TOO_LARGE|hung up/)
  expect(await shown()).toEqual([])
})

test('a flood of knocks is noted up to a limit, and looked at up to another', async () => {
  const now = product.clock.now()
  const rows = Array.from({ length: knocksMax - 1 }, (_, index) => ({
    authority: String(index % 9).repeat(64),
    host_uuid: crypto.randomUUID(),
    at: now,
  }))
  await product.ctx.db.insertInto('knocks').values(rows).execute()
  const known = await other.node()
  product.clock.advance(60_000)
  expect([await tried(knocking(known)), await tried(knocking(await other.node()))]).toEqual(['OK', 'OK'])
  expect((await product.ctx.db.selectFrom('knocks').select('at').execute()).length).toBe(knocksMax)
  expect(await shown()).toHaveLength(5)
  expect((await shown())[0]).toMatchObject({ hosts: 1 })
  const outcomes = new Set<string>()
  for (let count = 0; count < 260; count += 1) outcomes.add(await tried(knocking(known)))
  expect([...outcomes].sort()).toEqual(['OK', 'TOO_MANY_ATTEMPTS'])
  product.clock.advance(60_000)
  expect(await tried(knocking(known))).toBe('OK')
  await forget()
})

test('strangers who come in and say nothing have little room and are sent away; our own have theirs', async () => {
  const { ca, certificate, key } = await other.node()
  const { port } = new URL(product.nodesUrl)
  const open = async () => {
    const options = { port: Number(port), host: '127.0.0.1', rejectUnauthorized: false }
    const socket = connect({ ...options, cert: certificate + ca, key, ALPNProtocols: [strangersProtocol] })
    socket.on('error', () => {})
    await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')])
    return { socket, closed: once(socket, 'close').then(() => performance.now()) }
  }
  const since = performance.now()
  const silent = await Promise.all(Array.from({ length: strangersMax + 20 }, open))
  const agent = await product.nodeOf(own)
  const body = { coreVersion: '', now: product.clock.now().toISOString() }
  await product.ask(agent, hello, body)
  const ends = await Promise.all(silent.map(({ closed }) => closed))
  expect(ends.filter((end) => end - since > 4_500)).toHaveLength(strangersMax)
  expect(Math.max(...ends) - since).toBeLessThan(15_000)
  await product.ask(agent, hello, body)
  expect(await tried(knocking(await other.node()))).toBe('OK')
  await forget()
})
