import {
  addServer,
  deleteBulk,
  getHostHealth,
  moveHostAccounts,
  quoteHostMove,
  removeHost,
  setEnabledBulk,
  setHostPaused,
} from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import {
  type Account,
  again,
  applied,
  type Kind,
  sell,
  sellAsSoonAsPossible,
  wayOf,
  ways,
} from './accounts.ts'
import { until } from './commands.ts'
import { openCrowd } from './customer.ts'
import { bootHost } from './host.ts'
import { added, hysteria, productKey, server, trust } from './installation.ts'
import { address } from './network.ts'
import { call, settled, sql } from './product.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

const many = 300
const neighbours = 20
const soon = 5

/** Bulk calls take at most 200 accounts. */
const inHalves = (uuids: string[], act: (accountUUIDs: string[]) => Promise<unknown>) =>
  Promise.all([act(uuids.slice(0, many / 2)), act(uuids.slice(many / 2))])

const ends: Record<string, (uuids: string[]) => Promise<unknown>> = {
  disabled: (uuids) =>
    inHalves(uuids, (accountUUIDs) => call(setEnabledBulk, { accountUUIDs, accountEnabled: false })),
  'run out': (uuids) => sql('UPDATE accounts SET expires_at = now() WHERE uuid = ANY ($1)', uuids),
  deleted: (uuids) => inHalves(uuids, (accountUUIDs) => call(deleteBulk, { accountUUIDs })),
}

const restore = (uuids: string[]) =>
  sql(
    "UPDATE accounts SET enabled = true, expires_at = now() + interval '30 days' WHERE uuid = ANY ($1)",
    uuids,
  )

const drip = `http://${address.world}:8080/drip`
type Downloads = Awaited<ReturnType<Awaited<ReturnType<typeof openCrowd>>['streams']>>

/** Fails unless all are cut soon after the moment. */
async function expectCut(downloads: Downloads, since: number, what: string) {
  await until(`all who were ${what} to be cut`, 2 * soon, () => {
    const open = downloads.filter(({ isCut }) => !isCut()).length
    if (open > 0) throw new Error(`${open} are open`)
  })
  const lastByte = Math.round(Math.max(...downloads.map(({ lastAt }) => lastAt())) - since)
  console.log(`${downloads.length} accounts ${what}: the last byte after ${lastByte} ms`)
  expect(lastByte, what).toBeLessThan(soon * 1000)
}

test.each(ways)(
  'by %s: 300 accounts that end at once are cut, and neighbours at their address are not',
  async (kind) => {
    const accounts: Account[] = [await sell(kind)]
    while (accounts.length < many + neighbours) accounts.push(await sellAsSoonAsPossible(kind))
    await applied(accounts.at(-1) as Account)
    const crowd = await openCrowd(await Promise.all(accounts.map(wayOf)))
    const uuids = accounts.map(({ accountUUID }) => accountUUID)
    const ending = uuids.slice(0, many)
    for (const [how, end] of Object.entries(ends)) {
      await restore(ending)
      await Promise.all(accounts.slice(0, many).map(applied))
      const downloads = await crowd.streams(drip)
      const since = performance.now()
      await end(ending)
      await expectCut(downloads.slice(0, many), since, `${how}, by ${kind}`)
      expect(downloads.slice(many).filter(({ isCut }) => isCut()).length, how).toBe(0)
      for (const download of downloads) download.end()
    }
    crowd.close()
    await call(deleteBulk, { accountUUIDs: uuids.slice(many) })
  },
)

/** Nobody else's servers are there. */
const countryId = 620

/** One more server of each kind, which the tunnels lead to. */
const others = memo(async () => {
  const { tunnels } = await added()
  const key = await productKey()
  const hosts = await Promise.all(
    ways.map((kind, index) => bootHost(`other-${kind}`, `198.51.100.${94 + index}`)),
  )
  const bodies = await Promise.all(
    hosts.map(async (host, index) => {
      names.set(`${host.name}.example`, host.address)
      await trust(host, key)
      const kind = ways[index]
      const body = kind === 'hysteria2' ? hysteria(host.name, host) : server(host.name, host, kind ?? '')
      return { ...body, countryId }
    }),
  )
  await Promise.all(bodies.map((body) => call(addServer, body)))
  for (let round = 0; round < 2; round += 1)
    await Promise.all([
      ...bodies.map(({ serverUUID }) => settled('server', serverUUID)),
      ...tunnels.map(({ tunnelUUID }) => settled('tunnel', tunnelUUID)),
    ])
  const uuids = bodies.map(({ serverUUID }) => serverUUID)
  for (const hostUUID of uuids)
    await until('the way there to be sold', 60, async () => {
      const { ways = [] } = await call(getHostHealth, { hostUUID })
      if (!ways.some(({ isSold }) => isSold)) throw new Error(JSON.stringify(ways))
    })
  return Object.fromEntries(ways.map((kind, index) => [kind, uuids[index] ?? ''])) as Record<Kind, string>
})

afterAll(async () => {
  for (const hostUUID of Object.values(await others())) await call(removeHost, { hostUUID })
})

/** Gives how many moved. */
async function moveAll(hostUUID: string, toHostUUID: string): Promise<number> {
  const { accounts, fits, refusal } = await call(quoteHostMove, { hostUUID, toHostUUID })
  expect(fits, String(refusal)).toBe(true)
  return (await call(moveHostAccounts, { hostUUID, toHostUUID, accounts })).accounts
}

test.each(ways)(
  'by %s: 300 accounts that move to another host at once are cut, and neighbours there are not',
  async (kind) => {
    const other = (await others())[kind]
    const { servers } = await added()
    const first = { wstunnel: servers[0], ssh: servers[1], hysteria2: servers[2] }[kind].serverUUID
    const pause = (hostUUID: string, hostPaused: boolean) => call(setHostPaused, { hostUUID, hostPaused })
    await pause(other, true)
    const moving: Account[] = []
    while (moving.length < many) moving.push(await sellAsSoonAsPossible(kind))
    await pause(other, false)
    await pause(first, true)
    const staying: Account[] = []
    while (staying.length < neighbours) staying.push(await sellAsSoonAsPossible(kind))
    await pause(first, false)
    await Promise.all([...moving, ...staying].map(applied))

    const crowd = await openCrowd(await Promise.all([...moving, ...staying].map(wayOf)))
    const downloads = await crowd.streams(drip)
    const since = performance.now()
    expect(await moveAll(first, other)).toBeGreaterThanOrEqual(many)
    await expectCut(downloads.slice(0, many), since, `moved, by ${kind}`)
    expect(downloads.slice(many).filter(({ isCut }) => isCut()).length).toBe(0)
    for (const download of downloads) download.end()
    crowd.close()

    const moved = await Promise.all(moving.map(again))
    await Promise.all(moved.map(applied))
    console.log(`by ${kind}: applied at the other host after ${Math.round(performance.now() - since)} ms`)
    const there = await openCrowd(await Promise.all(moved.map(wayOf)))
    for (const download of await there.streams(drip)) download.end()
    there.close()
    const uuids = [...moving, ...staying].map(({ accountUUID }) => accountUUID)
    await inHalves(uuids, (accountUUIDs) => call(deleteBulk, { accountUUIDs }))
    // Accounts of other tests.
    if ((await call(quoteHostMove, { hostUUID: other, toHostUUID: first })).accounts > 0)
      await moveAll(other, first)
  },
)
