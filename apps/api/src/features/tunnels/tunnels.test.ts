import { randomUUID } from 'node:crypto'
import { addTunnel, editHost, getTunnel } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { sampleTunnel } from '../../../test/sample-hosts.ts'
import { openSecrets } from '../hosts/secrets.ts'

const product = productForAllTests()

const access = {
  tunnelSSHUsername: 'deploy',
  tunnelSSHPassword: 'canary-ssh-password',
  tunnelSSHKey: '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n-----END OPENSSH PRIVATE KEY-----\n',
}

/** What a run would get into the tunnel with. */
async function storedAccess(tunnelUUID: string) {
  const row = await product.row('tunnels', tunnelUUID)
  const { values, replacePassword } = openSecrets(product.ctx, 'tunnel', row)
  return { ...values, replacePassword }
}

test('the access to a tunnel is stored, and only that there is one is shown', async () => {
  const tunnelUUID = randomUUID()
  const body = { ...sampleTunnel(), ...access, tunnelReplacePassword: true, tunnelUUID }
  expect(await product.admin.ask(addTunnel, body)).toMatchObject({ tunnelHasSSHSecret: true })
  expect(await storedAccess(tunnelUUID)).toEqual({ ...access, replacePassword: true })
  const other = { ...body, tunnelSSHPassword: 'another' }
  expect(await product.admin.refusal(addTunnel, other)).toBe('UUID_TAKEN')
  const added = await product.admin.ask(addTunnel, { ...sampleTunnel(), tunnelUUID: randomUUID() })
  expect(added.tunnelHasSSHSecret).toBe(false)
})

test('an edit replaces the access to a tunnel field by field, and the audit log names the fields', async () => {
  const tunnelUUID = randomUUID()
  await product.admin.call(addTunnel, { ...sampleTunnel(), ...access, tunnelUUID })
  const edit = { hostUUID: tunnelUUID, tunnelSSHPassword: '', tunnelSSHKey: '', tunnelReplacePassword: true }
  await product.admin.ask(editHost, edit)
  expect(await product.admin.ask(getTunnel, { tunnelUUID })).toMatchObject({ tunnelHasSSHSecret: false })
  expect(await storedAccess(tunnelUUID)).toMatchObject({ tunnelSSHUsername: 'deploy', tunnelSSHPassword: '' })
  expect((await product.lastAudit())?.auditDetail).toEqual({
    replacedSecrets: 'tunnelSSHPassword tunnelSSHKey tunnelReplacePassword',
  })
  await product.admin.call(editHost, { hostUUID: tunnelUUID, tunnelName: 'renamed' })
  expect(await storedAccess(tunnelUUID)).toMatchObject({ tunnelSSHUsername: 'deploy', replacePassword: true })
})
