import { addServer, changeServer, getAccount, getServer, newAccount } from '@kelid/contract'
import { expect, test } from 'vitest'
import { sampleOf, unusedAddress } from '../../../test/sample-hosts.ts'
import { useStandIn } from '../provisioning/ansible.fixture.ts'

const { shop, ansible } = useStandIn()
const { server: sample, account } = sampleOf('hysteria2-direct')
const countryId = 348

const described = (uuid: string) => (ansible.description(uuid).server as { quic: object }).quic
const admin = () => shop.product.again(shop.product.admin)

async function ready(change: object = {}) {
  const { serverUUID } = await shop.server({ ...sample, countryId, serverIPV4: unusedAddress(), ...change })
  await shop.runSetUps(serverUUID)
  shop.product.clock.advance(1_000)
  return serverUUID
}

/** Reads the account's link and its files again and again. */
async function buy() {
  const reseller = await shop.product.person({ points: 1_000 })
  const { accountUUID, accountSubscriptionPath: path } = await reseller.ask(newAccount, {
    ...account,
    countryId,
  })
  return async () => {
    const { accountQRString } = await (await shop.product.again(reseller)).ask(getAccount, { accountUUID })
    const fileFor = async (userAgent: string) =>
      (await shop.product.raw(path, { headers: { 'user-agent': userAgent } })).text()
    return {
      link: new URL(accountQRString.replace(/^hysteria2:/, 'http:')).searchParams,
      singBox: JSON.parse(await fileFor('SFA/1.13.2')).outbounds[0],
      mihomo: await fileFor('mihomo/1.19'),
    }
  }
}

test('options come into links and files with the run that installs them, and leave with the next', async () => {
  const serverUUID = await ready()
  const read = await buy()
  const before = await read()
  expect([...before.link.keys()]).not.toContain('obfs')
  expect(before.singBox).toMatchObject({ server_port: sample.serverPort })
  expect(described(serverUUID)).toEqual({ obfuscation: '', hop_ports: '' })

  const { serverIPV4 } = await (await admin()).ask(getServer, { serverUUID })
  const change = async (body: object) =>
    (await admin()).ask(changeServer, { serverUUID, serverIPV4, countryId, ...body })
  const options = { serverObfuscated: true, serverHopPorts: '20000-20100' }
  expect(await change(options)).toMatchObject(options)
  expect((await read()).singBox, 'before the run').toEqual(before.singBox)
  await shop.runSetUps(serverUUID)

  const after = await read()
  const password = after.link.get('obfs-password') ?? ''
  expect(password).toMatch(/^[0-9a-f]{32}$/)
  expect(described(serverUUID)).toEqual({ obfuscation: password, hop_ports: '20000-20100' })
  expect([after.link.get('obfs'), after.link.get('mport')]).toEqual(['salamander', '20000-20100'])
  const { server_port: port, ...rest } = before.singBox
  expect(port).toBe(sample.serverPort)
  expect(after.singBox).toEqual({
    ...rest,
    obfs: { type: 'salamander', password },
    server_ports: ['20000:20100'],
    hop_interval: '30s',
  })
  for (const line of [`obfs-password: "${password}"`, 'ports: "20000-20100"', 'hop-interval: 30'])
    expect(after.mihomo).toContain(line)
  const [row] = await shop.product.sql('SELECT * FROM servers WHERE uuid = $1', serverUUID)
  expect(JSON.stringify(row)).not.toContain(password)

  await change({ serverObfuscated: false, serverHopPorts: '' })
  await shop.runSetUps(serverUUID)
  expect((await read()).singBox).toEqual(before.singBox)
})

test('each server has a password of its own', async () => {
  const passwords = []
  for (const _ of [1, 2]) {
    const uuid = await ready({ serverObfuscated: true })
    passwords.push((described(uuid) as { obfuscation: string }).obfuscation)
  }
  expect(new Set(passwords).size).toBe(2)
})

test('options are refused for other VPN types and when they were changed meanwhile', async () => {
  const { server: vless } = sampleOf('vless-reality')
  const { serverUUID } = await shop.server({ ...vless, serverIPV4: unusedAddress() })
  const { serverIPV4, country } = await (await admin()).ask(getServer, { serverUUID })
  const place = { serverUUID, serverIPV4, countryId: country.countryId }
  const refused = (act: Promise<unknown>, type: string) => expect(act).rejects.toMatchObject({ type })
  for (const option of [{ serverObfuscated: true }, { serverHopPorts: '20000-20100' }]) {
    await refused((await admin()).ask(changeServer, { ...place, ...option }), 'NO_QUIC')
    const body = { ...vless, ...option, serverUUID: '7d1f7c2e-2f0e-4c55-9a5e-0f5a3f1f1c02' }
    await refused((await admin()).ask(addServer, body), 'INCOMPLETE_INFORMATION')
  }
  const hysteriaUUID = await ready()
  const hysteria = await (await admin()).ask(getServer, { serverUUID: hysteriaUUID })
  const change = {
    ...{ serverUUID: hysteriaUUID, serverIPV4: hysteria.serverIPV4, countryId, serverObfuscated: false },
    basedOn: { serverObfuscated: true },
  }
  await refused((await admin()).ask(changeServer, change), 'CHANGED_MEANWHILE')
})
