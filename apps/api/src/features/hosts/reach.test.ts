import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  addServer,
  addTunnel,
  changeServer,
  changeTunnel,
  editHost,
  getServer,
  getTunnel,
  newAccount,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { productForAllTests } from '../../../test/product.ts'
import { directAccount, sampleServer, sampleTunnel } from '../../../test/sample-hosts.ts'
import { provisioningDir } from '../provisioning/playbook.ts'
import { slotsOf } from './relays.ts'

const product = productForAllTests()

const newServer = async (change = {}) => {
  const serverUUID = randomUUID()
  await product.admin.ask(addServer, { ...sampleServer(), ...change, serverUUID })
  return serverUUID
}
const newTunnel = async (change = {}) => {
  const tunnelUUID = randomUUID()
  await product.admin.ask(addTunnel, { ...sampleTunnel(), ...change, tunnelUUID })
  return tunnelUUID
}

test('the SSH port is 22 unless another one is entered, and an edit is in the audit log', async () => {
  const { admin } = product
  expect(await admin.ask(getServer, { serverUUID: await newServer() })).toMatchObject({ serverSSHPort: 22 })
  expect(await admin.ask(getTunnel, { tunnelUUID: await newTunnel() })).toMatchObject({ tunnelSSHPort: 22 })
  const serverUUID = await newServer({ serverSSHPort: 2222 })
  const tunnelUUID = await newTunnel({ tunnelSSHPort: 2223 })
  await admin.ask(editHost, { hostUUID: serverUUID, serverSSHPort: 2224, basedOn: { serverSSHPort: 2222 } })
  expect((await product.lastAudit())?.auditDetail).toEqual({
    'from.serverSSHPort': 2222,
    'to.serverSSHPort': 2224,
  })
  const stale = { hostUUID: serverUUID, serverSSHPort: 22, basedOn: { serverSSHPort: 2222 } }
  expect(await admin.refusal(editHost, stale)).toBe('CHANGED_MEANWHILE')
  await admin.ask(editHost, { hostUUID: tunnelUUID, tunnelSSHPort: 2225 })
  expect(await admin.ask(getTunnel, { tunnelUUID })).toMatchObject({ tunnelSSHPort: 2225 })
  for (const port of [0, 65_536, 22.5])
    expect(await admin.refusal(editHost, { hostUUID: serverUUID, serverSSHPort: port })).toBe(
      'INCOMPLETE_INFORMATION',
    )
})

test('a host that moves takes an entered SSH port along and leaves its IPv6 address behind', async () => {
  const { admin } = product
  const serverUUID = await newServer({ serverSSHPort: 2222, serverIPV6: '2001:678::8' })
  const same = (await product.row('servers', serverUUID)).ipv4 as string
  const server = { serverUUID, countryId: 276 }
  expect(await admin.ask(changeServer, { ...server, serverIPV4: same, serverSSHPort: 2226 })).toMatchObject({
    serverSSHPort: 2226,
    serverIPV6: '2001:678::8',
  })
  expect(await admin.ask(changeServer, { ...server, serverIPV4: '198.19.1.1' })).toMatchObject({
    serverSSHPort: 2226,
    serverIPV6: '',
  })
  const tunnelUUID = await newTunnel({ tunnelIPV6: '2001:678::9' })
  expect(
    await admin.ask(changeTunnel, { tunnelUUID, tunnelIPV4: '198.19.1.2', tunnelSSHPort: 2227 }),
  ).toMatchObject({ tunnelSSHPort: 2227, tunnelIPV6: '' })
})

test('an IPv6 address of the host is a second entry of subscriptions at once; a reserved one is refused', async () => {
  const { admin } = product
  const reseller = await product.person({ points: 10_000 })
  const serverUUID = await product.server({ countryId: 56 })
  const { accountSubscriptionPath } = await reseller.ask(newAccount, { ...directAccount, countryId: 56 })
  const entries = async () => {
    const answer = await product.raw(accountSubscriptionPath, { headers: { accept: '*/*' } })
    return Buffer.from(await answer.text(), 'base64')
      .toString()
      .split('\n')
  }
  expect(await entries()).toHaveLength(1)
  await admin.ask(editHost, { hostUUID: serverUUID, serverIPV6: '2001:678::5' })
  expect(await entries()).toEqual([expect.anything(), expect.stringContaining('@[2001:678::5]:8443/')])
  const hostUUID = await newTunnel({ tunnelIPV6: '2001:678::6' })
  expect(await admin.ask(getTunnel, { tunnelUUID: hostUUID })).toMatchObject({ tunnelIPV6: '2001:678::6' })
  expect(await admin.refusal(editHost, { hostUUID, tunnelIPV6: 'fd00:ec2::254' })).toBe('FORBIDDEN_TARGET')
  const body = { ...sampleTunnel(), tunnelUUID: randomUUID(), tunnelIPV6: '::1' }
  expect(await admin.refusal(addTunnel, body)).toBe('FORBIDDEN_TARGET')
})

test('a tunnel has ports of its own for each of 2,999 servers', async () => {
  const tunnel = await newTunnel()
  const first = await newServer()
  await product.sql(
    `INSERT INTO servers SELECT (jsonb_populate_record(one, jsonb_build_object('uuid', gen_random_uuid()))).*
     FROM servers one, generate_series(1, 2998) WHERE one.uuid = $1`,
    first,
  )
  const all = (await product.sql('SELECT uuid FROM servers ORDER BY uuid LIMIT 2999')).map(({ uuid }) => uuid)
  const slots = await product.ctx.atomically((tx) => slotsOf(tx, tunnel, all))
  expect([new Set(slots.values()).size, Math.max(...slots.values())]).toEqual([2999, 2999])
  const vars = parse(readFileSync(join(provisioningDir, 'roles/base/vars/main.yml'), 'utf8'))
  const portsOf = (slot: number) => vars.relay_first_port + slot * vars.relay_connections
  expect(portsOf(3000) - 1).toBe(vars.relay_last_port)
  const moreOf = (slot: number) => vars.relay_more_first_port + slot * vars.relay_more
  expect(moreOf(1_125) - 1).toBe(vars.relay_more_last_port)
})
