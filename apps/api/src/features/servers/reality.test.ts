import {
  addServer,
  changeServer,
  day,
  getAccount,
  getServer,
  newAccount,
  newRealityKeys,
  quoteAccount,
  realityOverlapDays,
  removeHost,
  setSettings,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { sampleOf, unusedAddress } from '../../../test/sample-hosts.ts'
import { publicKeyOf } from '../hosts/reality.fixture.ts'
import { useStandIn } from '../provisioning/ansible.fixture.ts'
import { maintainRuns } from '../provisioning/provision.job.ts'

const { shop, ansible } = useStandIn()
const { server: sample, account: sampleAccount } = sampleOf('vless-reality')
const countryId = 348
const target = 'www.shop.example'

interface Described {
  name: string
  reality: { target: string; keys: { private: string; short_id: string }[] }
}
const described = (uuid: string) => ansible.description(uuid).server as unknown as Described

async function ready(change: object = {}) {
  const { serverUUID } = await shop.server({ ...sample, countryId, serverIPV4: unusedAddress(), ...change })
  await shop.runSetUps(serverUUID)
  shop.product.clock.advance(1_000)
  return serverUUID
}

async function buy() {
  const reseller = await shop.product.person({ points: 1_000 })
  const { accountUUID } = await reseller.ask(newAccount, { ...sampleAccount, countryId })
  return async () => {
    const { accountQRString } = await (await shop.product.again(reseller)).ask(getAccount, { accountUUID })
    return Object.fromEntries(new URL(accountQRString.replace(/^vless:/, 'http:')).searchParams)
  }
}
const admin = () => shop.product.again(shop.product.admin)

test('a server gets keys of its own, and links carry the public half, as the host has them', async () => {
  const serverUUID = await ready({ serverRealityTarget: target })
  const link = await buy()
  const { serverReality, serverRealityTarget, serverSNIAddress } = await (await admin()).ask(getServer, {
    serverUUID,
  })
  expect([serverRealityTarget, serverSNIAddress]).toEqual([target, target])
  const { name, reality } = described(serverUUID)
  expect([name, reality.target, reality.keys.length]).toEqual([target, target, 1])
  expect(ansible.description(serverUUID).certificate).toBe(undefined)
  const [{ private: privateKey, short_id: sid } = { private: '', short_id: '' }] = reality.keys
  expect(sid).toMatch(/^[0-9a-f]{16}$/)
  const expected = {
    pbk: serverReality?.publicKey,
    sid,
    sni: target,
    security: 'reality',
    flow: 'xtls-rprx-vision',
  }
  expect(await link()).toMatchObject(expected)
  expect(serverReality?.shortId).toBe(sid)
  expect(serverReality?.publicKey).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(publicKeyOf(privateKey)).toBe(serverReality?.publicKey)

  const [row] = await shop.product.sql('SELECT * FROM servers WHERE uuid = $1', serverUUID)
  expect(JSON.stringify(row)).not.toContain(privateKey)
  expect(String(row?.reality_keys)).not.toContain(privateKey)
})

test('new keys come into links with the next run, and those before stay on the host for 30 days', async () => {
  const serverUUID = await ready()
  const link = await buy()
  const before = await link()
  const [old] = described(serverUUID).reality.keys
  await (await admin()).ask(newRealityKeys, { serverUUID })
  expect(await link(), 'before the run').toEqual(before)
  await shop.runSetUps(serverUUID)
  const after = await link()
  expect(after.pbk).not.toBe(before.pbk)
  const { keys } = described(serverUUID).reality
  expect(keys).toEqual([{ private: expect.any(String), short_id: after.sid }, old])
  expect(publicKeyOf(keys[0]?.private ?? '')).toBe(after.pbk)

  await expect((await admin()).ask(newRealityKeys, { serverUUID })).rejects.toMatchObject({
    type: 'KEYS_CHANGING',
  })
  shop.product.clock.advance(realityOverlapDays * day - 60_000)
  await maintainRuns(shop.product.ctx)
  await shop.runSetUps(serverUUID)
  expect(described(serverUUID).reality.keys.length, 'a minute before the end').toBe(2)
  shop.product.clock.advance(60_000)
  await maintainRuns(shop.product.ctx)
  await shop.runSetUps(serverUUID)
  expect(described(serverUUID).reality.keys).toEqual(keys.slice(0, 1))
  expect(await link()).toEqual(after)
  await (await admin()).ask(newRealityKeys, { serverUUID })
})

test('another site for strangers takes the name along, unless the administrator chose one', async () => {
  const serverUUID = await ready({ serverRealityTarget: target })
  const { serverIPV4 } = await (await admin()).ask(getServer, { serverUUID })
  const change = async (further: object) => {
    await (await admin()).ask(changeServer, { serverUUID, serverIPV4, countryId, ...further })
    await shop.runSetUps(serverUUID)
    const { name, reality } = described(serverUUID)
    return [name, reality.target]
  }
  expect(await change({ serverRealityTarget: 'other.example' })).toEqual(['other.example', 'other.example'])
  expect(await change({ serverSNIAddress: 'www.other.example' })).toEqual([
    'www.other.example',
    'other.example',
  ])
  expect(await change({ serverRealityTarget: 'third.example' })).toEqual([
    'www.other.example',
    'third.example',
  ])
  const own = await change({ serverRealityTarget: '', serverSNIAddress: '' })
  expect(own).toEqual([sample.serverURL, ''])
  expect(ansible.description(serverUUID).certificate).toMatchObject({ name: sample.serverURL })
})

test('only servers with REALITY have a site and keys', async () => {
  const { serverUUID } = await shop.server({ serverIPV4: unusedAddress() })
  const { serverIPV4, country } = await (await admin()).ask(getServer, { serverUUID })
  const refused = (act: Promise<unknown>, type: string) => expect(act).rejects.toMatchObject({ type })
  const place = { serverUUID, serverIPV4, countryId: country.countryId }
  await refused((await admin()).ask(newRealityKeys, { serverUUID }), 'NO_REALITY')
  await refused((await admin()).ask(changeServer, { ...place, serverRealityTarget: target }), 'NO_REALITY')
  const hysteria = sampleOf('hysteria2-direct').server
  const body = {
    ...hysteria,
    serverUUID: '7d1f7c2e-2f0e-4c55-9a5e-0f5a3f1f1c01',
    serverRealityTarget: target,
  }
  await refused((await admin()).ask(addServer, body), 'INCOMPLETE_INFORMATION')
  await (await admin()).ask(removeHost, { hostUUID: serverUUID })
})

test('a direct account costs no tunnel credit, and one through a tunnel does', async () => {
  await (await admin()).ask(setSettings, { pointsPerDay: { 'vless-reality': 7 }, tunnelCreditPerDay: 2 })
  const reseller = await shop.product.person({ points: 1_000 })
  const quote = (accountTunnelType: '' | 'ssh') =>
    reseller.ask(quoteAccount, {
      ...{ accountVPNType: 'vless-reality', accountTunnelType, accountDuration: 10 },
    })
  expect(await quote('')).toMatchObject({ quotePoints: 70, quoteTunnelCredit: 0 })
  expect(await quote('ssh')).toMatchObject({ quotePoints: 70, quoteTunnelCredit: 20 })
})

test('two servers behind ssh tunnels cannot have the same site, because its name tells them apart', async () => {
  const { server } = sampleOf('vless-reality')
  const behind = {
    ...server,
    serverTunnelActive: true,
    serverTunnelType: 'ssh',
    serverRealityTarget: 'one.example',
  } as const
  await shop.server({ ...behind, serverIPV4: unusedAddress(), serverURL: 'a.example.com' })
  const second = shop.server({ ...behind, serverIPV4: unusedAddress(), serverURL: 'b.example.com' })
  await expect(second).rejects.toMatchObject({ type: 'TLS_NAME_TAKEN' })
})
