import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { day, foreignHostProtocol, getDashboard, hello } from '@kelid/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { issueNodeCertificate } from '../../src/features/authority/authority.ts'
import { signCertificate } from '../../src/features/authority/certificate.ts'
import { foreignHostsPerMinute } from '../../src/features/nodes/foreign-hosts.ts'
import { testClock } from '../clock.ts'
import { type Identity, nodesForAllTests } from '../nodes.ts'
import { openProduct } from '../product.ts'

const product = nodesForAllTests()
let own: string
beforeAll(async () => {
  own = await product.server()
})
beforeEach(async () => {
  product.clock.advance(60_000)
  await product.sql('DELETE FROM knocks')
})

/** Anybody can create a CA. */
function createAuthority(name = 'Kelid authority 0123abcd') {
  const keys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const pem = (key: ReturnType<typeof keys>['privateKey']) =>
    key.export({ type: 'pkcs8', format: 'pem' }) as string
  const validity = { from: new Date(Date.now() - day), until: new Date(Date.now() + day) }
  const { publicKey, privateKey } = keys()
  const signer = { name, key: privateKey }
  const ca = signCertificate(signer, { name, use: 'authority', publicKey, ...validity }).pem
  const node = (): Required<Identity> => {
    const own = keys()
    const subject = { name: `node:${crypto.randomUUID()}`, publicKey: own.publicKey, ...validity }
    const certificate = signCertificate(signer, { ...subject, use: 'client' }).pem
    return { ca, certificate, key: pem(own.privateKey) }
  }
  return { node, itself: { ca, certificate: ca, key: pem(privateKey) } }
}

/** Connects like an agent, sends bytes, and resolves with what came back when the connection ends. */
async function show({ ca, certificate, key }: Partial<Identity>, protocol = foreignHostProtocol) {
  const { port } = new URL(product.nodesUrl)
  const socket = connect({
    port: Number(port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...(certificate && { cert: certificate + (ca ?? ''), key }),
    ALPNProtocols: [protocol],
  })
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.on('error', () => {})
  socket.end(`POST ${hello.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`)
  await once(socket, 'close')
  return received
}
const authorities = async () =>
  (await (await product.person({ level: 6 })).call(getDashboard, {})).answer().strangeAuthorities
const rows = () => product.sql('SELECT * FROM knocks')

test('administrators see the CA of foreign hosts for an hour', async () => {
  const elsewhere = await openProduct({ clock: testClock(new Date()) })
  const identities = [
    await issueNodeCertificate(elsewhere.ctx, await elsewhere.server()),
    await issueNodeCertificate(elsewhere.ctx, await elsewhere.tunnel()),
  ]
  const [{ fingerprint }] = await elsewhere.sql('SELECT fingerprint FROM authority')
  await elsewhere.close()
  for (const identity of [...identities, ...identities]) expect(await show(identity)).toBe('')
  await expect.poll(rows).toHaveLength(2)
  const lastDate = product.clock.now().toISOString()
  expect(await authorities()).toEqual([{ fingerprint, hosts: 2, lastDate }])
  product.clock.advance(3_599_000)
  expect(await authorities()).toHaveLength(1)
  product.clock.advance(1_000)
  expect(await authorities()).toEqual([])
})

test('every other certificate is refused without a note and without a reply', async () => {
  const other = createAuthority()
  const honest = other.node()
  const past = testClock(new Date(Date.now() - 100 * day))
  const expired = await issueNodeCertificate({ ...product.ctx, clock: past }, own)
  const attempts: Record<string, Promise<string>> = {
    'no certificate': show({}),
    'self-signed': show(createAuthority(`node:${crypto.randomUUID()}`).itself),
    'a CA itself': show(other.itself),
    'without its CA': show({ certificate: honest.certificate, key: honest.key }),
    'with a CA that did not sign it': show({ ...createAuthority().node(), ca: honest.ca }),
    'of a CA with another name': show(createAuthority('Somebody').node()),
    'with the protocol of our own hosts': show(honest, 'http/1.1'),
    'expired, of our own CA': show(expired),
  }
  for (const [who, attempt] of Object.entries(attempts)) expect(await attempt, who).toBe('')
  const last = createAuthority().node()
  await show(last)
  await expect.poll(authorities).toHaveLength(1)
})

test('a certificate of our own CA is admitted and never noted, under either protocol', async () => {
  const identity = await issueNodeCertificate(product.ctx, own)
  for (const protocol of ['http/1.1', foreignHostProtocol]) {
    const [status] = (await show(identity, protocol)).split('\r\n')
    expect(status).toMatch(/^HTTP\/1\.1 4/)
  }
  expect(await rows()).toEqual([])
})

test('connections beyond the limit of a minute are not noted, and our own hosts still get through', async () => {
  const identity = createAuthority().node()
  // Connections without a certificate do not use up what hosts may show.
  for (let count = 0; count < foreignHostsPerMinute; count += 1) await show({}, foreignHostProtocol)
  await show(identity)
  await expect.poll(rows).toHaveLength(1)
  for (let count = 1; count < foreignHostsPerMinute; count += 1) await show(identity, foreignHostProtocol)
  const late = createAuthority().node()
  await show(late)
  const agent = await product.nodeOf(own)
  await product.ask(agent, hello, { coreVersion: '', now: product.clock.now().toISOString() })
  expect(await rows()).toHaveLength(1)
  product.clock.advance(60_000)
  await show(late)
  await expect.poll(rows).toHaveLength(2)
})
