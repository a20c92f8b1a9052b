import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { unusedAddress } from '../../../test/sample-hosts.ts'
import { createSshKey } from '../../lib/openssh.ts'
import { releaseRun, silence, takeRun } from '../provisioning/lease.ts'
import { noteTrust } from './host-keys.store.ts'
import { pinHostKey } from './host-keys.ts'
import { type BothKinds, bothKinds } from './hosts.fixture.ts'

const product = productForAllTests()
const [server, tunnel] = bothKinds as [BothKinds, BothKinds]

async function machineWith(access: object = {}) {
  const IPV4 = unusedAddress()
  const [serverUUID, tunnelUUID] = [randomUUID(), randomUUID()]
  ;(await server.add(product.admin, serverUUID, { IPV4, ...access })).answer()
  ;(await tunnel.add(product.admin, tunnelUUID, { IPV4 })).answer()
  return { IPV4, serverUUID, tunnelUUID }
}

const accessOf = async (kind: BothKinds, uuid: string) => {
  const { SSHPort, HasSSHSecret } = await kind.read(product.admin, uuid)
  return [SSHPort, HasSSHSecret]
}

test('a service that is added to a machine uses its SSH access, and a change is one for all', async () => {
  const { serverUUID, tunnelUUID } = await machineWith({ SSHPort: 2222, SSHPassword: 'a password' })
  expect(await accessOf(tunnel, tunnelUUID)).toEqual([2222, true])
  ;(await tunnel.edit(product.admin, tunnelUUID, { SSHPort: 2200 })).answer()
  expect(await accessOf(server, serverUUID)).toEqual([2200, true])
  ;(await server.edit(product.admin, serverUUID, { SSHPassword: '' })).answer()
  expect(await accessOf(tunnel, tunnelUUID)).toEqual([2200, false])
})

test('a password or key that comes with a service is for all services of the machine', async () => {
  const { IPV4, serverUUID, tunnelUUID } = await machineWith()
  const third = randomUUID()
  ;(await server.add(product.admin, third, { IPV4, Port: 9443, SSHPort: 2222, SSHPassword: 'a' })).answer()
  for (const uuid of [serverUUID, third]) expect(await accessOf(server, uuid)).toEqual([2222, true])
  expect(await accessOf(tunnel, tunnelUUID)).toEqual([2222, true])
})

test('a host that moves to a machine takes its access, and keeps it when it leaves for a new one', async () => {
  const { IPV4 } = await machineWith({ SSHPort: 2222, SSHKey: createSshKey('own').privateKey })
  const uuid = randomUUID()
  ;(await server.add(product.admin, uuid, { SSHPort: 2300, Port: 9443 })).answer()
  ;(await server.change(product.admin, uuid, IPV4)).answer()
  expect(await accessOf(server, uuid)).toEqual([2222, true])
  ;(await server.change(product.admin, uuid, unusedAddress())).answer()
  expect(await accessOf(server, uuid)).toEqual([2222, true])
})

test('the key of a host that moves to a machine stays behind, unless it is entered again', async () => {
  const { IPV4, serverUUID, tunnelUUID } = await machineWith()
  const move = async (change: object = {}) => {
    const [uuid, SSHKey] = [randomUUID(), createSshKey('own').privateKey]
    ;(await server.add(product.admin, uuid, { SSHPort: 2300, SSHKey, Port: 9443 })).answer()
    ;(await server.change(product.admin, uuid, IPV4, { ...change })).answer()
    const access = await accessOf(server, uuid)
    await product.sql('DELETE FROM servers WHERE uuid = $1', uuid)
    return access
  }
  expect(await move()).toEqual([22, false])
  expect(await accessOf(tunnel, tunnelUUID)).toEqual([22, false])
  expect(await move({ SSHPort: 2222, SSHKey: createSshKey('entered').privateKey })).toEqual([2222, true])
  expect(await accessOf(tunnel, tunnelUUID)).toEqual([2222, true])
  expect(await accessOf(server, serverUUID)).toEqual([2222, true])
})

