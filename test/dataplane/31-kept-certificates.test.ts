import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  addServer,
  adjustUserCredit,
  changeServer,
  deleteAccount,
  getAccount,
  getServer,
  newAccount,
  provisionServer,
  removeHost,
  setDnsProvider,
  setSettings,
} from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applied, comesIn, named, readLink } from './accounts.ts'
import { run, seconds, until } from './commands.ts'
import { openCustomer } from './customer.ts'
import { handshake } from './door.ts'
import { bootHost, type Host } from './host.ts'
import { added, hysteria, productKey, trust } from './installation.ts'
import { address } from './network.ts'
import { administrator, call, ownCertificates, settled, sql } from './product.ts'
import { names, texts } from './resolver.ts'
import { pebble } from './stage.ts'

/** No other server is there, so buyers of this country get this one. */
const countryId = 392
const chainOf = (host: Host) => host.say('cat /etc/kelid/certificate/chain.pem')
const serialOf = async (host: Host) => new X509Certificate(await chainOf(host)).serialNumber

const isReady = async (serverUUID: string) => {
  const log = await settled('server', serverUUID)
  expect((await call(getServer, { serverUUID })).serverState, log).toBe('ready')
  return log
}

const byPebble = async (source: 'acme' | 'dns') => ({
  source,
  acmeDirectory: (await pebble()).directory,
  acmeEmail: 'operator@example.com',
})

beforeAll(async () => {
  // Their runs need the settings that this file changes.
  await added()
  await call(adjustUserCredit, { userEmail: administrator.email, amount: 10_000, reason: 'to sell' })
})
afterAll(async () => {
  await call(setSettings, { certificates: ownCertificates })
})

test('a server moves to a machine to which its name does not lead, and customers get in with the same certificate', async () => {
  const key = await productKey()
  const { root } = await pebble()
  const [from, to] = await Promise.all([
    bootHost('kept-from', '198.51.100.54'),
    bootHost('kept-to', '198.51.100.55'),
  ])
  for (const host of [from, to]) await trust(host, key)
  const body = { ...hysteria('kept', from), countryId }
  const { serverUUID, serverURL } = body
  names.set(serverURL, from.address)
  // The probe, which trusts no Pebble, has to come through once, so that the server is sold.
  await call(addServer, body)
  await isReady(serverUUID)
  const account = await until('the server to be sold', 60, () =>
    call(newAccount, {
      accountName: 'by_kept',
      accountVPNType: 'hysteria2-direct',
      accountTunnelEnabled: false,
      accountTunnelType: '',
      accountDuration: 30,
      countryId,
    }),
  )
  await applied(account)
  const isIn = async () => {
    const { accountQRString } = await call(getAccount, named(account))
    const link = readLink(accountQRString)
    const app = await openCustomer({ ...link, authority: root })
    const came = await comesIn(app)
    app.close()
    return { server: link.server, came }
  }
  await call(setSettings, { certificates: await byPebble('acme') })
  await call(provisionServer, { serverUUID })
  expect(await isReady(serverUUID)).not.toContain('not kept')
  const serial = await serialOf(from)
  // The core looks for a new certificate once a minute.
  await until('the customer to get in with the certificate by ACME', 90, async () =>
    expect(await isIn()).toEqual({ server: from.address, came: true }),
  )

  const since = performance.now()
  await call(changeServer, { serverUUID, serverIPV4: to.address, countryId })
  const log = await isReady(serverUUID)
  console.log(`moved with its certificate in ${seconds(since)}`)
  expect(await serialOf(to)).toBe(serial)
  expect((await handshake(to, serverURL, { ca: root })).serialNumber).toBe(serial)
  // Certificates of this authority are due for renewal at once, which fails until the name follows.
  expect(log).toContain('serves here, but could not be renewed yet')
  expect(log).not.toContain('PRIVATE KEY')
  expect(await isIn()).toEqual({ server: to.address, came: true })

  names.set(serverURL, to.address)
  await to.say('systemctl start kelid-certificate.service')
  const renewed = await serialOf(to)
  expect(renewed).not.toBe(serial)
  await call(provisionServer, { serverUUID })
  await isReady(serverUUID)
  expect(await serialOf(to)).toBe(renewed)
  await call(deleteAccount, named(account))
  await call(removeHost, { hostUUID: serverUUID })
}, 1_200_000)

/** A DNS provider that takes records by HTTP from whoever knows the password. */
async function openDnsProvider() {
  const password = 'Canary-of-the-provider'
  const door = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const wanted = `Basic ${Buffer.from(`kelid:${password}`).toString('base64')}`
    if (request.headers.authorization !== wanted) return response.writeHead(403).end()
    const { fqdn, value } = JSON.parse(text) as { fqdn: string; value: string }
    const name = fqdn.replace(/[.]$/, '').toLowerCase()
    if (request.url === '/present') texts.set(name, value)
    else texts.delete(name)
    return response.end('{}')
  })
  await once(door.listen(8054, address.world), 'listening')
  const variables = {
    HTTPREQ_ENDPOINT: `http://${address.world}:8054`,
    HTTPREQ_USERNAME: 'kelid',
    HTTPREQ_PASSWORD: password,
    HTTPREQ_POLLING_INTERVAL: 1,
  }
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  return { password, lines: lines.join('\n'), close: () => door.close() }
}

test('a server gets and renews a certificate by DNS-01, although no name leads to it', async () => {
  const { root } = await pebble()
  const host = await bootHost('by-dns', '198.51.100.56')
  await trust(host, await productKey())
  // The control plane itself asks for records, in a mount namespace of these tests.
  writeFileSync('/mnt/resolv.conf', `nameserver ${address.world}\n`)
  run('mount', '--bind', '/mnt/resolv.conf', '/etc/resolv.conf')
  const provider = await openDnsProvider()
  const body = { ...hysteria('by-dns', host), countryId }
  const { serverUUID, serverURL } = body
  try {
    await call(setDnsProvider, { dnsProvider: 'httpreq', dnsCredentials: provider.lines })
    await call(setSettings, { certificates: await byPebble('dns') })
    const since = performance.now()
    await call(addServer, body)
    const log = await isReady(serverUUID)
    console.log(`a server by DNS-01 in ${seconds(since)}`)
    expect(log).not.toContain(provider.password)
    const first = await handshake(host, serverURL, { ca: root })
    expect(first.issuer.CN).toContain('Pebble Intermediate')
    expect((await host.ssh('ls /etc/kelid/acme; grep -r Canary /etc/kelid')).stdout).toBe('')
    expect(texts.size).toBe(0)

    await call(provisionServer, { serverUUID })
    expect(await isReady(serverUUID)).toMatch(/target\s+:.*changed=0\b/)
    await sql(`UPDATE host_certificates SET renew_at = now() WHERE use = 'dns'`)
    await until('a run to renew it', 180, async () => {
      const { serialNumber } = await handshake(host, serverURL, { ca: root })
      if (serialNumber === first.serialNumber) throw new Error('still the old one')
    })
    await isReady(serverUUID)
    await call(removeHost, { hostUUID: serverUUID })
  } finally {
    provider.close()
    run('umount', '/etc/resolv.conf')
  }
}, 1_200_000)
