import { randomUUID } from 'node:crypto'
import { addServer, addTunnel, editHost, extendDuration, getServer } from '@kelid/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { sampleServer, sampleTunnel, unusedAddress } from '../../../test/sample-hosts.ts'
import { provision } from '../provisioning/provision.job.ts'
import { bothKinds, buy, rich, runQueued, standAlone } from './hosts.fixture.ts'

const product = productForAllTests()
let admin: Person
beforeAll(async () => {
  admin = product.admin
})

describe.each(bothKinds)('a $kind', (host) => {
  const ready = () => host.make(product)
  const pass = () => product.clock.advance(60_000)

  test('has its runs listed, newest first and page by page, with their requesters', async () => {
    const uuid = await ready()
    pass()
    const second = await product.person({ level: 6 })
    ;(await host.provision(second, uuid)).answer()
    pass()
    await runQueued(product, uuid)
    const { items, total } = (await host.runs(admin, uuid)).answer()
    expect(total).toBe(2)
    expect(items).toMatchObject([
      { runState: 'failed', runBy: second.email, runAttempts: 1, runLines: 1 },
      { runState: 'superseded', runBy: admin.email, runAttempts: 0, runStartedDate: null },
    ])
    const [{ runQueuedDate = '', runStartedDate, runFinishedDate } = {}] = items
    expect(runStartedDate).toBe(new Date(Date.parse(runQueuedDate) + 60_000).toISOString())
    expect(runFinishedDate).toBe(runStartedDate)
    const page = (await host.runs(admin, uuid, { limit: 1 })).answer()
    expect(page.items).toEqual([items[0]])
    const rest = (await host.runs(admin, uuid, { limit: 1, cursor: page.nextCursor ?? '' })).answer()
    expect([rest.items, rest.nextCursor]).toEqual([[items[1]], null])
  })

  test('shows the log of an older run, but not of the run of another', async () => {
    const [uuid, other] = [await ready(), await ready()]
    pass()
    ;(await host.provision(admin, uuid)).answer()
    await runQueued(product, uuid)
    const [{ runUUID = '' } = {}, { runUUID: older = '' } = {}] = (await host.runs(admin, uuid)).answer()
      .items
    const latest = (await host.log(admin, uuid)).answer()
    expect(latest.ansibleLog).toContain('KELID_AGENT_URL is not set')
    expect((await host.log(admin, uuid, runUUID)).answer()).toEqual(latest)
    expect((await host.log(admin, uuid, older)).answer().ansibleLog).toBe('')
    expect((await host.log(admin, other, runUUID)).errorType).toBe('RESOURCE_NOT_FOUND')
    expect((await host.log(admin, uuid, randomUUID())).errorType).toBe('RESOURCE_NOT_FOUND')
  })

  test('is ready again when a queued run is cancelled, and the worker skips that run', async () => {
    const uuid = await ready()
    pass()
    ;(await host.provision(admin, uuid)).answer()
    ;(await host.provision(admin, uuid)).answer()
    const [{ runUUID = '' } = {}] = (await host.runs(admin, uuid)).answer().items
    ;(await host.cancel(admin, uuid)).answer()
    expect(await host.read(admin, uuid)).toMatchObject({ State: 'ready' })
    expect(await product.lastAudit()).toMatchObject({
      auditAction: host.deed('cancelhostrun'),
      auditSubject: uuid,
      auditDetail: { from: 'ready', to: 'ready' },
    })
    await provision(product.ctx, runUUID)
    expect(await host.read(admin, uuid)).toMatchObject({ State: 'ready' })
    const states = (await host.runs(admin, uuid)).answer().items.map(({ runState }) => runState)
    expect(states.filter((state) => state === 'cancelled')).toHaveLength(1)
    expect((await host.cancel(admin, uuid)).errorType).toBe('NOTHING_RUNS')
    expect((await host.cancel(admin, randomUUID())).errorType).toBe('RESOURCE_NOT_FOUND')
  })

  test('stays ready when a running run is cancelled, and has failed if that run was to set it up elsewhere', async () => {
    const begun = await ready()
    ;(await host.provision(admin, begun)).answer()
    await product.ctx.db
      .updateTable('provision_runs')
      .set({ state: 'running', started_at: product.clock.now() })
      .where('subject_uuid', '=', begun)
      .where('state', '=', 'queued')
      .execute()
    ;(await host.cancel(admin, begun)).answer()
    const moved = await ready()
    ;(await host.change(admin, moved, unusedAddress())).answer()
    ;(await host.provision(admin, moved)).answer()
    ;(await host.cancel(admin, moved)).answer()
    const never = randomUUID()
    ;(await host.add(admin, never)).answer()
    ;(await host.cancel(admin, never)).answer()
    expect(await host.read(admin, begun)).toMatchObject({ State: 'ready' })
    for (const uuid of [moved, never]) expect(await host.read(admin, uuid)).toMatchObject({ State: 'failed' })
  })

  test('that is paused gets no new accounts; its accounts can still be renewed', async () => {
    const uuid = await ready()
    await standAlone(product, host.table, uuid)
    const person = await rich(product)
    const { accountUUID } = (await buy(person)).answer()
    ;(await host.pause(admin, uuid, true, false)).answer()
    expect(await host.read(admin, uuid)).toMatchObject({ Paused: true, State: 'ready' })
    expect(await product.lastAudit()).toMatchObject({
      auditAction: host.deed('sethostpaused'),
      auditDetail: { from: false, to: true },
    })
    expect((await buy(person)).errorType).toBe('NO_CAPACITY')
    await person.ask(extendDuration, { accountUUID, accountDuration: 1 })
    expect((await host.pause(admin, uuid, true, false)).errorType).toBe('CHANGED_MEANWHILE')
    ;(await host.pause(admin, uuid, true)).answer()
    ;(await host.pause(admin, uuid, false, true)).answer()
    ;(await buy(person)).answer()
  })

  test('is edited without provisioning, and a concurrent change is not overwritten', async () => {
    const uuid = await ready()
    const before = await host.read(admin, uuid)
    ;(await host.edit(admin, uuid, { Name: 'two', MaxAccounts: 12, seen: 'one' })).answer()
    expect(await host.read(admin, uuid)).toEqual({ ...before, Name: 'two', MaxAccounts: 12 })
    expect(await product.lastAudit()).toMatchObject({
      auditAction: host.deed('edithost'),
      auditDetail: {
        [`from.${host.kind}Name`]: 'one',
        [`to.${host.kind}Name`]: 'two',
        [`from.${host.kind}MaxAccounts`]: 10,
        [`to.${host.kind}MaxAccounts`]: 12,
      },
    })
    expect((await host.edit(admin, uuid, { Name: 'three', seen: 'one' })).errorType).toBe('CHANGED_MEANWHILE')
    const deed = await product.lastAudit()
    ;(await host.edit(admin, uuid, { Name: 'two' })).answer()
    ;(await host.edit(admin, uuid, {})).answer()
    expect(await product.lastAudit()).toEqual(deed)
    expect((await host.runs(admin, uuid)).answer().total).toBe(1)
  })

  test('cannot have a limit below the accounts it has', async () => {
    const uuid = await ready()
    await standAlone(product, host.table, uuid)
    const person = await rich(product)
    for (let count = 0; count < 3; count += 1) (await buy(person)).answer()
    const refused = await host.edit(admin, uuid, { MaxAccounts: 2 })
    expect([refused.errorType, refused.envelope.response.error?.errorParameters]).toEqual([
      'LIMIT_TOO_SMALL',
      { accounts: 3 },
    ])
    ;(await host.edit(admin, uuid, { MaxAccounts: 3 })).answer()
    expect((await buy(person)).errorType).toBe('NO_CAPACITY')
  })

  test('is not moved on the basis of an outdated address', async () => {
    const uuid = await ready()
    const { IPV4 } = await host.read(admin, uuid)
    const to = unusedAddress()
    ;(await host.change(admin, uuid, to, { seen: IPV4 })).answer()
    const late = await host.change(admin, uuid, unusedAddress(), { seen: IPV4 })
    expect(late.errorType).toBe('CHANGED_MEANWHILE')
    expect(await host.read(admin, uuid)).toMatchObject({ IPV4: to })
    expect(await product.lastAudit()).toMatchObject({
      auditAction: host.deed('changehost'),
      auditDetail: { 'from.ipv4': IPV4, 'to.ipv4': to },
    })
  })

  test('is removed when it is empty, its run is cancelled, and its UUID is not used again', async () => {
    const uuid = await ready()
    await standAlone(product, host.table, uuid)
    const person = await rich(product)
    const { accountUUID } = (await buy(person)).answer()
    const refused = await host.remove(admin, uuid)
    expect([refused.errorType, refused.envelope.response.error?.errorParameters]).toEqual([
      'HOST_NOT_EMPTY',
      { accounts: 1 },
    ])
    await product.ctx.db.deleteFrom('accounts').where('uuid', '=', accountUUID).execute()
    await product.setRow(host.table, uuid, { accounts: 0 })
    ;(await host.provision(admin, uuid)).answer()
    const [{ runUUID = '' } = {}] = (await host.runs(admin, uuid)).answer().items
    ;(await host.remove(admin, uuid)).answer()
    expect(await product.lastAudit()).toMatchObject({
      auditAction: host.deed('removehost'),
      auditSubject: uuid,
      auditDetail: { name: 'one' },
    })
    for (const reply of [
      await host.find(admin, uuid),
      await host.log(admin, uuid),
      await host.runs(admin, uuid),
      await host.remove(admin, uuid),
      await host.provision(admin, uuid),
    ])
      expect(reply.errorType).toBe('RESOURCE_NOT_FOUND')
    await provision(product.ctx, runUUID)
    expect((await host.add(admin, uuid)).errorType).toBe('UUID_TAKEN')
    expect((await host.list(admin)).items.map(({ UUID }) => UUID)).not.toContain(uuid)
  })
})

