import { X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { seconds, until } from './commands.ts'
import { handshake } from './door.ts'
import { address } from './network.ts'
import { provision } from './provision.ts'
import { names } from './resolver.ts'
import { acme, ready, server, spareReady, stage, trojanSsh } from './stage.ts'

const startedAt = 'systemctl show -p ActiveEnterTimestampMonotonic kelid-core'
const before = { serialNumber: '', started: '', since: 0 }

// The core looks for a new certificate once a minute; the other tests run meanwhile.
beforeAll(async () => {
  const { hosts, descriptions } = await ready()
  before.serialNumber = (await handshake(hosts.tunnelSsh, server.ssh)).serialNumber
  before.started = await hosts.exitSsh.say(startedAt)
  const { certificate } = trojanSsh(server.ssh)
  const { code, log } = await provision(hosts.exitSsh, { ...descriptions.exitSsh, certificate })
  expect(code, log).toBe(0)
  before.since = performance.now()
})

test.each([
  { leads: 'nowhere', to: null, code: 'NAME_UNRESOLVED', says: 'resolve|NXDOMAIN|no such host|no valid' },
  { leads: 'elsewhere', to: address.world, code: 'CERTIFICATE_REFUSED', says: 'refused' },
])('a name that leads $leads is refused with the words of the authority', async ({ to, code, says }) => {
  const { spare } = await stage()
  names.set(server.spare, to)
  const { failure, log } = await provision(spare, trojanSsh(server.spare, await acme(server.spare)))
  names.set(server.spare, spare.address)
  console.log(failure)
  expect(failure, log).toMatch(new RegExp(`^KELID:${code} .*spare[.]example.*(${says})`, 'i'))
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

test('and another one when it is due, by a timer', async () => {
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
})

test("a new certificate of the product's own authority is served without a restart", async () => {
  const { hosts } = await ready()
  await until('the new certificate is served', 75, async () => {
    const { serialNumber } = await handshake(hosts.tunnelSsh, server.ssh)
    if (serialNumber === before.serialNumber) throw new Error('still the old one')
  })
  console.log(`served at the latest ${seconds(before.since)} after the run`)
  expect(await hosts.exitSsh.say(startedAt)).toBe(before.started)
})
