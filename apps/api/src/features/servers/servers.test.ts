import { randomUUID } from 'node:crypto'
import {
  addServer,
  changeServer,
  getAccount,
  getAudit,
  getServer,
  getServerLog,
  getServers,
  newAccount,
  provisionServer,
  setServerReady,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { directAccount, openProduct, sampleServer, useProduct } from '../../../test/product.ts'
import { runQueued } from '../hosts/hosts.fixture.ts'

const product = useProduct()

const secrets = {
  serverSSHUsername: 'deploy',
  serverSSHPassword: 'canary-ssh-password',
  serverSSHKey: '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n-----END OPENSSH PRIVATE KEY-----\n',
  serverHostingPassword: 'canary-hosting',
}

test('level 5 may not add a server, level 6 may, and a job is left behind', async () => {
  const serverUUID = randomUUID()
  const five = await product.person({ level: 5 })
  const six = await product.person({ level: 6 })
  const refused = await five.call(addServer, { ...sampleServer(), serverUUID })
  expect([refused.status, refused.envelope.response.message]).toEqual([
    403,
    'Access denied. Admin privileges required.',
  ])
  const added = await six.ask(addServer, { ...sampleServer(), serverUUID, ...secrets })
  expect(added).toMatchObject({ serverState: 'queued', serverHealth: 'unknown', serverHasSSHSecret: true })
  const job = await product.ctx.pool.query(`SELECT data FROM pgboss.job WHERE name = 'provision'`)
  const run = await product.ctx.db
    .selectFrom('provision_runs')
    .select('uuid')
    .where('subject_uuid', '=', serverUUID)
    .executeTakeFirst()
  expect(job.rows.map((row) => row.data)).toContainEqual({ run: run?.uuid })
})

test('what was typed as a secret is sealed, and no reply has it', async () => {
  const serverUUID = randomUUID()
  const replies = [
    await product.admin.call(addServer, { ...sampleServer(), serverUUID, ...secrets }),
    await product.admin.call(getServer, { serverUUID }),
    await product.admin.call(getServers, {}),
  ]
  expect(JSON.stringify(replies.map((reply) => reply.envelope))).not.toMatch(/canary|deploy|PRIVATE KEY/)
  const row = await product.row('servers', serverUUID)
  expect(JSON.stringify(row.details)).not.toContain('canary')
  expect(product.ctx.seal.open(`servers.secrets.${serverUUID}`, row.secrets as Buffer)).toContain(
    'canary-ssh-password',
  )
  expect(() => product.ctx.seal.open(`servers.secrets.${randomUUID()}`, row.secrets as Buffer)).toThrow()
})

test('the same UUID and body again is the same server; another body is refused', async () => {
  const body = { ...sampleServer(), serverUUID: randomUUID() }
  const first = await product.admin.ask(addServer, body)
  expect(await product.admin.ask(addServer, body)).toEqual(first)
  expect((await product.admin.call(addServer, { ...body, serverPort: 9443 })).errorType).toBe('UUID_TAKEN')
  expect(await runQueued(product, body.serverUUID)).toBe(1)
})

test('where nodes cannot reach the installation a run fails and its log says so plainly; by hand it can be made ready', async () => {
  const serverUUID = randomUUID()
  await product.admin.call(addServer, { ...sampleServer(), serverUUID, countryId: 40 })
  await runQueued(product, serverUUID)
  const log = await product.admin.ask(getServerLog, { serverUUID })
  expect(log.ansibleState).toBe('failed')
  expect(log.ansibleLog).toContain('KELID_AGENT_URL is not set')
  const user = await product.person({ points: 1_000 })
  const wish = { ...directAccount, countryId: 40 }
  expect((await user.call(newAccount, wish)).errorType).toBe('NO_CAPACITY')
  const ready = await product.admin.ask(setServerReady, { serverUUID, reason: 'built by hand' })
  expect(ready.serverState).toBe('ready')
  expect((await user.call(newAccount, wish)).status).toBe(200)
  const [entry] = (await product.admin.ask(getAudit, { limit: 1 })).items
  expect(entry).toMatchObject({
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
  const moved = await product.admin.ask(changeServer, {
    serverUUID,
    serverIPV4: '203.0.113.9',
    countryId: 756,
  })
  expect(moved).toMatchObject({
    serverIPV4: '203.0.113.9',
    serverState: 'queued',
    country: { countryCode: 'CH' },
  })
  const after = await user.ask(getAccount, { accountUUID: account.accountUUID })
  expect(after.accountQRString).toBe(account.accountQRString.replace(before, '203.0.113.9'))
  expect(after.accountSubscriptionPath).toBe(account.accountSubscriptionPath)
  expect((await product.admin.call(provisionServer, { serverUUID })).status).toBe(200)
  expect(await runQueued(product, serverUUID)).toBe(1)
})

test('bad addresses: the words of the specification, and reserved ones refused', async () => {
  const serverUUID = await product.server()
  const change = (serverIPV4: string) =>
    product.admin.call(changeServer, { serverUUID, serverIPV4, countryId: 0 })
  const bad = await change('300.1.1.1')
  expect(bad.envelope.response.error?.errorContent[0]).toBe('Please provide a valid IPv4 address')
  for (const address of [
    '127.0.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
  ])
    expect((await change(address)).errorType, address).toBe('FORBIDDEN_TARGET')
  const add = await product.admin.call(addServer, {
    ...sampleServer(),
    serverUUID: randomUUID(),
    serverIPV4: 'x',
  })
  expect(add.envelope.response.error).toMatchObject({
    errorContent: ['Client: Incomplete information', 'serverIPV4: an IPv4 address such as 192.0.2.10'],
    errorFields: { serverIPV4: 'ipv4' },
  })
  const country = await product.admin.call(changeServer, {
    serverUUID,
    serverIPV4: '192.0.2.1',
    countryId: 999,
  })
  expect(country.errorType).toBe('INCOMPLETE_INFORMATION')
})

test.each([
  '::1',
  '::',
  'fe80::1',
  'ff02::1',
  'fd00:ec2::254',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
])('the IPv6 address %s is reserved, by the rule of IPv4', async (serverIPV6) => {
  const serverUUID = randomUUID()
  const add = await product.admin.call(addServer, { ...sampleServer(), serverUUID, serverIPV6 })
  expect([add.errorType, add.envelope.response.error?.errorContent[0]]).toEqual([
    'FORBIDDEN_TARGET',
    `The address ${serverIPV6} is reserved and cannot be used here`,
  ])
  expect((await product.admin.call(getServer, { serverUUID })).errorType).toBe('RESOURCE_NOT_FOUND')
})

test('an IPv6 address that is not reserved is kept', async () => {
  const body = { ...sampleServer(), serverUUID: randomUUID(), serverIPV6: '2001:db8::7' }
  expect((await product.admin.ask(addServer, body)).serverIPV6).toBe('2001:db8::7')
})

test('an operator may allow reserved addresses', async () => {
  const lenient = await openProduct({ env: { KELID_ALLOW_RESERVED_TARGETS: 'yes' } })
  const local = { serverIPV4: '127.0.0.1', serverIPV6: '::1' }
  const serverUUID = await lenient.server(local)
  expect(await lenient.admin.ask(getServer, { serverUUID })).toMatchObject(local)
  await lenient.close()
})