test('the host key of a machine is that of all its services', async () => {
  const { IPV4, serverUUID, tunnelUUID } = await machineWith()
  const key = createSshKey('host').publicKey.split(' ').slice(0, 2).join(' ')
  await pinHostKey(product.ctx, serverUUID, IPV4, key)
  await noteTrust(product.ctx.db, tunnelUUID, IPV4)
  const third = randomUUID()
  ;(await server.add(product.admin, third, { IPV4, Port: 9443 })).answer()
  const keyOf = async (uuid: string) => (await server.hostKey(product.admin, uuid)).answer()
  const pinned = await keyOf(serverUUID)
  expect(pinned).toMatchObject({ hostKeyTrustsProduct: true })
  expect([await keyOf(tunnelUUID), await keyOf(third)]).toEqual([pinned, pinned])
  ;(await tunnel.acceptKey(product.admin, tunnelUUID)).answer()
  for (const uuid of [serverUUID, tunnelUUID, third]) expect((await keyOf(uuid)).hostKeyFingerprint).toBe('')
})

test('a host that has not met its machine yet knows no key to accept or to pass on', async () => {
  const { IPV4, serverUUID, tunnelUUID } = await machineWith()
  const key = createSshKey('host').publicKey.split(' ').slice(0, 2).join(' ')
  await pinHostKey(product.ctx, serverUUID, IPV4, key)
  const elsewhere = unusedAddress()
  ;(await server.change(product.admin, serverUUID, elsewhere)).answer()
  expect((await server.acceptKey(product.admin, serverUUID)).errorType).toBe('RESOURCE_NOT_FOUND')
  const fingerprintOf = async (uuid: string) =>
    (await server.hostKey(product.admin, uuid)).answer().hostKeyFingerprint
  expect(await fingerprintOf(tunnelUUID)).not.toBe('')
  const next = randomUUID()
  ;(await tunnel.add(product.admin, next, { IPV4: elsewhere })).answer()
  expect(await product.sql('SELECT address FROM host_keys WHERE host_uuid = $1', next)).toEqual([])
})

test('runs of one machine take turns', async () => {
  const { serverUUID, tunnelUUID } = await machineWith()
  const runOf = async (uuid: string) =>
    (await product.sql('SELECT uuid FROM provision_runs WHERE subject_uuid = $1', uuid))[0].uuid as string
  const [first, second] = [await runOf(serverUUID), await runOf(tunnelUUID)]
  const lease = await takeRun(product.ctx, first)
  expect(lease).toBeDefined()
  expect(await takeRun(product.ctx, second)).toBeUndefined()
  const elsewhere = randomUUID()
  ;(await server.add(product.admin, elsewhere)).answer()
  expect(await takeRun(product.ctx, await runOf(elsewhere))).toBeDefined()
  if (lease) await releaseRun(product.ctx, lease)
  expect(await takeRun(product.ctx, second)).toMatchObject({ uuid: second, attempts: 1 })
})

test('a run whose worker died goes on after another service of its machine', async () => {
  const { serverUUID, tunnelUUID } = await machineWith()
  const runOf = async (uuid: string) =>
    (await product.sql('SELECT uuid FROM provision_runs WHERE subject_uuid = $1', uuid))[0].uuid as string
  const [lost, next] = [await runOf(serverUUID), await runOf(tunnelUUID)]
  expect(await takeRun(product.ctx, lost)).toBeDefined()
  product.clock.advance(2 * silence)
  const lease = await takeRun(product.ctx, next)
  expect(lease).toBeDefined()
  expect(await takeRun(product.ctx, lost)).toBeUndefined()
  if (lease) await releaseRun(product.ctx, lease)
  expect(await takeRun(product.ctx, lost)).toMatchObject({ state: 'running', attempts: 2 })
})
