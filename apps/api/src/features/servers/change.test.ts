import {
  addServer,
  changeServer,
  changeTunnel,
  getAccount,
  newAccount,
  setServerReady,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests, runOf } from '../../../test/product.ts'
import {
  directAccount,
  sampleServer,
  trojanServer,
  tunnelledAccount,
  unusedAddress,
} from '../../../test/sample-hosts.ts'
import { useStandIn } from '../provisioning/ansible.fixture.ts'

const { shop, ansible } = useStandIn()
const reserved = productForAllTests()

const linkOf = async (
  product: typeof shop.product,
  account: typeof directAccount | typeof tunnelledAccount,
) => {
  const reseller = await product.person({ points: 10_000, tunnelCredit: 10_000 })
  const { accountUUID, accountSubscriptionPath } = await reseller.ask(newAccount, account)
  return async () => {
    const now = await reseller.ask(getAccount, { accountUUID })
    expect(now.accountSubscriptionPath).toBe(accountSubscriptionPath)
    const { host, searchParams } = new URL(now.accountQRString.replace(/^\w+:/, 'http:'))
    return [host, searchParams.get('sni')]
  }
}
const runHost = async (uuid: string) => {
  await shop.run((await runOf(shop.product, uuid)).uuid, { playbook: shop.playbook('ping:') })
  shop.product.clock.advance(1_000)
}

test('links keep port and name of a server until a run has applied the new ones', async () => {
  const { admin } = shop.product
  const { serverUUID } = await shop.server({ serverIPV4: '203.0.113.8', countryId: 56 })
  await runHost(serverUUID)
  const link = await linkOf(shop.product, { ...directAccount, ...{ countryId: 56 } })
  const change = { serverUUID, serverIPV4: '203.0.113.8', countryId: 56 }
  expect(await link()).toEqual(['203.0.113.8:8443', 'fra1.example.com'])
  const changed = await admin.ask(changeServer, {
    ...change,
    ...{ serverURL: 'new.example.com/page', serverPort: 9443, serverSNIAddress: 'sni.example.com' },
    basedOn: { serverURL: 'fra1.example.com', serverPort: 8443, serverSNIAddress: '' },
  })
  expect(changed).toMatchObject({
    serverPort: 9443,
    serverState: 'ready',
    serverSNIAddress: 'sni.example.com',
  })
  expect(await link()).toEqual(['203.0.113.8:8443', 'fra1.example.com'])
  await runHost(serverUUID)
  expect(await link()).toEqual(['203.0.113.8:9443', 'sni.example.com'])
  await admin.ask(changeServer, { ...change, serverSNIAddress: '' })
  await admin.ask(setServerReady, { serverUUID, reason: 'by hand' })
  expect(await link()).toEqual(['203.0.113.8:9443', 'new.example.com'])
  const stale = { ...change, serverPort: 8443, basedOn: { serverPort: 8443 } }
  expect(await admin.refusal(changeServer, stale)).toBe('CHANGED_MEANWHILE')
})

test('links keep the port of a tunnel until a run has applied the new one', async () => {
  const { admin } = shop.product
  const { tunnelUUID } = await shop.tunnel({ tunnelIPV4: '203.0.113.20' })
  await runHost(tunnelUUID)
  await shop.product.server({ ...trojanServer(), serverURL: 'ams.example.com' })
  const link = await linkOf(shop.product, tunnelledAccount)
  const change = { tunnelUUID, tunnelIPV4: '203.0.113.20', tunnelURL: 'door.example.com' }
  await admin.ask(changeTunnel, { ...change, tunnelPort: 2053, basedOn: { tunnelPort: 443 } })
  expect(await link()).toEqual(['203.0.113.20:443', 'ams.example.com'])
  await runHost(tunnelUUID)
  expect(await link()).toEqual(['203.0.113.20:2053', 'ams.example.com'])
  await admin.ask(changeTunnel, { ...change, tunnelIPV4: '203.0.113.21', tunnelPort: 443 })
  expect(await link()).toEqual(['203.0.113.21:443', 'ams.example.com'])
})

test('a name that another server has, or has not given up yet, is refused', async () => {
  const { admin } = shop.product
  const { serverUUID } = await shop.server({ ...trojanServer(), serverURL: 'one.example.com' })
  await runHost(serverUUID)
  const other = await shop.product.server({ ...trojanServer(), serverURL: 'two.example.com' })
  const rename = (uuid: string, serverURL: string) =>
    admin.refusal(changeServer, { serverUUID: uuid, serverIPV4: unusedAddress(), countryId: 0, serverURL })
  expect(await rename(other, 'ONE.example.com')).toBe('TLS_NAME_TAKEN')
  expect(await rename(serverUUID, 'three.example.com')).toBeUndefined()
  expect(await rename(other, 'one.example.com')).toBe('TLS_NAME_TAKEN')
  expect(await rename(serverUUID, 'one.example.com')).toBeUndefined()
  expect(await rename(other, 'nodes.example.com')).toBe('CONTROL_PLANE_NAME')
})

