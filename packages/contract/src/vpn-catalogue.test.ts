import { expect, test } from 'vitest'
import { hasHello } from './client-hello.ts'
import { fitsTunnel, isVpnType, tunnelChoices, tunnelTypes, vpnCatalogue, vpnTypes } from './vpn-catalogue.ts'

test('the types of spec.md section 4', () => {
  expect(vpnCatalogue.trojan).toMatchObject({ serverType: 'xray', tunnelTypes: ['wstunnel', 'ssh'] })
  expect(vpnCatalogue['hysteria2-direct']).toMatchObject({ serverType: 'hysteria', tunnelTypes: [] })
  expect(tunnelTypes).toEqual(['wstunnel', 'ssh'])
})

test.each(vpnTypes)('%s uses tunnels only if they can forward it', (vpnType) => {
  const { network, tunnelTypes: tunnels } = vpnCatalogue[vpnType]
  expect(network === 'udp' && tunnels.length > 0).toBe(false)
})

test.each(vpnTypes)('%s fits its own tunnel types and no other', (vpnType) => {
  const own: readonly string[] = vpnCatalogue[vpnType].tunnelTypes
  for (const tunnelType of tunnelTypes) expect(fitsTunnel(vpnType, tunnelType)).toBe(own.includes(tunnelType))
  expect(fitsTunnel(vpnType, '')).toBe(vpnCatalogue[vpnType].isDirect)
  expect(tunnelChoices(vpnType).length).toBeGreaterThan(0)
  expect(tunnelChoices(vpnType).every((type) => fitsTunnel(vpnType, type))).toBe(true)
})

test.each(vpnTypes)('%s imitates a browser only over TCP', (vpnType) => {
  expect(hasHello(vpnType)).toBe(vpnCatalogue[vpnType].network === 'tcp')
})

test.each(['', 'Trojan', 'toString', 'wireguard'])('%j is not a VPN type', (text) => {
  expect(isVpnType(text)).toBe(false)
})
