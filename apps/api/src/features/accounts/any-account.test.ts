import { randomUUID } from 'node:crypto'
import {
  clearAbuse,
  day,
  deleteAnyAccount,
  getAccount,
  getAnyAccount,
  getAnyAccounts,
  getServer,
  getTunnel,
  getUserCredit,
  giftDays,
  moveAccount,
  newAccount,
  setAnyAccountEnabled,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { everyPage } from '../../../test/calls.ts'
import { openStream } from '../../../test/faults/live-stream.ts'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { freshEmail } from '../../../test/security/samples.ts'
import { until } from '../../../test/until.ts'

const product = productForAllTests()
let server: string
beforeAll(async () => {
  server = await product.server({ serverMaxAccounts: 1_000 })
})

const buyer = () => product.person({ points: 100_000, tunnelCredit: 1_000 })
const buy = (person: Person, accountName = 'ali_phone') =>
  person.ask(newAccount, { ...directAccount, accountName })
const expiryOf = async (accountUUID: string) =>
  (await product.admin.ask(getAnyAccount, { accountUUID })).accountExpireDate

test('an administrator finds accounts by owner, server, state and name, page by page, without their secrets', async () => {
  const [one, other] = [await buyer(), await buyer()]
  for (const name of ['reza_home', 'reza_shop', 'sara']) await buy(one, name)
  const theirs = await buy(other, 'reza_tv')
  const list = (query: object) => product.admin.ask(getAnyAccounts, query)
  const names = async (query: object) => (await list(query)).items.map(({ accountName }) => accountName)

  expect(await names({ userEmail: one.email, sort: 'accountName' })).toEqual([
    'reza_home',
    'reza_shop',
    'sara',
  ])
  expect(await names({ search: 'REZA', sort: 'accountName' })).toEqual(['reza_home', 'reza_shop', 'reza_tv'])
  expect(await names({ userEmail: freshEmail() })).toEqual([])
  expect((await list({ serverUUID: server, limit: 2 })).total).toBe(4)
  expect(await names({ serverUUID: randomUUID() })).toEqual([])
  expect(await names({ tunnelUUID: randomUUID() })).toEqual([])
  expect(await names({ userEmail: one.email, state: 'disabled' })).toEqual([])

  const paged = await everyPage((from) => list({ sort: 'accountExpireDate', limit: 1, ...from }))
  expect(new Set(paged.map(({ accountUUID }) => accountUUID)).size).toBe(4)

  const account = await product.admin.ask(getAnyAccount, { accountUUID: theirs.accountUUID })
  expect(account).toMatchObject({
    userEmail: other.email,
    serverUUID: server,
    serverName: 'fra-1',
    tunnelUUID: null,
    tunnelName: null,
    accountClosedBySuspension: false,
  })
  const { accountQRString, accountSubscriptionPath } = theirs
  for (const secret of [accountQRString, accountSubscriptionPath])
    expect(JSON.stringify([account, await list({})])).not.toContain(secret)
})

test('an administrator disables and enables an account with a reason, and its owner gets an event', async () => {
  const owner = await buyer()
  const { accountUUID } = await buy(owner)
  const stream = await openStream(product.url, owner.token)
  await until(() => stream.received.length > 0, 'the greeting')
  const set = (accountEnabled: boolean) =>
    product.admin.call(setAnyAccountEnabled, { accountUUID, accountEnabled, reason: 'on request' })
  expect((await set(false)).answer()).toMatchObject({ accountEnabled: false, accountState: 'disabled' })
  await until(() => stream.received.some(({ event }) => event.type === 'account'), 'word of the account')
  stream.drop()
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'setaccountenabled',
    auditSubject: accountUUID,
    auditDetail: { from: true, to: false, reason: 'on request', userEmail: owner.email },
  })
  expect((await set(true)).answer().accountState).toBe('active')
  await product.abuse(accountUUID)
  expect((await set(true)).errorType).toBe('ACCOUNT_ABUSED')
  const cleared = await product.admin.call(clearAbuse, { accountUUID })
  expect(cleared.answer()).toMatchObject({ accountState: 'active', userEmail: owner.email })
  const { accountQRString, accountSubscriptionPath } = await owner.ask(getAccount, { accountUUID })
  for (const link of [accountQRString, accountSubscriptionPath])
    expect(JSON.stringify(cleared.envelope)).not.toContain(link)
  expect((await product.lastAudit())?.auditDetail).toMatchObject({ from: 'abused', to: 'active' })
})

