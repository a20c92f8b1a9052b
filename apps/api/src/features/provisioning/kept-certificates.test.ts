import { changeServer, day, defaultSettings, getServerLog, removeHost, revokeNode } from '@kelid/contract'
import { expect, test } from 'vitest'
import { createSshKey } from '../../lib/openssh.ts'
import { keyPem } from '../authority/certificate.ts'
import { pinHostKey } from '../hosts/host-keys.ts'
import { runQueued } from '../hosts/hosts.fixture.ts'
import { useStandIn } from './ansible.fixture.ts'
import { newAuthority, newCertificate, oddKeys } from './certificates.fixture.ts'
import { maintainRuns } from './provision.job.ts'

const { shop, ansible } = useStandIn()

let machines = 0
const machine = () => {
  machines += 1
  return `198.51.100.${machines}`
}

async function provisionAt(uuid: string, address: string) {
  await pinHostKey(shop.product.ctx, uuid, address, createSshKey('').publicKey)
  await shop.runSetUps(uuid)
}

/** A server with a certificate by ACME, as it is with the settings of the first start. */
async function serverWith(answer: string, name: string) {
  ansible.say({ event: 'certificate', text: answer })
  const address = machine()
  const { serverUUID } = await shop.server({ serverIPV4: address, serverURL: name })
  await provisionAt(serverUUID, address)
  return serverUUID
}

async function move(serverUUID: string, change: object = {}) {
  const address = machine()
  const body = { serverUUID, serverIPV4: address, countryId: 276, ...change }
  shop.product.clock.advance(1_000)
  await (await admin()).ask(changeServer, body)
  await provisionAt(serverUUID, address)
  return (ansible.description(serverUUID).certificate as { kept?: object }).kept
}

const kept = (hostUuid: string) =>
  shop.product.sql(
    `SELECT name, sealed, until FROM host_certificates WHERE host_uuid = $1 AND use = 'acme'`,
    hostUuid,
  )
/** Signed in again, because the clock is advanced by days. */
const admin = () => shop.product.again(shop.product.admin)
const now = () => shop.product.clock.now()

test('a server takes its ACME certificate along to a new machine, and the database has it sealed', async () => {
  const { chain, key, text } = newCertificate({ name: 'taken.example.com', now: now() })
  const serverUUID = await serverWith(text, 'taken.example.com')
  expect(ansible.description(serverUUID).certificate).not.toHaveProperty('kept')
  const [row] = await kept(serverUUID)
  const until = new Date(Math.floor(now().getTime() / 1000) * 1000 + 90 * day)
  expect(row).toMatchObject({ name: 'taken.example.com', until })
  expect(row?.sealed.toString('latin1')).not.toContain('PRIVATE KEY')
  expect(await move(serverUUID)).toEqual({ chain, key })
  const { ansibleLog } = await (await admin()).ask(getServerLog, { serverUUID })
  expect(ansibleLog).not.toContain('not kept')
})

test('a kept certificate is not used for another name, from another directory, or for its last two days', async () => {
  const { text } = newCertificate({ name: 'fra7.example.com', now: now() })
  const serverUUID = await serverWith(text, 'fra7.example.com')
  expect(await move(serverUUID)).toBeDefined()
  const { certificates } = defaultSettings
  const acmeDirectory = 'https://staging.example.com/directory'
  await shop.product.settings({ certificates: { ...certificates, acmeDirectory } })
  expect(await move(serverUUID)).toBeUndefined()
  await shop.product.settings({ certificates })
  const short = newCertificate({ name: 'fra7.example.com', now: now(), days: 1 })
  ansible.say({ event: 'certificate', text: short.text })
  await move(serverUUID)
  expect(await move(serverUUID)).toBeUndefined()
  ansible.say({ event: 'certificate', text })
  await move(serverUUID)
  expect(await move(serverUUID)).toBeDefined()
  expect(await move(serverUUID, { serverURL: 'fra8.example.com' })).toBeUndefined()
})

