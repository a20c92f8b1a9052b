import { randomUUID } from 'node:crypto'
import { addServer, defaultSettings, getServerLog, setSettings } from '@kelid/contract'
import { expect, test } from 'vitest'
import { sampleServer } from '../../../test/sample-hosts.ts'
import { issueServerCertificate } from '../authority/authority.ts'
import { workshopForAllTests } from '../provisioning/ansible.fixture.ts'

const workshop = workshopForAllTests({ env: { KELID_PUBLIC_URL: 'https://panel.example.com' } })

const add = async (change: object) =>
  (await workshop.product.admin.call(addServer, { ...sampleServer(), serverUUID: randomUUID(), ...change }))
    .envelope.response

test('a server cannot have the name of the control plane, by its URL or its SNI address, in any case of letters', async () => {
  for (const name of ['nodes.example.com', 'NODES.example.COM', 'panel.example.com'])
    for (const change of [{ serverSNIAddress: name }, { serverURL: name }, { serverURL: `${name}/path` }]) {
      const { httpCode, error } = await add(change)
      expect({ httpCode, type: error?.errorType, text: error?.errorContent[0] }).toEqual({
        httpCode: 409,
        type: 'CONTROL_PLANE_NAME',
        text: `${name} is a name of this control plane and cannot be a server's; choose another`,
      })
    }
  expect((await add({ serverSNIAddress: 'fra1.nodes.example.com' })).status).toBe(1)
})

test('a server that has the name since before is not set up with a certificate of our own', async () => {
  const { admin, row, setRow } = workshop.product
  await admin.ask(setSettings, { certificates: { ...defaultSettings.certificates, source: 'own' } })
  const { serverUUID, run } = await workshop.server({ serverSNIAddress: 'fra9.example.com' })
  const { details } = await row('servers', serverUUID)
  const renamed = { ...details, serverSNIAddress: 'nodes.example.com' }
  await setRow('servers', serverUUID, { details: JSON.stringify(renamed) })
  await workshop.run(run, { playbook: workshop.playbook('- ansible.builtin.meta: noop') })
  const { ansibleState, ansibleLog } = await admin.ask(getServerLog, { serverUUID })
  expect(ansibleState).toBe('failed')
  expect(ansibleLog).toContain('nodes.example.com is a name of this control plane')
})

test.each([
  'nodes.example.com',
  'Panel.Example.com',
  '192.0.2.1',
  '2001:db8::1',
  'node:x',
  'kelid:control-plane',
])('the authority signs no server certificate for %s', async (name) => {
  await expect(issueServerCertificate(workshop.product.ctx, name)).rejects.toThrow(
    /CONTROL_PLANE_NAME|control plane/,
  )
})