test('gift days extend the remaining time, cost nothing and count once under a key', async () => {
  const owner = await buyer()
  const { accountUUID, accountExpireDate } = await buy(owner)
  const credit = async () => (await owner.ask(getUserCredit, {})).userCredit
  const before = await credit()
  const gift = (accountDuration: number, key: string, basedOn?: string) =>
    product.admin.call(
      giftDays,
      { accountUUID, accountDuration, reason: 'sorry', ...(basedOn && { basedOn }) },
      { 'idempotency-key': key },
    )
  const key = randomUUID()
  const first = await gift(5, key, accountExpireDate)
  const later = new Date(Date.parse(accountExpireDate) + 5 * day).toISOString()
  expect(first.answer()).toMatchObject({ accountExpireDate: later, accountDuration: 35 })
  expect((await gift(5, key, accountExpireDate)).answer()).toEqual(first.answer())
  expect((await gift(6, key)).errorType).toBe('KEY_REUSED')
  expect((await gift(5, randomUUID(), accountExpireDate)).errorType).toBe('CHANGED_MEANWHILE')
  expect(await expiryOf(accountUUID)).toBe(later)
  expect(await credit()).toBe(before)
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'giftdays',
    auditDetail: { from: accountExpireDate, to: later, days: 5, reason: 'sorry' },
  })
})

test('an administrator deletes an account with a reason; its place is free and the audit log has its state', async () => {
  const { admin } = product
  const owner = await buyer()
  const { accountUUID } = await buy(owner)
  const places = async () => (await admin.ask(getServer, { serverUUID: server })).serverAccounts
  const before = await places()
  const { accountExpireDate } = await admin.ask(getAnyAccount, { accountUUID })
  await admin.ask(giftDays, { accountUUID, accountDuration: 3, reason: 'a gift' })
  // An administrator who saw the account before the renewal, or saw it closed, decides again.
  const late = { accountUUID, reason: 'a double', basedOn: accountExpireDate }
  expect(await admin.refusal(deleteAnyAccount, late)).toBe('CHANGED_MEANWHILE')
  const closed = { accountUUID, accountEnabled: true, basedOn: false }
  expect(await admin.refusal(setAnyAccountEnabled, closed)).toBe('CHANGED_MEANWHILE')
  const basedOn = (await admin.ask(getAnyAccount, { accountUUID })).accountExpireDate
  await admin.ask(deleteAnyAccount, { accountUUID, reason: 'a double', basedOn })
  expect(await places()).toBe(before - 1)
  expect(await owner.refusal(getAccount, { accountUUID })).toBe('RESOURCE_NOT_FOUND')
  expect((await product.lastAudit())?.auditDetail).toMatchObject({
    from: 'active',
    to: 'deleted',
    reason: 'a double',
  })
})

