import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { seconds, until } from './commands.ts'
import { handshake } from './door.ts'
import { provision } from './provision.ts'
import { names } from './resolver.ts'
import { acme, ready, server, spareReady, stage, trojanSsh } from './stage.ts'

test('a name that does not resolve is refused with the words of the authority', async () => {
  const { spare } = await stage()
  names.delete(server.spare)
  const { failure, log } = await provision(spare, trojanSsh(server.spare, await acme(server.spare)))
  names.set(server.spare, spare.address)
  expect(failure, log).toMatch(/^KELID:NAME_UNRESOLVED .*spare\.example/)
})

test('a name that leads elsewhere is refused with the words of the authority', async () => {
  const { spare, hysteria } = await stage()
  names.set(server.spare, hysteria.address)
  const { failure, log } = await provision(spare, trojanSsh(server.spare, await acme(server.spare)))
  names.set(server.spare, spare.address)
  expect(failure, log).toMatch(/^KELID:CERTIFICATE_REFUSED .*(refused|timeout|deadline)/i)
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
  expect(await spare.say('systemctl is-enabled kelid-certificate.timer')).toBe('enabled')
})

test("a certificate of the product's own authority is served as it is, and replaced without a restart", async () => {
  const { hosts, descriptions } = await ready()
  const before = await handshake(hosts.tunnelSsh, server.ssh)
  const started = await hosts.exitSsh.say('systemctl show -p ActiveEnterTimestampMonotonic kelid-core')
  const { certificate } = trojanSsh(server.ssh)
  const { code, log } = await provision(hosts.exitSsh, { ...descriptions.exitSsh, certificate })
  expect(code, log).toBe(0)
  const since = performance.now()
  await until('the new certificate is served', 75, async () => {
    const now = await handshake(hosts.tunnelSsh, server.ssh)
    if (now.serialNumber === before.serialNumber) throw new Error('still the old one')
  })
  console.log(`served ${seconds(since)} after the run`)
  expect(await hosts.exitSsh.say('systemctl show -p ActiveEnterTimestampMonotonic kelid-core')).toBe(started)
})
