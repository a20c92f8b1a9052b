import { randomUUID } from 'node:crypto'
import {
  compensate,
  day,
  deleteAccount,
  extendDuration,
  getAccount,
  getCompensations,
  getStatement,
  newAccount,
  quoteCompensation,
  removeHost,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { standAlone } from '../hosts/hosts.fixture.ts'
import { giveCompensation, resendUnfinished } from './compensate.job.ts'

const product = productForAllTests()
let admin: Person
let person: Person
beforeAll(async () => {
  admin = product.admin
  person = await product.person({ points: 1_000_000, tunnelCredit: 1_000 })
})

const key = () => ({ 'idempotency-key': randomUUID() })
const reason = 'no power in the data centre'

/** A server of its own with accounts that last so many days each. */
async function serverWith(...durations: number[]) {
  const serverUUID = await product.server()
  await standAlone(product, 'servers', serverUUID)
  const accounts: string[] = []
  for (const accountDuration of durations)
    accounts.push((await person.ask(newAccount, { ...directAccount, accountDuration })).accountUUID)
  return { serverUUID, accounts }
}

const expiryOf = async (accountUUID: string) =>
  Date.parse((await person.ask(getAccount, { accountUUID })).accountExpireDate)

const give = async (body: Parameters<typeof admin.call<typeof compensate>>[1]) => {
  const compensation = await admin.ask(compensate, body, key())
  await giveCompensation(product.ctx, compensation.compensationUUID)
  return compensation
}

const waitingJobs = () => product.sql(`SELECT data FROM pgboss.job WHERE name = 'compensate'`)
const progressOf = async (serverUUID: string) => (await admin.ask(getCompensations, { serverUUID })).items

test('every account of a server that was down has its days, free of charge, as the preview said', async () => {
  const { serverUUID, accounts } = await serverWith(5, 20, 10)
  const before = await Promise.all(accounts.map(expiryOf))
  const lines = (await person.ask(getStatement, {})).items.length
  const quote = await admin.ask(quoteCompensation, { serverUUID, days: 3 })
  expect(quote).toEqual({
    accounts: 3,
    earliestExpireDate: new Date((before[0] ?? 0) + 3 * day).toISOString(),
    latestExpireDate: new Date((before[1] ?? 0) + 3 * day).toISOString(),
    lastCompensation: null,
  })
  const begun = await admin.ask(compensate, { serverUUID, days: 3, accounts: 3, reason }, key())
  expect(begun).toMatchObject({
    compensationState: 'running',
    compensationSubject: 'server',
    compensationAccounts: 3,
    compensationDone: 0,
    compensationBy: admin.email,
    compensationReason: reason,
  })
  expect(await waitingJobs()).toContainEqual({ data: { compensation: begun.compensationUUID } })
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'compensate',
    auditSubject: serverUUID,
    auditDetail: { days: 3, accounts: 3, reason },
  })
  await giveCompensation(product.ctx, begun.compensationUUID)
  expect(await Promise.all(accounts.map(expiryOf))).toEqual(before.map((at) => at + 3 * day))
  expect(await progressOf(serverUUID)).toMatchObject([
    { compensationState: 'finished', compensationDone: 3, compensationSkipped: 0 },
  ])
  expect((await person.ask(getStatement, {})).items).toHaveLength(lines)
  const again = await admin.ask(quoteCompensation, { serverUUID, days: 3 })
  expect(again.lastCompensation).toMatchObject({ compensationUUID: begun.compensationUUID })
})

test('accounts of a tunnel get their days, independent of their servers', async () => {
  await product.server(trojanServer())
  const tunnelUUID = await product.tunnel()
  await standAlone(product, 'tunnels', tunnelUUID)
  const { accountUUID } = await person.ask(newAccount, tunnelledAccount)
  const before = await expiryOf(accountUUID)
  await give({ tunnelUUID, days: 1, accounts: 1, reason })
  expect(await expiryOf(accountUUID)).toBe(before + day)
})

test('a compensation is refused after a change of the number of accounts or another compensation', async () => {
  const { serverUUID } = await serverWith(5)
  const body = { serverUUID, days: 2, accounts: 1, reason }
  const same = key()
  const first = await admin.ask(compensate, body, same)
  expect(await admin.ask(compensate, { ...body, accounts: 0 }, same), 'a repeated request').toEqual(first)
  await giveCompensation(product.ctx, first.compensationUUID)
  for (const stale of [{ accounts: 2 }, { basedOn: { lastCompensationUUID: null } }])
    expect(await admin.refusal(compensate, { ...body, ...stale }, key())).toBe('CHANGED_MEANWHILE')
  expect(await progressOf(serverUUID)).toHaveLength(1)
  await give({ ...body, basedOn: { lastCompensationUUID: first.compensationUUID } })
})

test('accounts bought or renewed between the confirmation and the gift neither lose nor gain days', async () => {
  const { serverUUID, accounts } = await serverWith(5, 5)
  const [renewed = '', deleted = ''] = accounts
  const compensation = await admin.ask(compensate, { serverUUID, days: 2, accounts: 2, reason }, key())
  const late = await person.ask(newAccount, { ...directAccount, accountDuration: 5 })
  const before = await expiryOf(renewed)
  await person.ask(extendDuration, { accountUUID: renewed, accountDuration: 10 })
  await person.ask(deleteAccount, { accountUUID: deleted })
  await giveCompensation(product.ctx, compensation.compensationUUID)
  expect(await expiryOf(renewed)).toBe(before + 12 * day)
  expect(await expiryOf(late.accountUUID)).toBe(Date.parse(late.accountExpireDate))
  expect(await progressOf(serverUUID)).toMatchObject([
    { compensationState: 'finished', compensationDone: 2, compensationSkipped: 1 },
  ])
})

