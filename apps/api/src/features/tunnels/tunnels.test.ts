import { randomUUID } from 'node:crypto'
import {
  addTunnel,
  changeTunnel,
  editHost,
  getAudit,
  getTunnel,
  getTunnelLog,
  getTunnels,
  provisionTunnel,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { sampleTunnel, useProduct } from '../../../test/product.ts'
import { runQueued } from '../hosts/hosts.fixture.ts'
import { openSecrets } from '../hosts/secrets.ts'

const product = useProduct()

const access = {
  tunnelSSHUsername: 'deploy',
  tunnelSSHPassword: 'canary-ssh-password',
  tunnelSSHKey: '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n-----END OPENSSH PRIVATE KEY-----\n',
}

/** What a run would get into the tunnel with. */
async function kept(tunnelUUID: string) {
  const row = await product.row('tunnels', tunnelUUID)
  expect(row.secrets?.toString('latin1')).not.toContain('canary')
  const { values, replacePassword } = openSecrets(product.ctx, 'tunnel', row)
  return { ...values, replacePassword }
}

test('the way into a tunnel is sealed and never told: only that there is one', async () => {
  const tunnelUUID = randomUUID()
  const body = { ...sampleTunnel(), ...access, tunnelReplacePassword: true, tunnelUUID }
  const reply = await product.admin.call(addTunnel, body)
  expect(reply.answer().tunnelHasSSHSecret).toBe(true)
  expect(JSON.stringify(reply.envelope)).not.toContain('canary')
  expect(JSON.stringify((await product.admin.call(getTunnels, {})).envelope)).not.toContain('canary')
  expect(await kept(tunnelUUID)).toEqual({ ...access, replacePassword: true })
  expect(await product.admin.ask(addTunnel, body)).toEqual(reply.answer())
  const other = await product.admin.call(addTunnel, { ...body, tunnelSSHPassword: 'another' })
  expect(other.errorType).toBe('UUID_TAKEN')
})

test('it is replaced by an edit, name by name; the audit log has which', async () => {
  const tunnelUUID = randomUUID()
  await product.admin.call(addTunnel, { ...sampleTunnel(), ...access, tunnelUUID })
  const edit = { hostUUID: tunnelUUID, tunnelSSHPassword: '', tunnelSSHKey: '', tunnelReplacePassword: true }
  await product.admin.ask(editHost, edit)
  const { tunnelHasSSHSecret } = await product.admin.ask(getTunnel, { tunnelUUID })
  expect(tunnelHasSSHSecret).toBe(false)
  expect(await kept(tunnelUUID)).toMatchObject({ tunnelSSHUsername: 'deploy', tunnelSSHPassword: '' })
  const [line] = (await product.admin.ask(getAudit, { limit: 1 })).items
  expect(line?.auditDetail).toEqual({
    replacedSecrets: 'tunnelSSHPassword tunnelSSHKey tunnelReplacePassword',
  })
  await product.admin.call(editHost, { hostUUID: tunnelUUID, tunnelName: 'renamed' })
  expect(await kept(tunnelUUID)).toMatchObject({ tunnelSSHUsername: 'deploy', replacePassword: true })
})

test('a body of the specification has none; an unfit user name is refused', async () => {
  const tunnelUUID = randomUUID()
  const added = await product.admin.ask(addTunnel, { ...sampleTunnel(), tunnelUUID })
  expect(added.tunnelHasSSHSecret).toBe(false)
  const bad = { ...sampleTunnel(), tunnelUUID: randomUUID(), tunnelSSHUsername: 'root; rm -rf /' }
  expect((await product.admin.call(addTunnel, bad)).errorType).toBe('INCOMPLETE_INFORMATION')
})

test('a tunnel is added once, listed, moved, provisioned, with a log', async () => {
  const body = { ...sampleTunnel(), tunnelUUID: randomUUID() }
  const { tunnelUUID } = body
  const added = await product.admin.ask(addTunnel, body)
  expect(added).toMatchObject({
    tunnelState: 'queued',
    tunnelAccounts: 0,
    tunnelCreatorEmail: 'owner@example.com',
  })
  expect(await product.admin.ask(addTunnel, body)).toEqual(added)
  expect((await product.admin.call(addTunnel, { ...body, tunnelPort: 8443 })).errorType).toBe('UUID_TAKEN')
  expect(await runQueued(product, tunnelUUID)).toBe(1)
  expect((await product.admin.ask(getTunnelLog, { tunnelUUID })).ansibleState).toBe('failed')
  const moved = await product.admin.call(changeTunnel, { tunnelUUID, tunnelIPV4: '203.0.113.77' })
  expect(moved.answer()).toMatchObject({ tunnelIPV4: '203.0.113.77', tunnelState: 'queued' })
  expect((await product.admin.call(changeTunnel, { tunnelUUID, tunnelIPV4: '1.2.3' })).errorType).toBe(
    'INVALID_IPV4',
  )
  expect((await product.admin.call(provisionTunnel, { tunnelUUID })).status).toBe(200)
  expect(await runQueued(product, tunnelUUID)).toBe(1)
  expect((await product.admin.ask(getTunnel, { tunnelUUID })).tunnelState).toBe('failed')
  const listed = (await product.admin.ask(getTunnels, {})).items.map((one) => one.tunnelUUID)
  expect(listed).toContain(tunnelUUID)
})
