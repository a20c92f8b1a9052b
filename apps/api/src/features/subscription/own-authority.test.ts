import { X509Certificate } from 'node:crypto'
import {
  changeServer,
  getAccount,
  getHostHealth,
  getUserAccounts,
  hello,
  newAccount,
  type SentAccount,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { authorityCertificate } from '../authority/authority.ts'

const product = nodesForAllTests()
let owner: Person
let authority: string
let fingerprint: string
beforeAll(async () => {
  owner = await product.person({ points: 100_000, tunnelCredit: 1_000 })
  authority = await authorityCertificate(product.ctx)
  fingerprint = new X509Certificate(authority).fingerprint256.replaceAll(':', '').toLowerCase()
})

const untilDate = '2030-01-02T03:04:05.000Z'

/** Its agent says who signed what it shows; of an older agent, nothing. */
async function says(uuid: string, by?: string, issuer = 'Kelid authority') {
  product.clock.advance(60_000)
  const certificate = by === undefined ? undefined : { issuer, untilDate, authority: by }
  const now = product.clock.now().toISOString()
  await product.ask(await product.nodeOf(uuid), hello, {
    ...{ coreVersion: '26.3.27', now },
    ...(certificate && { certificate }),
  })
}
const setUpBy = (uuid: string, isOwnAuthority: boolean) =>
  product.setRow('servers', uuid, {
    serving: JSON.stringify({ name: '', ipv4: '', port: 443, hostKey: '', isOwnAuthority }),
  })
const now = async ({ accountUUID }: SentAccount) => {
  const own = await product.again(owner)
  const { accountWays, ...account } = await own.ask(getAccount, { accountUUID })
  expect(accountWays?.map(({ accountQRString }) => accountQRString)).toEqual([account.accountQRString])
  const { items } = await own.ask(getUserAccounts, {})
  expect(items.find((item) => item.accountUUID === accountUUID)).toEqual(account)
  return account.accountQRString
}
const fileOf = async ({ accountSubscriptionPath }: SentAccount, app: string) =>
  (await product.raw(accountSubscriptionPath, { headers: { 'user-agent': app } })).text()

test.each([
  ['hysteria2', 'pinSHA256', () => product.server(), directAccount],
  ['trojan', 'pcs', () => product.server(trojanServer()), tunnelledAccount],
] as const)(
  'the links of an account on a %s server follow the CA of its certificate',
  async (_, pin, serve, wanted) => {
    const server = await serve()
    if (wanted === tunnelledAccount) await product.tunnel()
    const account = await (await product.again(owner)).ask(newAccount, wanted)
    const plain = account.accountQRString
    const pinned = plain.replace('#', `&${pin}=${fingerprint}#`)
    expect(plain).not.toContain(pin)

    await says(server)
    expect(await now(account)).toBe(plain)
    await setUpBy(server, true)
    expect(await now(account)).toBe(pinned)

    // A run that failed half-way has left another certificate there than the last whole one.
    await says(server, 'cd'.repeat(32), "Let's Encrypt R11")
    expect(await now(account)).toBe(plain)
    expect(await fileOf(account, 'mihomo')).not.toContain('    fingerprint: ')
    expect(await fileOf(account, 'SFA/1.13')).not.toContain('CERTIFICATE')
    await says(server, '')
    expect(await now(account)).toBe(plain)

    await setUpBy(server, false)
    await says(server, fingerprint)
    expect(await now(account)).toBe(pinned)
    expect(await fileOf(account, 'mihomo')).toContain(`    fingerprint: "${fingerprint}"\n`)
    const [{ tls }] = JSON.parse(await fileOf(account, 'SFA/1.13')).outbounds
    expect(`${tls.certificate.join('\n')}\n`).toBe(authority)
    expect(Buffer.from(await fileOf(account, 'v2rayNG'), 'base64').toString()).toBe(pinned)

    // What was said at the old address says nothing of the machine at the new one.
    const moved = { serverUUID: server, serverIPV4: '192.0.2.77', countryId: 276 }
    await (await product.again(product.admin)).ask(changeServer, moved)
    expect(await now(account)).not.toContain(pin)
    for (const table of ['accounts', 'servers']) await product.sql(`DELETE FROM ${table}`)
  },
)

test('owners get an event when the links of their accounts change, and only then', async () => {
  const server = await product.server()
  const own = await product.again(owner)
  const { accountUUID } = await own.ask(newAccount, directAccount)
  const eventCount = async () =>
    (await product.sql('SELECT FROM events WHERE payload @> $1', { accountUUID })).length
  await says(server, 'cd'.repeat(32))
  const before = await eventCount()
  await says(server, 'ef'.repeat(32))
  expect(await eventCount()).toBe(before)
  await says(server, fingerprint)
  expect(await eventCount()).toBe(before + 1)
  await says(server, fingerprint)
  expect(await eventCount()).toBe(before + 1)
  await says(server, 'ef'.repeat(32))
  expect(await eventCount()).toBe(before + 2)
})

test('a certificate that a tunnel reports is ignored', async () => {
  const tunnel = await product.tunnel()
  await says(tunnel, fingerprint)
  const reports = await product.sql('SELECT * FROM node_reports WHERE host_uuid = $1', tunnel)
  expect(reports).toMatchObject([{ core_version: '26.3.27', certificate_authority: null }])
})

test('an administrator sees who signed a server’s certificate and until when, by its agent', async () => {
  const serverUUID = await product.server()
  const healthNow = async () =>
    await (await product.again(product.admin)).ask(getHostHealth, { hostUUID: serverUUID })
  await says(serverUUID)
  expect(await healthNow()).toMatchObject({ certificateIssuer: '', certificateUntilDate: null })
  await says(serverUUID, fingerprint, 'Kelid authority 1234')
  expect(await healthNow()).toMatchObject({
    certificateIssuer: 'Kelid authority 1234',
    certificateUntilDate: untilDate,
  })
})
