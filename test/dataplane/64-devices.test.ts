import { deleteAccount, getAccount } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import {
  type Account,
  appOf,
  comesIn,
  cutAfter,
  downloading,
  type Kind,
  named,
  sell,
  url,
  ways,
} from './accounts.ts'
import { run, seconds, until } from './commands.ts'
import { added } from './installation.ts'
import { call, sql } from './product.ts'

/** Three whole minutes; the first one begins within a minute, and the list is waited for. */
const refusedWithin = 330
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const network = (verb: 'replace' | 'del', place: string) =>
  run('ip', '-n', 'customer', 'address', verb, `${place}/32`, 'dev', 'eth0')

/** A device in use: a download that is begun again when it ended, and a page now and then. */
async function use(account: Account, from: string, isOver: () => boolean, leave = () => {}) {
  const app = await appOf(account, from)
  let download = app.download(`${url}download`)
  for (let pass = 0; !isOver(); pass += 1) {
    if (pass % 10 === 0) await app.fetch(url, '--max-time', '2')
    if (performance.now() - download.lastAt() > 3_000) {
      download.end()
      download = app.download(`${url}download`)
    }
    await pause(500)
  }
  leave()
  download.end()
  app.close()
}

/** Seen for three seconds in each minute. */
async function glimpse(account: Account, from: string, isOver: () => boolean) {
  while (!isOver()) {
    const end = performance.now() + 3_000
    await use(account, from, () => performance.now() > end)
    const next = performance.now() + 57_000
    while (!isOver() && performance.now() < next) await pause(500)
  }
}

/** A phone on its way: some seconds in each network, which is gone before anything could be closed in good order. */
async function travel(account: Account, places: string[], isOver: () => boolean) {
  for (let at = 0; !isOver(); at += 1) {
    const place = places[at % places.length] ?? ''
    const end = performance.now() + 4_000 + 1_000 * ((7 * at) % 11)
    network('replace', place)
    const isTimeToGo = () => isOver() || performance.now() > end
    await use(account, place, isTimeToGo, () => network('del', place))
  }
}

const stateOf = (account: Account) => call(getAccount, named(account))
const networksOf = async ({ accountUUID }: Account, condition = 'true') =>
  (
    await sql(
      `SELECT network FROM devices WHERE account_uuid = $1 AND ${condition} ORDER BY network`,
      accountUUID,
    )
  ).map((row) => row.network)

/** Of an overlap that has lasted for an hour, ten minutes refused each time; the refusal is just over. */
async function passHour({ accountUUID }: Account) {
  await sql(
    `INSERT INTO crowds (account_uuid, at, devices) SELECT $1, now() - make_interval(mins => 15 * part), 3
      FROM generate_series(1, 4) AS part`,
    accountUUID,
  )
  await sql('UPDATE devices SET refused_until = now() WHERE account_uuid = $1', accountUUID)
}

beforeAll(() => added())

const sellMany = async (kind: Kind, count: number): Promise<Account[]> => {
  const accounts: Account[] = []
  for (let index = 0; index < count; index += 1) accounts.push(await sell(kind))
  return accounts
}

/** Customers who do nothing wrong, each at addresses of their own unless said otherwise. */
async function openHonest(kind: Kind, addressOf: (name: string) => string, isOver: () => boolean) {
  const accounts = await sellMany(kind, 5)
  const [paired, glimpsed, travelled, behindNat, neighbour] = accounts as [
    Account,
    Account,
    Account,
    Account,
    Account,
  ]
  const places = ['a', 'b', 'c', 'd'].map((name) => addressOf(`travel-${name}`))
  for (const place of places) network('del', place)
  const useAt = (account: Account, ...names: string[]) =>
    names.map((name) => use(account, addressOf(name), isOver))
  const busy = [
    ...useAt(paired, 'wifi', 'mobile'),
    ...useAt(glimpsed, 'home', 'work'),
    glimpse(glimpsed, addressOf('cafe'), isOver),
    travel(travelled, places, isOver),
    // Somebody else may have moved the bytes at an address that many share.
    ...useAt(behindNat, 'nat-home', 'nat-work', 'carrier'),
    ...useAt(neighbour, 'carrier'),
  ]
  return { accounts, neighbour, travelled, places, busy }
}

