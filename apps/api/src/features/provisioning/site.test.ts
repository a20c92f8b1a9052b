import { randomUUID } from 'node:crypto'
import {
  addServer,
  addTunnel,
  changeServer,
  changeTunnel,
  getServer,
  getServerLog,
  getTunnel,
} from '@kelid/contract'
import { beforeEach, expect, test, vi } from 'vitest'
import { openForAllTests } from '../../../test/hooks.ts'
import { sampleOf, sampleServer, sampleTunnel, unusedAddress } from '../../../test/sample-hosts.ts'
import { standIn, workshopForAllTests } from './ansible.fixture.ts'

const shop = workshopForAllTests({ env: { KELID_ALLOW_RESERVED_TARGETS: 'no' } })
const ansible = openForAllTests(() => standIn(shop.folder))
const name = 'www.shop.example'
let addresses: string[] = []

beforeEach(() => {
  addresses = ['203.0.113.7', '2001:db8::7', '203.0.113.8']
  vi.spyOn(shop.product.ctx, 'resolve').mockImplementation(async (asked) => (asked === name ? addresses : []))
})
const admin = () => shop.product.again(shop.product.admin)
const siteSentTo = (uuid: string) => ansible.description(uuid).site

test('hosts of both kinds get the addresses of the site at the run, and lose the site when it is taken back', async () => {
  const [serverIPV4, tunnelIPV4] = [unusedAddress(), unusedAddress()]
  const { serverUUID } = await shop.server({ serverIPV4, serverSite: name })
  const { tunnelUUID } = await shop.tunnel({ tunnelIPV4, tunnelSite: name })
  for (const uuid of [serverUUID, tunnelUUID]) {
    await shop.runSetUps(uuid)
    expect(siteSentTo(uuid)).toEqual({ name, addresses: ['203.0.113.7', '203.0.113.8'] })
  }
  const { ask, refusal } = await admin()
  const server = await ask(getServer, { serverUUID })
  expect([server.serverSite, (await ask(getTunnel, { tunnelUUID })).tunnelSite]).toEqual([name, name])
  shop.product.clock.advance(1_000)
  const place = { serverIPV4, countryId: server.country.countryId }
  expect(
    await refusal(changeServer, { serverUUID, ...place, serverSite: '', basedOn: { serverSite: '' } }),
  ).toBe('CHANGED_MEANWHILE')
  await ask(changeServer, { serverUUID, ...place, serverSite: '', basedOn: { serverSite: name } })
  expect(await shop.product.lastAudit()).toMatchObject({
    auditDetail: { 'from.serverSite': name, 'to.serverSite': '' },
  })
  await ask(changeTunnel, { tunnelUUID, tunnelIPV4, tunnelSite: '' })
  for (const uuid of [serverUUID, tunnelUUID]) {
    await shop.runSetUps(uuid)
    expect(siteSentTo(uuid)).toBeUndefined()
  }
})

test.each(['127.0.0.1', '10.1.2.3', '192.168.0.1', '169.254.169.254', 'fd12::1', '::ffff:172.16.0.1'])(
  'a site at %s is refused, and left out by a run when its name leads there later',
  async (address) => {
    const { refusal } = await admin()
    addresses = ['203.0.113.7', address]
    const [server, tunnel] = [sampleServer(), sampleTunnel()]
    expect(await refusal(addServer, { ...server, serverUUID: randomUUID(), serverSite: name })).toBe(
      'FORBIDDEN_TARGET',
    )
    expect(await refusal(addTunnel, { ...tunnel, tunnelUUID: randomUUID(), tunnelSite: name })).toBe(
      'FORBIDDEN_TARGET',
    )
    addresses = ['203.0.113.7']
    const { serverUUID } = await shop.server({ serverIPV4: unusedAddress(), serverSite: name })
    addresses = [address]
    await shop.runSetUps(serverUUID)
    expect(siteSentTo(serverUUID)).toBeUndefined()
    const { ansibleLog } = await (await admin()).ask(getServerLog, { serverUUID })
    expect(ansibleLog).toContain(`because ${name} leads to ${address}, which is not allowed`)
    expect((await (await admin()).ask(getServer, { serverUUID })).serverState).toBe('ready')
  },
)

test('a site that is one of our hosts, and a name that leads nowhere, are left out', async () => {
  const serverIPV4 = unusedAddress()
  const { serverUUID } = await shop.server({ serverIPV4, serverSite: name })
  const logOf = async () => (await (await admin()).ask(getServerLog, { serverUUID })).ansibleLog
  addresses = [serverIPV4]
  await shop.runSetUps(serverUUID)
  expect([siteSentTo(serverUUID), await logOf()]).toEqual([undefined, expect.stringContaining(serverIPV4)])
  addresses = []
  shop.product.clock.advance(1_000)
  const { ask } = await admin()
  const { countryId } = (await ask(getServer, { serverUUID })).country
  await ask(changeServer, { serverUUID, serverIPV4, countryId })
  await shop.runSetUps(serverUUID)
  expect([siteSentTo(serverUUID), await logOf()]).toEqual([
    undefined,
    expect.stringContaining(`${name} cannot be resolved`),
  ])
})

test('a server with REALITY shows the site itself, so it has no such field', async () => {
  const { ask, refusal } = await admin()
  const { server } = sampleOf('vless-reality')
  expect(
    await refusal(addServer, { ...sampleServer(), ...server, serverUUID: randomUUID(), serverSite: name }),
  ).toBe('INCOMPLETE_INFORMATION')
  const serverIPV4 = unusedAddress()
  const { serverUUID } = await shop.server({ ...server, serverIPV4 })
  const { countryId } = (await ask(getServer, { serverUUID })).country
  expect(await refusal(changeServer, { serverUUID, serverIPV4, countryId, serverSite: name })).toBe(
    'INCOMPLETE_INFORMATION',
  )
})