test('an account moves to another server: its link changes, its subscription link stays, places are right', async () => {
  const { admin } = product
  const owner = await buyer()
  const before = await buy(owner)
  const { accountUUID } = before
  const elsewhere = await product.server({ serverName: 'hel-1', serverIPV4: '192.0.2.99' })
  const places = async (serverUUID: string) => (await admin.ask(getServer, { serverUUID })).serverAccounts
  const [here, there] = [await places(server), await places(elsewhere)]
  const move = (toServerUUID: string, more: object = {}) =>
    admin.call(moveAccount, { accountUUID, toServerUUID, ...more })

  expect((await move(randomUUID())).errorType).toBe('RESOURCE_NOT_FOUND')
  expect((await move(server)).errorType).toBe('NOT_THE_SAME_KIND')
  expect((await move(elsewhere, { basedOn: { serverUUID: elsewhere } })).errorType).toBe('CHANGED_MEANWHILE')
  expect((await move(elsewhere, { toTunnelUUID: randomUUID() })).errorType).toBe('NOT_THE_SAME_KIND')
  const trojan = await product.server(trojanServer())
  expect((await move(trojan)).errorType).toBe('NOT_THE_SAME_KIND')
  const unready = await product.server({ serverName: 'par-1' })
  await product.setRow('servers', unready, { state: 'queued' })
  expect((await move(unready)).errorType).toBe('HOST_NOT_READY')
  const full = await product.server({ serverName: 'lon-1', serverMaxAccounts: 0 })
  expect((await move(full)).errorType).toBe('NO_ROOM')
  await product.setRow('servers', elsewhere, { set_by_hand: false })
  expect((await move(elsewhere)).errorType).toBe('NO_WAY_THERE')
  await product.setRow('servers', elsewhere, { set_by_hand: true })
  expect([await places(server), await places(elsewhere)]).toEqual([here, there])

  const moved = (await move(elsewhere, { basedOn: { serverUUID: server, tunnelUUID: null } })).answer()
  expect(moved).toMatchObject({ serverUUID: elsewhere, serverName: 'hel-1' })
  expect([await places(server), await places(elsewhere)]).toEqual([here - 1, there + 1])
  const after = await owner.ask(getAccount, { accountUUID })
  expect(after.accountQRString).not.toBe(before.accountQRString)
  expect(after.accountQRString).toContain('192.0.2.99')
  expect(after.accountSubscriptionPath).toBe(before.accountSubscriptionPath)
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'moveaccount',
    auditDetail: { from: server, to: elsewhere, fromTunnel: null, toTunnel: null },
  })
})

test('a tunnelled account keeps its tunnel unless another is named, and may change the tunnel alone', async () => {
  const { admin } = product
  const owner = await buyer()
  await product.server({ ...trojanServer(), serverName: 'one' })
  const tunnel = await product.tunnel()
  const { accountUUID } = await owner.ask(newAccount, tunnelledAccount)
  const at = await admin.ask(getAnyAccount, { accountUUID })
  expect(at.tunnelUUID).toBe(tunnel)
  const [second, other] = [
    await product.server({ ...trojanServer(), serverName: 'two' }),
    await product.tunnel({ tunnelName: 'thr-2' }),
  ]
  const ssh = await product.tunnel({ tunnelName: 'ssh-1', tunnelType: 'ssh' })
  const move = (toServerUUID: string, toTunnelUUID?: string) =>
    admin.call(moveAccount, { accountUUID, toServerUUID, ...(toTunnelUUID && { toTunnelUUID }) })
  expect((await move(second)).answer()).toMatchObject({ serverUUID: second, tunnelUUID: tunnel })
  expect((await move(second, ssh)).errorType).toBe('NOT_THE_SAME_KIND')
  expect((await move(second, other)).answer()).toMatchObject({ tunnelUUID: other, tunnelName: 'thr-2' })
  const places = async (tunnelUUID: string) => (await admin.ask(getTunnel, { tunnelUUID })).tunnelAccounts
  expect([await places(tunnel), await places(other)]).toEqual([0, 1])

  // A request based on the first tunnel moves nothing, not even the server alone.
  const saw = { serverUUID: second, tunnelUUID: tunnel }
  const late = await admin.call(moveAccount, { accountUUID, toServerUUID: server, basedOn: saw })
  expect(late.errorType).toBe('CHANGED_MEANWHILE')
  expect(await admin.ask(getAnyAccount, { accountUUID })).toMatchObject({
    serverUUID: second,
    tunnelUUID: other,
  })
})

test('a gift brings an expired account back, counted from now, by either rule of renewal', async () => {
  const owner = await buyer()
  const { accountUUID } = await buy(owner)
  await product.settings({ renewal: 'replace' })
  product.clock.advance(40 * day)
  const gift = { accountUUID, accountDuration: 2, reason: 'back again' }
  const admin = await product.again(product.admin)
  const account = await admin.ask(giftDays, gift)
  expect(account).toMatchObject({ accountState: 'active', accountDuration: 2 })
  expect(account.accountExpireDate).toBe(new Date(product.clock.now().getTime() + 2 * day).toISOString())
  const more = await admin.ask(giftDays, { ...gift, accountDuration: 1 })
  expect(more.accountDuration).toBe(3)
  await product.settings({ renewal: 'extend' })
})