test('a removed server and a revoked one lose their kept certificates', async () => {
  const { text } = newCertificate({ name: 'gone.example.com', now: now() })
  const serverUUID = await serverWith(text, 'gone.example.com')
  expect(await kept(serverUUID)).toHaveLength(1)
  await (await admin()).ask(revokeNode, { hostUUID: serverUUID })
  expect(await kept(serverUUID)).toHaveLength(0)
  expect(await move(serverUUID)).toBeUndefined()
  expect(await kept(serverUUID)).toHaveLength(1)
  shop.product.clock.advance(1_000)
  await (await admin()).ask(removeHost, { hostUUID: serverUUID })
  await runQueued(shop.product, serverUUID)
  expect(await kept(serverUUID)).toHaveLength(0)
})

test('the certificate is read again when the host should have renewed it, at most once a day', async () => {
  const { ctx, clock } = shop.product
  const { text } = newCertificate({ name: 'renews.example.com', now: now(), days: 30 })
  const serverUUID = await serverWith(text, 'renews.example.com')
  /** How many runs the product begins by itself. */
  const begun = async () => {
    await maintainRuns(ctx)
    return shop.runSetUps(serverUUID)
  }
  clock.advance(day)
  expect(await begun()).toBe(0)
  clock.advance(day)
  for (const answer of ['', text, 'a lie']) {
    ansible.say({ event: 'certificate', text: answer })
    expect([await begun(), await begun()], answer).toEqual([1, 0])
    clock.advance(day)
  }
  const renewed = newCertificate({ name: 'renews.example.com', now: now() })
  ansible.say({ event: 'certificate', text: renewed.text })
  expect(await begun()).toBe(1)
  clock.advance(2 * day)
  expect(await begun()).toBe(0)
  expect(await move(serverUUID)).toEqual({ chain: renewed.chain, key: renewed.key })
})

const name = 'liar.example.com'
const other = 'victim.example.com'
const made = (wish: Partial<Parameters<typeof newCertificate>[0]> = {}) =>
  newCertificate({ name, now: now(), ...wish })
const lies: [string, string, () => string][] = [
  ["another server's certificate", 'for another name', () => made({ name: other }).text],
  ['a certificate for its name and another', 'for another name', () => made({ hosts: [name, other] }).text],
  ['a key that does not match', 'belongs to another certificate', () => made().chain + made().key],
  ['two keys', 'no single key', () => made().text + made().key],
  ['no key', 'no single key', () => made().chain],
  ['garbage', 'no certificate', () => `${'{{ 7*7 }}'.repeat(99)}\n${made().key}`],
  [
    'bytes that are no certificate',
    'cannot be read',
    () => `-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n${made().key}`,
  ],
  ['megabytes', 'too long', () => made().text + 'A'.repeat(99_000)],
  ['an authority', 'of an authority', () => made({ use: 'authority' }).text],
  ['an expired certificate', 'not valid now', () => made({ days: -1 }).text],
  [
    'a chain of strangers',
    'chain is broken',
    () => {
      const { chain, key } = made()
      const [leaf] = chain.split(/(?<=END CERTIFICATE-----\n)/)
      return leaf + newAuthority(now()).pem + key
    },
  ],
  [
    'a small RSA key',
    'unusual kind',
    () => {
      const { publicKey, privateKey } = oddKeys().small
      return made({ publicKey }).chain + keyPem(privateKey)
    },
  ],
  [
    'an Ed25519 key',
    'unusual kind',
    () => {
      const { publicKey, privateKey } = oddKeys().edwards
      return made({ publicKey }).chain + keyPem(privateKey)
    },
  ],
]

test('a host that lies keeps what it had, and no other host is touched', async () => {
  const victim = await serverWith(made({ name: other }).text, other)
  const liar = await serverWith(made().text, name)
  const before = { victim: await kept(victim), liar: await kept(liar) }
  expect(before.liar).toHaveLength(1)
  for (const [lie, reason, answer] of lies) {
    ansible.say({ event: 'certificate', text: answer() })
    await move(liar)
    const { ansibleLog, ansibleState } = await (await admin()).ask(getServerLog, { serverUUID: liar })
    expect(ansibleLog, lie).toContain('was not kept for another machine')
    expect(ansibleLog, lie).toContain(reason)
    expect(ansibleLog, lie).not.toContain('PRIVATE KEY')
    expect(ansibleState, lie).toBe('ready')
    expect({ victim: await kept(victim), liar: await kept(liar) }, lie).toEqual(before)
  }
})
