import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { seconds, until } from './commands.ts'
import { handshake } from './door.ts'
import { added } from './installation.ts'
import { address } from './network.ts'
import { provision } from './provision.ts'
import { names } from './resolver.ts'
import { acme, ready, server, spareReady, stage, trojanSsh } from './stage.ts'

const startedAt = 'systemctl show -p ActiveEnterTimestampMonotonic kelid-core'
const before = { serialNumber: '', started: '' }
let renewed: Promise<number>

// The core looks for a new certificate once a minute; the other tests run meanwhile, and what is told the product by calls.
beforeAll(async () => {
  const { hosts, descriptions } = await ready()
  before.serialNumber = (await handshake(hosts.tunnelSsh, server.ssh)).serialNumber
  before.started = await hosts.exitSsh.say(startedAt)
  const { certificate } = trojanSsh(server.ssh)
  renewed = provision(hosts.exitSsh, { ...descriptions.exitSsh, certificate }).then(({ code, log }) => {
    expect(code, log).toBe(0)
    return performance.now()
  })
  renewed.catch(() => {})
  added().catch(() => {})
})

test.concurrent.each([
  {
    leads: 'nowhere',
    on: 'spare',
    to: null,
    code: 'NAME_UNRESOLVED',
    says: 'resolve|NXDOMAIN|no such host|no valid',
  },
  {
    leads: 'elsewhere',
    on: 'other',
    to: address.world,
    code: 'CERTIFICATE_REFUSED',
    says: 'refused',
  },
] as const)('a name that leads $leads is refused with the words of the authority', async (name) => {
  const host = (await stage())[name.on]
  names.set(server[name.on], name.to)
  const certificate = await acme(server[name.on])
  const { failure, log } = await provision(host, trojanSsh(server[name.on], certificate))
  names.set(server[name.on], host.address)
  console.log(failure)
  expect(failure, log).toMatch(new RegExp(`^KELID:${name.code} .*${name.on}[.]example.*(${name.says})`, 'i'))
})

test('a server gets a certificate by ACME, once, and port 80 is closed afterwards', async () => {
  const { spare, description } = await spareReady()
  const chain = await spare.say('cat /etc/kelid/certificate/chain.pem')
  const leaf = new X509Certificate(chain)
  console.log(`${leaf.subjectAltName} by ${leaf.issuer.replace('\n', ', ')} until ${leaf.validTo}`)
  expect(leaf.checkHost(server.spare)).toBe(server.spare)
  expect(await spare.say('nft list set inet kelid opened')).not.toContain('80')
  const again = await provision(spare, description)
  expect([again.code, again.changed], again.log).toEqual([0, 0])
  expect(await spare.say('cat /etc/kelid/certificate/chain.pem')).toBe(chain)
})

test('a timer renews the certificate when it is due', async () => {
  const { spare } = await spareReady()
  const serial = async () =>
    new X509Certificate(await spare.say('cat /etc/kelid/certificate/chain.pem')).serialNumber
  const first = await serial()
  expect(await spare.say('systemctl is-active kelid-certificate.timer')).toBe('active')
  const since = performance.now()
  await spare.say('systemctl start kelid-certificate.service')
  console.log(`renewed in ${seconds(since)}`)
  expect(await serial()).not.toBe(first)
  expect(await spare.say('stat -c "%U %G %a" /etc/kelid/certificate/key.pem')).toBe('root kelid-core 640')
  expect(await spare.say('runuser -u kelid-agent -- cat /etc/kelid/certificate/chain.pem')).toContain('BEGIN')
})

test("a new certificate of the product's own authority is served without a restart", async () => {
  const { hosts } = await ready()
  const since = await renewed
  await until('the new certificate is served', 75, async () => {
    const { serialNumber } = await handshake(hosts.tunnelSsh, server.ssh)
    if (serialNumber === before.serialNumber) throw new Error('still the old one')
  })
  console.log(`served at the latest ${seconds(since)} after the run`)
  expect(await hosts.exitSsh.say(startedAt)).toBe(before.started)
})