test.concurrent.each(ways.map((kind, index) => ({ kind, base: 100 + 20 * index })))(
  'by $kind: of three devices at once the last is refused, and after an hour the account is stopped; honest customers go on',
  async ({ kind, base }) => {
    const known: string[] = []
    const addressOf = (name: string): string => {
      if (!known.includes(name)) {
        known.push(name)
        network('replace', `203.0.113.${base + known.indexOf(name)}`)
      }
      return `203.0.113.${base + known.indexOf(name)}`
    }
    let isDone = false
    const isOver = () => isDone
    const { accounts, neighbour, travelled, places, busy } = await openHonest(kind, addressOf, isOver)
    const [shared] = (await sellMany(kind, 1)) as [Account]
    const extraAddress = addressOf('extra')
    const since = performance.now()
    for (const name of ['first', 'second']) busy.push(use(shared, addressOf(name), isOver))
    const first = await appOf(shared, addressOf('first'))
    const download = await downloading(first)
    await until('the first two to be seen', 30, async () =>
      expect(await networksOf(shared)).toEqual(['first', 'second'].map(addressOf)),
    )
    const extra = await appOf(shared, extraAddress)
    const extraDownload = await downloading(extra)
    const isRefused = async () => {
      const refused = await networksOf(shared, 'refused_until > now()')
      if (refused.length === 0) throw new Error('not found')
      return refused
    }
    expect(await until('the extra device to be refused', refusedWithin, isRefused, 250)).toEqual([
      extraAddress,
    ])
    const refusedAt = performance.now()
    console.log(`by ${kind}: the extra device refused after ${seconds(since)}`)
    const cut = await cutAfter(extraDownload, refusedAt, 5)
    console.log(`by ${kind}: cut ${cut} ms after it was seen to be refused`)
    expect(await comesIn(extra)).toBe(false)
    expect(performance.now() - download.lastAt(), 'the first two go on').toBeLessThan(1_500)
    expect(await comesIn(first)).toBe(true)
    const other = await appOf(neighbour, extraAddress)
    expect(await comesIn(other), 'another account at that address').toBe(true)
    other.close()
    const { accountState, accountRefusedDevices } = await stateOf(shared)
    expect(accountState).toBe('active')
    expect(accountRefusedDevices).toMatchObject({ refused: 1, devices: 3, allowed: 2 })

    await passHour(shared)
    busy.push(use(shared, extraAddress, isOver))
    await until('the extra device to come in again', 60, async () => expect(await comesIn(extra)).toBe(true))
    const isStopped = async () => {
      const { accountAbuse, accountAbuseEvidence } = await stateOf(shared)
      if (!accountAbuse) throw new Error('not found')
      return accountAbuseEvidence
    }
    const evidence = await until('the account to be stopped', refusedWithin, isStopped, 250)
    expect(evidence).toMatchObject({ devices: 3 })
    console.log(`by ${kind}: stopped after ${seconds(since)}, with ${JSON.stringify(evidence)}`)
    await until('the account to be out', 5, async () => expect(await comesIn(first, 1)).toBe(false))
    isDone = true
    await Promise.all(busy)
    download.end()
    for (const app of [first, extra]) app.close()
    const findings = await sql(
      'SELECT account_uuid FROM abuse_findings WHERE account_uuid = ANY ($1)',
      accounts.map(({ accountUUID }) => accountUUID),
    )
    expect(findings).toEqual([])
    for (const account of accounts) expect((await stateOf(account)).accountState).toBe('active')
    expect(await networksOf(travelled)).toEqual(places)
    for (const account of [shared, ...accounts]) await call(deleteAccount, named(account))
  },
  900_000,
)
