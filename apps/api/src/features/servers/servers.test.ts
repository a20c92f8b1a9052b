import { randomUUID } from 'node:crypto'
import {
  addServer,
  changeServer,
  getAccount,
  getServer,
  getServerLog,
  newAccount,
  provisionServer,
  setServerReady,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { openProduct, productForAllTests } from '../../../test/product.ts'
import { directAccount, sampleServer } from '../../../test/sample-hosts.ts'
import { runQueued } from '../hosts/hosts.fixture.ts'

const product = productForAllTests()

test('a secret of a server is sealed for that server alone', async () => {
  const serverUUID = randomUUID()
  const added = await product.admin.ask(addServer, {
    ...sampleServer(),
    serverUUID,
    serverSSHPassword: 'canary-ssh-password',
  })
  expect(added).toMatchObject({ serverState: 'queued', serverHealth: 'unknown', serverHasSSHSecret: true })
  const row = await product.row('servers', serverUUID)
  const open = (uuid: string) => product.ctx.seal.open(`servers.secrets.${uuid}`, row.secrets as Buffer)
  expect(open(serverUUID)).toContain('canary-ssh-password')
  expect(() => open(randomUUID())).toThrow()
})

test('a run fails without an address for nodes, and the log says so; an administrator marks the server as ready', async () => {
  const serverUUID = randomUUID()
  await product.admin.call(addServer, { ...sampleServer(), serverUUID, countryId: 40 })
  await runQueued(product, serverUUID)
  const log = await product.admin.ask(getServerLog, { serverUUID })
  expect(log.ansibleState).toBe('failed')
  expect(log.ansibleLog).toContain('KELID_AGENT_URL is not set')
  const user = await product.person({ points: 1_000 })
  const wish = { ...directAccount, countryId: 40 }
  expect(await user.refusal(newAccount, wish)).toBe('NO_CAPACITY')
  const ready = await product.admin.ask(setServerReady, { serverUUID, reason: 'built by hand' })
  expect(ready.serverState).toBe('ready')
  expect((await user.call(newAccount, wish)).status).toBe(200)
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'setserverready',
    auditActor: product.admin.email,
    auditSubject: serverUUID,
    auditDetail: { reason: 'built by hand' },
  })
})

test('moving a server provisions it again and moves the links of its accounts', async () => {
  const before = '203.0.113.8'
  const serverUUID = await product.server({ countryId: 56, serverIPV4: before })
  const user = await product.person({ points: 1_000 })
  const account = await user.ask(newAccount, { ...directAccount, countryId: 56 })
  const to = { serverIPV4: '203.0.113.9', countryId: 756 }
  expect(await product.admin.ask(changeServer, { serverUUID, ...to })).toMatchObject({
    serverIPV4: to.serverIPV4,
    serverState: 'queued',
    country: { countryCode: 'CH' },
  })
  const after = await user.ask(getAccount, { accountUUID: account.accountUUID })
  expect(after.accountQRString).toBe(account.accountQRString.replace(before, '203.0.113.9'))
  expect(after.accountSubscriptionPath).toBe(account.accountSubscriptionPath)
  expect((await product.admin.call(provisionServer, { serverUUID })).status).toBe(200)
  expect(await runQueued(product, serverUUID)).toBe(1)
})

test('an unknown country is refused', async () => {
  const serverUUID = await product.server()
  const nowhere = { serverUUID, serverIPV4: '192.0.2.1', countryId: 999 }
  expect(await product.admin.refusal(changeServer, nowhere)).toBe('INCOMPLETE_INFORMATION')
})

test('reserved addresses are refused, in IPv4 and IPv6, when a server is added and when it is moved', async () => {
  const serverUUID = await product.server()
  const move = { serverUUID, serverIPV4: '169.254.169.254', countryId: 0 }
  expect(await product.admin.refusal(changeServer, move)).toBe('FORBIDDEN_TARGET')
  for (const serverIPV6 of ['::1', '::ffff:127.0.0.1']) {
    const body = { ...sampleServer(), serverUUID: randomUUID(), serverIPV6 }
    const { error } = (await product.admin.call(addServer, body)).envelope.response
    expect(error?.errorContent[0]).toBe(`The address ${serverIPV6} is reserved and cannot be used here`)
  }
  const body = { ...sampleServer(), serverUUID: randomUUID(), serverIPV6: '2001:db8::7' }
  expect(await product.admin.ask(addServer, body)).toMatchObject({ serverIPV6: '2001:db8::7' })
})

test('an operator may allow reserved addresses', async () => {
  const lenient = await openProduct({ env: { KELID_ALLOW_RESERVED_TARGETS: 'yes' } })
  const local = { serverIPV4: '127.0.0.1', serverIPV6: '::1' }
  const serverUUID = await lenient.server(local)
  expect(await lenient.admin.ask(getServer, { serverUUID })).toMatchObject(local)
  await lenient.close()
})
