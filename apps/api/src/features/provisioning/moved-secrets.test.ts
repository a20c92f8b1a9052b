import { randomUUID } from 'node:crypto'
import { editHost, getAudit } from '@kelid/contract'
import { expect, test } from 'vitest'

import { createSshKey } from '../../lib/openssh.ts'
import { pinHostKey } from '../hosts/host-keys.ts'
import { type BothKinds, bothKinds } from '../hosts/hosts.fixture.ts'
import { useStandIn } from './ansible.fixture.ts'

const password = 'Canary-of-the-stored-password'
const fresh = 'Canary-of-the-new-password'
const key = createSshKey('typed').privateKey

const { shop, ansible } = useStandIn()

const admin = () => shop.product.admin
let machines = 0
const machine = () => {
  machines += 1
  return `198.51.100.${machines}`
}

async function runAll(uuid: string, purpose: 'set-up' | 'clean'): Promise<void> {
  const queued = `SELECT uuid FROM provision_runs WHERE subject_uuid = $1 AND purpose = $2 AND state = 'queued'`
  for (const run of await shop.product.sql(queued, uuid, purpose)) await shop.run(run.uuid, {})
}

/** Ready at its first address, reached by what was entered. */
async function settled({ add }: BothKinds, access: object) {
  const [uuid, from, to] = [randomUUID(), machine(), machine()]
  ;(await add(admin(), uuid, { IPV4: from, ...access })).answer()
  await pinHostKey(shop.product.ctx, uuid, from, createSshKey('').publicKey)
  await runAll(uuid, 'set-up')
  return { uuid, from, to }
}
async function arrive(uuid: string, at: string) {
  await pinHostKey(shop.product.ctx, uuid, at, createSshKey('').publicKey)
  await runAll(uuid, 'set-up')
  expect(ansible.address(uuid)).toBe(at)
}
const inventory = (uuid: string) => JSON.parse(ansible.way(uuid)).all.hosts.target

test.each(bothKinds)(
  'the stored password of a $kind is not sent to its new address; the old machine is cleaned with it',
  async (kind) => {
    const { uuid, from, to } = await settled(kind, {
      SSHUsername: 'deploy',
      SSHPassword: password,
      ReplacePassword: true,
    })
    expect(ansible.way(uuid)).toContain(password)
    shop.product.clock.advance(1_000)
    const reply = await kind.change(admin(), uuid, to)
    expect(Object.values(reply.answer())).toContain(to)
    expect((await kind.read(admin(), uuid)).HasSSHSecret).toBe(false)
    const { items } = await admin().ask(getAudit, { subject: uuid, limit: 1 })
    expect(items[0]?.auditDetail).toMatchObject({ forgottenSecrets: `${kind.kind}SSHPassword` })

    await arrive(uuid, to)
    expect(ansible.way(uuid)).not.toContain(password)
    expect(inventory(uuid)).toMatchObject({
      ansible_become: true,
      ansible_ssh_private_key_file: expect.any(String),
    })
    expect(ansible.description(uuid).ssh).toMatchObject({ lock_password: false })
    shop.product.clock.advance(1_000)
    await runAll(uuid, 'clean')
    expect([ansible.address(uuid), ansible.description(uuid).purpose]).toEqual([from, 'clean'])
    expect(ansible.way(uuid)).toContain(password)
  },
)

test.each(bothKinds)('a $kind keeps its key at a new address, and not the password of sudo', async (kind) => {
  const { uuid, to } = await settled(kind, { SSHUsername: 'deploy', SSHPassword: password, SSHKey: key })
  expect(inventory(uuid)).toHaveProperty('ansible_become_password')
  ;(await kind.change(admin(), uuid, to)).answer()
  expect((await kind.read(admin(), uuid)).HasSSHSecret).toBe(true)
  await arrive(uuid, to)
  expect(ansible.way(uuid)).not.toContain(password)
  expect(inventory(uuid)).toMatchObject({ ansible_user: { __ansible_unsafe: 'deploy' } })
  expect(inventory(uuid)).not.toHaveProperty('ansible_become_password')
})

test.each(bothKinds)('access data entered for the new address of a $kind is used there', async (kind) => {
  const { uuid, to } = await settled(kind, { SSHUsername: 'deploy', SSHPassword: password })
  ;(await kind.change(admin(), uuid, to, { SSHUsername: 'root', SSHPassword: fresh })).answer()
  const { items } = await admin().ask(getAudit, { subject: uuid, limit: 1 })
  expect(items[0]?.auditDetail).toMatchObject({
    replacedSecrets: `${kind.kind}SSHUsername ${kind.kind}SSHPassword`,
  })
  expect(items[0]?.auditDetail).not.toHaveProperty('forgottenSecrets')
  await arrive(uuid, to)
  expect(inventory(uuid)).toMatchObject({
    ansible_user: { __ansible_unsafe: 'root' },
    ansible_password: { __ansible_unsafe: fresh },
  })
  expect(ansible.way(uuid)).not.toContain(password)
})

test.each(bothKinds)('a $kind at the same address keeps its password', async (kind) => {
  const { uuid, from } = await settled(kind, { SSHUsername: 'deploy', SSHPassword: password })
  ;(await kind.change(admin(), uuid, from)).answer()
  await runAll(uuid, 'set-up')
  expect(ansible.way(uuid)).toContain(password)
  expect((await kind.read(admin(), uuid)).HasSSHSecret).toBe(true)
})

test('a password entered later is for the current address', async () => {
  const [server] = bothKinds as [BothKinds]
  const { uuid, to } = await settled(server, { SSHPassword: password })
  ;(await server.change(admin(), uuid, to)).answer()
  await admin().ask(editHost, { hostUUID: uuid, serverSSHPassword: fresh })
  await arrive(uuid, to)
  expect(ansible.way(uuid)).toContain(fresh)
  ;(await server.change(admin(), uuid, machine())).answer()
  await runAll(uuid, 'set-up')
  expect(ansible.way(uuid)).not.toContain(fresh)
})
