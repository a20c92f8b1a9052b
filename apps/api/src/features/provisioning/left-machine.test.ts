import { randomUUID } from 'node:crypto'
import {
  addServer,
  addTunnel,
  cancelHostRun,
  changeServer,
  changeTunnel,
  getAudit,
  getHostRuns,
  getServer,
  getServerLog,
  provisionServer,
  removeHost,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { lockWaiters } from '../../../test/faults/remote.ts'
import { sampleServer, sampleTunnel, trojanServer } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'
import { createSshKey } from '../../lib/openssh.ts'
import { pinHostKey } from '../hosts/host-keys.ts'
import { lockAddresses } from '../hosts/occupancy.ts'
import { useStandIn } from './ansible.fixture.ts'
import { maintainRuns } from './provision.job.ts'

const { shop, ansible } = useStandIn()

let machines = 0
/** A machine of its own, which answers by a key of its own. */
const machine = () => {
  machines += 1
  return { address: `198.51.100.${machines}`, key: createSshKey('').publicKey.trim() }
}
type Machine = ReturnType<typeof machine>
const met = (uuid: string, { address, key }: Machine) => pinHostKey(shop.product.ctx, uuid, address, key)

const runsOf = (uuid: string, purpose: 'set-up' | 'clean') =>
  shop.product.sql(
    'SELECT * FROM provision_runs WHERE subject_uuid = $1 AND purpose = $2 ORDER BY created_at',
    uuid,
    purpose,
  )
const carryOut = async (uuid: string, purpose: 'set-up' | 'clean') => {
  for (const run of await runsOf(uuid, purpose)) if (run.state === 'queued') await shop.run(run.uuid, {})
}
const cleanings = async (uuid: string) => (await runsOf(uuid, 'clean')).map(({ state }) => state)

async function serverOn(at: Machine, change: object = {}): Promise<string> {
  const { serverUUID } = await shop.server({ ...change, serverIPV4: at.address })
  await met(serverUUID, at)
  await carryOut(serverUUID, 'set-up')
  return serverUUID
}
async function change(serverUUID: string, to: Machine) {
  shop.product.clock.advance(1_000)
  const input = { serverUUID, serverIPV4: to.address, countryId: 528 }
  await shop.product.admin.ask(changeServer, input)
}
/** The product gets in there, and sets it up. */
async function arrive(uuid: string, at: Machine) {
  await met(uuid, at)
  await carryOut(uuid, 'set-up')
}
const stateOf = async (serverUUID: string) =>
  (await shop.product.admin.ask(getServer, { serverUUID })).serverState

test('the former machine of a server is cleaned once the server is ready at its new address', async () => {
  const { admin } = shop.product
  const [from, to] = [machine(), machine()]
  const serverUUID = await serverOn(from)
  await change(serverUUID, to)
  await carryOut(serverUUID, 'clean')
  expect(await cleanings(serverUUID)).toEqual(['queued'])
  // No change of the host makes the product forget the machine that the host has left.
  await admin.ask(cancelHostRun, { hostUUID: serverUUID })
  await admin.ask(provisionServer, { serverUUID })
  await carryOut(serverUUID, 'clean')
  expect(await cleanings(serverUUID)).toEqual(['queued'])

  await arrive(serverUUID, to)
  expect([await stateOf(serverUUID), ansible.address(serverUUID)]).toEqual(['ready', to.address])
  const { ansibleLog } = await admin.ask(getServerLog, { serverUUID })
  await carryOut(serverUUID, 'clean')
  expect([ansible.description(serverUUID).purpose, ansible.address(serverUUID)]).toEqual([
    'clean',
    from.address,
  ])
  expect(await runsOf(serverUUID, 'clean')).toMatchObject([{ state: 'succeeded', last_words: null }])
  expect(await stateOf(serverUUID)).toBe('ready')
  expect((await admin.ask(getServerLog, { serverUUID })).ansibleLog).toBe(ansibleLog)
  const { items } = await admin.ask(getAudit, { action: 'cleanserver', subject: serverUUID })
  expect(items).toMatchObject([{ auditDetail: { isClean: true, ipv4: from.address } }])
  // Its key is the one at its new address.
  await admin.ask(provisionServer, { serverUUID })
  await carryOut(serverUUID, 'set-up')
  expect([await stateOf(serverUUID), ansible.address(serverUUID)]).toEqual(['ready', to.address])
})

test('a failed cleaning is in the log of that run and requests no new provisioning', async () => {
  const { admin } = shop.product
  const [from, to] = [machine(), machine()]
  const serverUUID = await serverOn(from)
  await change(serverUUID, to)
  await arrive(serverUUID, to)
  const [left] = await runsOf(serverUUID, 'clean')
  await shop.run(left?.uuid ?? '', { playbook: `${shop.folder}/nowhere.yml` })
  const { items } = await admin.ask(getHostRuns, { hostUUID: serverUUID })
  const cleaning = items.find(({ runPurpose }) => runPurpose === 'clean')
  expect([cleaning?.runState, await stateOf(serverUUID)]).toEqual(['failed', 'ready'])
  const of = { serverUUID, runUUID: cleaning?.runUUID ?? '' }
  const { ansibleLog } = await admin.ask(getServerLog, of)
  expect(ansibleLog).toMatch(/Install the complete release\. The product's files are still on the machine/)
  expect(ansibleLog).not.toContain('again')
})

test('a machine is cleaned once no tunnel uses it, and so is the former machine of a tunnel', async () => {
  const { admin } = shop.product
  const [door, otherDoor, from, to] = [machine(), machine(), machine(), machine()]
  const tunnelUUID = randomUUID()
  const tunnel = { ...sampleTunnel(), tunnelUUID, tunnelType: 'wstunnel' as const, tunnelIPV4: door.address }
  await admin.ask(addTunnel, tunnel)
  await arrive(tunnelUUID, door)
  const serverUUID = await serverOn(from, trojanServer())
  await carryOut(tunnelUUID, 'set-up')
  await change(serverUUID, to)
  await arrive(serverUUID, to)
  await carryOut(serverUUID, 'clean')
  expect(await cleanings(serverUUID)).toEqual(['queued'])
  // A tunnel that has failed leads there all the same.
  await shop.product.setRow('tunnels', tunnelUUID, { state: 'failed' })
  expect(await maintainRuns(shop.product.ctx)).toMatchObject({ cleanings: 0 })
  await shop.product.setRow('tunnels', tunnelUUID, { state: 'ready' })
  await carryOut(tunnelUUID, 'set-up')
  expect(await maintainRuns(shop.product.ctx)).toMatchObject({ cleanings: 1 })
  await carryOut(serverUUID, 'clean')
  expect(ansible.address(serverUUID)).toBe(from.address)

  shop.product.clock.advance(1_000)
  await admin.ask(changeTunnel, { tunnelUUID, tunnelIPV4: otherDoor.address })
  await arrive(tunnelUUID, otherDoor)
  await carryOut(tunnelUUID, 'clean')
  expect([await cleanings(tunnelUUID), ansible.address(tunnelUUID)]).toEqual([['succeeded'], door.address])
})

test('a machine is not cleaned if it only has another address, if a host is back on it or if it was never reached', async () => {
  const [at, elsewhere, other, unmet] = [machine(), machine(), machine(), machine()]
  const same = await serverOn(at)
  await change(same, { ...elsewhere, key: at.key })
  await arrive(same, { ...elsewhere, key: at.key })
  await carryOut(same, 'clean')
  expect(await cleanings(same)).toEqual(['superseded'])

  const returned = await serverOn(other)
  await change(returned, unmet)
  await carryOut(returned, 'set-up')
  await change(returned, other)
  await arrive(returned, other)
  await carryOut(returned, 'clean')
  expect(await cleanings(returned)).toEqual(['superseded', 'superseded'])
  expect([await stateOf(returned), ansible.description(returned).purpose]).toEqual(['ready', 'set-up'])
})

test('a server that is removed before it reached its new machine is cleaned on the old one', async () => {
  const [from, to] = [machine(), machine()]
  const serverUUID = await serverOn(from)
  await change(serverUUID, to)
  const [left] = await runsOf(serverUUID, 'clean')
  shop.product.clock.advance(1_000)
  await shop.product.admin.ask(removeHost, { hostUUID: serverUUID })
  await shop.run(left?.uuid ?? '', {})
  expect([(await cleanings(serverUUID))[0], ansible.address(serverUUID)]).toEqual(['succeeded', from.address])
})

test('a machine that was not cleaned is in the audit log, and no data of its removed host is kept', async () => {
  const { admin } = shop.product
  const at = machine()
  const serverUUID = await serverOn(at)
  await admin.ask(removeHost, { hostUUID: serverUUID })
  shop.product.clock.advance(1_000)
  await serverOn(at)
  // Two workers may come to it at once.
  const [left] = await runsOf(serverUUID, 'clean')
  await Promise.all([left, left].map((run) => shop.run(run?.uuid ?? '', {})))
  expect(await runsOf(serverUUID, 'clean')).toMatchObject([{ state: 'superseded', last_words: null }])
  const { items } = await admin.ask(getAudit, { action: 'cleanserver', subject: serverUUID })
  expect(items).toMatchObject([{ auditDetail: { isClean: false, ipv4: at.address } }])
  expect(await shop.product.sql('SELECT FROM host_keys WHERE host_uuid = $1', serverUUID)).toEqual([])
})

const addAt = ({ address }: Machine) => {
  const serverUUID = randomUUID()
  const body = { ...sampleServer(), serverUUID, serverIPV4: address, serverName: 'next' }
  return shop.product.admin.call(addServer, body)
}

test('the address that a server leaves is refused while it still serves there, and free once it is ready elsewhere', async () => {
  const [from, to] = [machine(), machine()]
  const serverUUID = await serverOn(from, { serverName: 'leaving' })
  await change(serverUUID, to)
  const refused = await addAt(from)
  expect([refused.errorType, refused.envelope.response.error?.errorContent[0]]).toEqual([
    'ADDRESS_STILL_USED',
    `leaving still serves from ${from.address}; provision it at its new address or remove it`,
  ])
  await arrive(serverUUID, to)
  expect((await addAt(from)).errorType).toBeUndefined()
  await carryOut(serverUUID, 'clean')
  expect(await cleanings(serverUUID)).toEqual(['superseded'])
})

test('the address that a server leaves is free once the server is removed', async () => {
  const from = machine()
  const serverUUID = await serverOn(from)
  await change(serverUUID, machine())
  expect((await addAt(from)).errorType).toBe('ADDRESS_STILL_USED')
  await shop.product.admin.ask(removeHost, { hostUUID: serverUUID })
  expect((await addAt(from)).errorType).toBeUndefined()
})

test('no host is added to a machine while it is cleaned', async () => {
  const at = machine()
  const serverUUID = await serverOn(at, { serverName: 'fra-1' })
  await shop.product.admin.ask(removeHost, { hostUUID: serverUUID })
  const [{ uuid }] = await runsOf(serverUUID, 'clean')
  await shop.product.setRow('provision_runs', uuid, { state: 'running' })
  const refused = await addAt(at)
  expect([refused.errorType, refused.envelope.response.error?.errorContent[0]]).toEqual([
    'ADDRESS_IN_CLEANING',
    `The machine at ${at.address} is being cleaned after fra-1; wait until that is done`,
  ])
  await shop.product.setRow('provision_runs', uuid, { state: 'failed' })
  expect((await addAt(at)).errorType).toBeUndefined()
})

test('a host added just as the cleaning begins keeps its machine', async () => {
  const { admin, ctx } = shop.product
  const at = machine()
  const serverUUID = await serverOn(at)
  await admin.ask(removeHost, { hostUUID: serverUUID })
  const { serverUUID: next } = (await addAt(machine())).answer()
  const { cleaning } = await ctx.atomically(async (tx) => {
    await lockAddresses(tx)
    const under = carryOut(serverUUID, 'clean')
    await until(async () => (await lockWaiters(shop.product)) === 1, 'the cleaning to wait for its turn')
    await tx.updateTable('servers').set({ ipv4: at.address }).where('uuid', '=', next).execute()
    return { cleaning: under }
  })
  await cleaning
  expect(await cleanings(serverUUID)).toEqual(['superseded'])
  expect(ansible.description(serverUUID).purpose).toBe('set-up')
})
