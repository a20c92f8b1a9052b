import { changeServer, day, getHostRuns, getServer, hello } from '@kelid/contract'
import { expect, test } from 'vitest'
import { agentOf, type Identity, nodesForAllTests, outcomeOf } from '../../../test/nodes.ts'
import { nodeCertificate, serverCertificate } from './certificates.ts'
import { maintainRuns } from './provision.job.ts'

const product = nodesForAllTests()

async function outcomeWith(identity: Identity) {
  const agent = agentOf(identity)
  const now = product.clock.now().toISOString()
  const outcome = await outcomeOf(product.ask(agent, hello, { coreVersion: '', now }))
  agent.destroy()
  return outcome
}

test('every run installs the current certificate of its host, and after a move a new one, which is accepted', async () => {
  const serverUUID = await product.server()
  const first = await nodeCertificate(product.ctx, serverUUID)
  expect(await nodeCertificate(product.ctx, serverUUID)).toEqual(first)
  expect(await outcomeWith(first)).toBe('OK')
  const ofServer = await serverCertificate(product.ctx, serverUUID, 'fra1.example.com')
  const move = { serverUUID, serverIPV4: '192.0.2.44', countryId: 276 }
  await product.admin.ask(changeServer, move)
  expect(await outcomeWith(first)).toBe('UNAUTHENTICATED')
  const second = await nodeCertificate(product.ctx, serverUUID)
  expect(await outcomeWith(second)).toBe('OK')
  expect(await nodeCertificate(product.ctx, serverUUID)).toEqual(second)
  expect(await serverCertificate(product.ctx, serverUUID, 'fra1.example.com')).toEqual(ofServer)
})

test('a server whose own-CA certificate expires soon is provisioned again, once, whether its agent reports or not', async () => {
  const serverUUID = await product.server()
  const { ctx, clock } = product
  await serverCertificate(ctx, serverUUID, 'fra1.example.com')
  const serve = (isOwnAuthority: boolean) => {
    const serving = JSON.stringify({ name: '', ipv4: '', port: 1, hostKey: '', isOwnAuthority })
    return product.setRow('servers', serverUUID, { serving })
  }
  await serve(true)
  expect(await maintainRuns(ctx)).toMatchObject({ renewed: 0 })
  clock.advance(61 * day)
  await serve(false)
  expect(await maintainRuns(ctx)).toMatchObject({ renewed: 0 })
  await serve(true)
  expect(await maintainRuns(ctx)).toMatchObject({ renewed: 1 })
  expect(await maintainRuns(ctx)).toMatchObject({ renewed: 0 })
  const admin = await product.again(product.admin)
  expect((await admin.ask(getServer, { serverUUID })).serverState).toBe('ready')
  const { items } = await admin.ask(getHostRuns, { hostUUID: serverUUID })
  expect(items[0]).toMatchObject({ runState: 'queued', runBy: 'the product' })

  // A host of an earlier release whose row says that it has failed.
  await product.sql(`UPDATE provision_runs SET state = 'failed' WHERE subject_uuid = $1`, serverUUID)
  await product.setRow('servers', serverUUID, { state: 'failed', accounts: 1 })
  expect(await maintainRuns(ctx)).toMatchObject({ renewed: 1 })
})