const outbound = {
  tag: 'warp',
  protocol: 'socks',
  settings: { servers: [{ address: '192.0.2.9', port: 1 }] },
}
const config = (change: object) => JSON.stringify({ outbounds: [outbound], ...change })
const withOutbound = (change: object) => config({ outbounds: [{ ...outbound, ...change }] })
const withRule = (change: object) => config({ routing: { rules: [{ outboundTag: 'warp', ...change }] } })

test.each([
  [config({ inbounds: [] }), 'inbounds'],
  [config({ log: { access: '/etc/passwd' } }), 'log'],
  [config({ api: {} }), 'api'],
  ['{"__proto__": {}}', '__proto__'],
  [config({ routing: { domainStrategy: 'AsIs' } }), 'routing.domainStrategy'],
  [withOutbound({ tag: 'direct' }), 'outbounds[0].tag'],
  [withOutbound({ tag: 'nowhere' }), 'outbounds[0].tag'],
  [withOutbound({ tag: 'Warp-1' }), 'outbounds[0].tag'],
  [withOutbound({ protocol: 'loopback' }), 'outbounds[0].protocol'],
  [withOutbound({ sendThrough: '127.0.0.2' }), 'outbounds[0].sendThrough'],
  [withOutbound({ proxySettings: { tag: 'vpn' } }), 'outbounds[0].proxySettings'],
  [
    withOutbound({ protocol: 'freedom', settings: { redirect: '127.0.0.1:4443' } }),
    'outbounds[0].settings.redirect',
  ],
  [withOutbound({ streamSettings: { sockopt: { mark: 1 } } }), 'outbounds[0].streamSettings.sockopt'],
  [
    withOutbound({ streamSettings: { tlsSettings: { certificates: [{ keyFile: '/etc/shadow' }] } } }),
    'outbounds[0].streamSettings.tlsSettings.certificates[0].keyFile',
  ],
  [
    withOutbound({ streamSettings: { tlsSettings: { masterKeyLog: 'x' } } }),
    'outbounds[0].streamSettings.tlsSettings.masterKeyLog',
  ],
  [config({ outbounds: [outbound, outbound] }), 'outbounds[1].tag'],
  [withRule({ inboundTag: ['api'] }), 'routing.rules[0].inboundTag'],
  [withRule({ outboundTag: 'vpn' }), 'routing.rules[0].outboundTag'],
  [withRule({ domain: ['geosite:ir'] }), 'routing.rules[0].domain[0]'],
  [withRule({ ip: ['!ext:/etc/passwd:x'] }), 'routing.rules[0].ip[0]'],
])('the additional configuration %s is refused by field', async (serverConfigJson, field) => {
  const { error } = (
    await reserved.admin.call(addServer, {
      ...sampleServer(),
      serverUUID: crypto.randomUUID(),
      serverConfigJson,
    })
  ).envelope.response
  expect(error?.errorType).toBe('CONFIG_NOT_ALLOWED')
  expect(error?.errorContent[0]).toContain(`may not contain ${field}:`)
})

test('the additional configuration is sealed, reaches the playbook, stays when not sent, and is replaced or removed', async () => {
  const { product } = shop
  const serverConfigJson = withRule({ domain: ['domain:example.com'] })
  const { serverUUID } = await shop.server({ serverConfigJson })
  const row = await product.row('servers', serverUUID)
  expect(JSON.stringify(row.details)).not.toContain('192.0.2.9')
  const extra = async () => {
    await runHost(serverUUID)
    return (ansible.description(serverUUID).server as { extra: unknown }).extra
  }
  const change = { serverUUID, serverIPV4: row.ipv4, countryId: 0 }
  const sent = { outbounds: [outbound], rules: [{ domain: ['domain:example.com'], outboundTag: 'warp' }] }
  expect(await extra()).toEqual(sent)
  expect(await product.admin.ask(changeServer, change)).toMatchObject({ serverHasConfigJson: true })
  expect((await product.lastAudit())?.auditDetail).not.toHaveProperty('replacedSecrets')
  expect(await extra()).toEqual(sent)
  const removed = await product.admin.ask(changeServer, { ...change, serverConfigJson: '{}' })
  expect(removed.serverHasConfigJson).toBe(false)
  expect((await product.lastAudit())?.auditDetail).toMatchObject({ replacedSecrets: 'serverConfigJson' })
  expect(await extra()).toEqual({ outbounds: [], rules: [] })
})