test('a compensation of a host without accounts ends at once, and a removed host keeps its name in the list', async () => {
  const { serverUUID } = await serverWith()
  await give({ serverUUID, days: 2, accounts: 0, reason })
  await admin.ask(removeHost, { hostUUID: serverUUID })
  expect(await progressOf(serverUUID)).toMatchObject([
    { compensationState: 'finished', compensationSubjectName: 'fra-1', compensationAccounts: 0 },
  ])
  expect(await admin.refusal(quoteCompensation, { serverUUID, days: 2 })).toBe('RESOURCE_NOT_FOUND')
})

test('the lost job of a compensation is sent again until it is finished', async () => {
  const { serverUUID } = await serverWith(5)
  const { compensationUUID } = await admin.ask(
    compensate,
    { serverUUID, days: 7, accounts: 1, reason },
    key(),
  )
  await product.sql(`DELETE FROM pgboss.job WHERE name = 'compensate'`)
  await resendUnfinished(product.ctx)
  expect(await waitingJobs()).toEqual([{ data: { compensation: compensationUUID } }])
  await giveCompensation(product.ctx, compensationUUID)
  await resendUnfinished(product.ctx)
  expect(await waitingJobs()).toHaveLength(1)
})

test('preview and gift refuse two hosts, a future outage and an outage that ends before it begins', async () => {
  const { serverUUID } = await serverWith(30)
  const now = product.clock.now().getTime()
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
  const refused: [object, Record<string, string>][] = [
    [{}, { serverUUID: 'uuid' }],
    [{ serverUUID, tunnelUUID: randomUUID() }, { tunnelUUID: 'oneHost' }],
    [{ serverUUID, downFrom: at(-1), downUntil: at(-2) }, { downUntil: 'afterBegin' }],
    [{ serverUUID, downFrom: at(-1), downUntil: at(-1) }, { downUntil: 'afterBegin' }],
    [{ serverUUID, downFrom: at(1) }, { downFrom: 'notFuture' }],
    [{ serverUUID, downUntil: at(24) }, { downUntil: 'notFuture' }],
    [{ serverUUID, downFrom: at(-1), downUntil: at(0.1) }, { downUntil: 'notFuture' }],
    [
      { serverUUID, downFrom: at(1), downUntil: at(2) },
      { downFrom: 'notFuture', downUntil: 'notFuture' },
    ],
    [{ serverUUID, downFrom: 'yesterday' }, { downFrom: 'instant' }],
  ]
  for (const [body, fields] of refused)
    for (const reply of [
      await admin.call(quoteCompensation, { days: 2, ...body }),
      await admin.call(compensate, { days: 2, accounts: 1, reason, ...body }, key()),
    ]) {
      expect(reply.errorType).toBe('INCOMPLETE_INFORMATION')
      expect(reply.envelope.response.error?.errorFields).toEqual(fields)
    }
  expect(await progressOf(serverUUID)).toEqual([])

  const clockIsAhead = { serverUUID, days: 2, downFrom: at(-1), downUntil: at(0.05) }
  expect((await admin.ask(quoteCompensation, clockIsAhead)).accounts).toBe(1)
  await give({ ...clockIsAhead, accounts: 1, reason })
})

test('compensations are listed by pages, newest first, of all hosts or of one', async () => {
  const all = await admin.ask(getCompensations, {})
  const dates = all.items.map(({ compensationDate }) => compensationDate)
  expect(dates).toEqual([...dates].sort().reverse())
  const page = await admin.ask(getCompensations, { limit: 2 })
  const rest = await admin.ask(getCompensations, { limit: 200, cursor: page.nextCursor ?? '' })
  expect([...page.items, ...rest.items]).toEqual(all.items)
  expect([page.total, all.total]).toEqual([all.items.length, all.items.length])
})

test('an account that expired before the outage gets nothing; one that expired during it gets the days from now on', async () => {
  const { serverUUID, accounts } = await serverWith(1, 3, 30)
  product.clock.advance(2 * day)
  const downFrom = product.clock.now().toISOString()
  product.clock.advance(3 * day)
  const downUntil = product.clock.now().toISOString()
  product.clock.advance(day)
  const again = await product.again(admin)
  const who = await product.again(person)
  await who.ask(newAccount, directAccount)
  const outage = { serverUUID, days: 4, downFrom, downUntil }
  expect((await again.ask(quoteCompensation, { serverUUID, days: 4 })).accounts).toBe(2)
  expect((await again.ask(quoteCompensation, outage)).accounts).toBe(2)
  const [old = '', during = '', alive = ''] = accounts
  const read = (accountUUID: string) => who.ask(getAccount, { accountUUID })
  const before = await Promise.all([old, alive].map(read))
  const compensation = await again.ask(compensate, { ...outage, accounts: 2, reason }, key())
  expect(compensation).toMatchObject({ compensationDownFrom: downFrom, compensationDownUntil: downUntil })
  await giveCompensation(product.ctx, compensation.compensationUUID)
  const now = product.clock.now().getTime()
  expect((await read(old)).accountExpireDate).toBe(before[0]?.accountExpireDate)
  expect(await read(during)).toMatchObject({
    accountState: 'active',
    accountExpireDate: new Date(now + 4 * day).toISOString(),
  })
  expect(Date.parse((await read(alive)).accountExpireDate)).toBe(
    Date.parse(before[1]?.accountExpireDate ?? '') + 4 * day,
  )
})