test('a UUID that a server has is not a tunnel as well, nor the reverse: their logs would be one', async () => {
  const [serverUUID, tunnelUUID] = [await product.server(), await product.tunnel()]
  const asTunnel = await admin.call(addTunnel, { ...sampleTunnel(), tunnelUUID: serverUUID })
  const asServer = await admin.call(addServer, { ...sampleServer(), serverUUID: tunnelUUID })
  expect([asTunnel.errorType, asServer.errorType]).toEqual(['UUID_TAKEN', 'UUID_TAKEN'])
})

test('secrets of a server are replaced one by one and never shown; omitted ones stay', async () => {
  const serverUUID = await product.server({
    serverSSHUsername: 'deploy',
    serverSSHPassword: 'canary-old',
    serverDescription: 'first',
    serverSNIAddress: 'sni.example.com',
  })
  const opened = async () => {
    const { secrets } = await product.row('servers', serverUUID)
    return JSON.parse(product.ctx.seal.open(`servers.secrets.${serverUUID}`, secrets as Buffer))
  }
  const edited = await admin.call(editHost, {
    hostUUID: serverUUID,
    serverSSHPassword: '',
    serverHostingPassword: 'canary-new',
    serverDescription: '',
    serverExpireDate: '2027-03-20',
    basedOn: { serverDescription: 'first', serverExpireDate: '' },
  })
  edited.answer()
  expect(await admin.ask(getServer, { serverUUID })).toMatchObject({
    serverDescription: '',
    serverExpireDate: '2027-03-20',
    serverSNIAddress: 'sni.example.com',
    serverHasSSHSecret: false,
    serverHasHostingSecret: true,
  })
  expect(await opened()).toMatchObject({
    serverSSHUsername: 'deploy',
    serverSSHPassword: '',
    serverHostingPassword: 'canary-new',
  })
  const deed = await product.lastAudit()
  expect(deed?.auditDetail).toEqual({
    'from.serverDescription': 'first',
    'to.serverDescription': '',
    'from.serverExpireDate': '',
    'to.serverExpireDate': '2027-03-20',
    replacedSecrets: 'serverSSHPassword serverHostingPassword',
  })
  const replies = [edited.envelope, (await admin.call(getServer, { serverUUID })).envelope, deed]
  expect(JSON.stringify([replies, product.logs])).not.toContain('canary')
  const unknown = await admin.call(editHost, {
    hostUUID: serverUUID,
    basedOn: { serverSSHPassword: 'x' } as never,
  })
  expect(unknown.errorType).toBe('UNKNOWN_FIELD')
})

test('an edit with a field of the other kind is refused as unknown, and nothing is saved', async () => {
  const [serverUUID, tunnelUUID] = [await product.server(), await product.tunnel()]
  const before = await admin.ask(getServer, { serverUUID })
  for (const [hostUUID, body, field] of [
    [serverUUID, { serverName: 'two', tunnelCreatorEmail: 'a@example.com' }, 'tunnelCreatorEmail'],
    [serverUUID, { serverName: 'two', basedOn: { tunnelName: 'one' } }, 'basedOn.tunnelName'],
    [tunnelUUID, { serverHostingPassword: 'canary' }, 'serverHostingPassword'],
  ] as const) {
    const reply = await admin.call(editHost, { hostUUID, ...body })
    expect([reply.errorType, JSON.stringify(reply.envelope)]).toEqual([
      'UNKNOWN_FIELD',
      expect.stringContaining(`Unknown field: ${field}"`),
    ])
  }
  expect(await admin.ask(getServer, { serverUUID })).toEqual(before)
})
