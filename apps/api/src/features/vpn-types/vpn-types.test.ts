import { readFileSync } from 'node:fs'
import { usualHello, type VpnType, vpnCatalogue, vpnTypes } from '@kelid/contract'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { noQuic } from '../hosts/quic.ts'
import { redact } from '../provisioning/redact.ts'
import { importLinkIn } from '../search/pasted-links.ts'
import { formsOf } from './vpn-types.ts'

const connection = {
  secret: '4b8f0d1e-6a55-4a0e-9c1b-2f7d3c5e8a90',
  address: '203.0.113.24',
  port: 443,
  serverName: 'de1.example.com',
  authorityFingerprint: null,
  hello: usualHello,
  quic: noQuic,
  reality: { publicKey: 'IXVqT6KyIY1MzahSaEetHamFgfxVpM5NvkqO53Do0XM', shortId: '0123456789abcdef' },
}
const playbook = parse(
  readFileSync(new URL('../../../../../provisioning/vpn-types.yml', import.meta.url), 'utf8'),
)

test.each(vpnTypes)('the playbook has all parts of %s', (vpnType) => {
  const { protocol, transport, security } = vpnCatalogue[vpnType]
  expect(Object.keys(playbook.vpn_protocols)).toContain(protocol)
  expect(Object.keys(playbook.vpn_transports)).toContain(transport)
  expect(Object.keys(playbook.vpn_securities)).toContain(security)
})

test.each(vpnTypes)('a link of %s is found by search and hidden in logs', (vpnType) => {
  const { link, schemes } = formsOf(vpnType)
  const [, ...rest] = link(connection).split('://')
  for (const scheme of schemes) {
    const text = `${scheme}://${rest.join('://')}`
    expect(importLinkIn(text)).toMatchObject({ secret: connection.secret, address: connection.address })
    expect(redact(`the host says ${text}`, [])).toBe('the host says [hidden]')
  }
  expect(link(connection)).toMatch(new RegExp(`^${schemes[0]}://`))
})

test('an unknown VPN type is refused by name', () => {
  expect(() => formsOf('pigeon' as VpnType)).toThrow('This version does not know the VPN type "pigeon"')
  expect(() => formsOf('toString' as VpnType)).toThrow('"toString"')
})
