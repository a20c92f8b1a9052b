import { deleteAccount, getAccount } from '@kelid/contract'
import { expect, test } from 'vitest'
import { type Account, appOf, comesIn, cutAfter, downloading, named, sell, url, ways } from './accounts.ts'
import { run, seconds, until } from './commands.ts'
import { call, sql } from './product.ts'

/** The rule wants three looks, ten seconds apart. */
const foundWithin = 75
const stay = 12_000
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const network = (verb: 'replace' | 'del', place: string) =>
  run('ip', '-n', 'customer', 'address', verb, `${place}/32`, 'dev', 'eth0')

/** A device: something that goes on, and a page every other second, until it is told to stop. */
async function use(account: Account, from: string, isOver: () => boolean, leave = () => {}) {
  const app = await appOf(account, from)
  const download = app.download(`${url}download`)
  while (!isOver()) {
    await app.fetch(url, '--max-time', '2')
    await pause(1500)
  }
  leave()
  download.end()
  app.close()
}

/** A phone on its way: a while in each network, which is gone before anything could be closed in good order. */
async function travel(account: Account, places: string[], isOver: () => boolean) {
  for (let at = 0; !isOver(); at = (at + 1) % places.length) {
    const place = places[at] ?? ''
    const came = performance.now()
    network('replace', place)
    const isTimeToGo = () => isOver() || performance.now() - came > stay
    await use(account, place, isTimeToGo, () => network('del', place))
  }
}

const stateOf = (account: Account) => call(getAccount, named(account))
const networksOf = async ({ accountUUID }: Account) =>
  (await sql('SELECT network FROM devices WHERE account_uuid = $1 ORDER BY network', accountUUID)).map(
    (row) => row.network,
  )

test.concurrent.each(ways.map((kind, index) => ({ kind, base: 100 + 10 * index })))(
  'by $kind: three devices on one account are sharing, two are not, and one that travels is not',
  async ({ kind, base }) => {
    const places = Array.from({ length: 7 }, (_, index) => `203.0.113.${base + index}`)
    const [first = '', second = '', third = '', ...onTheWay] = places
    for (const place of [first, second, third]) network('replace', place)
    const shared = await sell(kind)
    const paired = await sell(kind)
    const travelled = await sell(kind)
    let isDone = false
    const isOver = () => isDone
    const since = performance.now()
    const busy = [
      ...[first, second, third].map((place) => use(shared, place, isOver)),
      ...[first, second].map((place) => use(paired, place, isOver)),
      travel(travelled, onTheWay, isOver),
    ]
    const app = await appOf(shared, first)
    const download = await downloading(app)
    const isStopped = async () => {
      const { accountAbuse, accountAbuseEvidence } = await stateOf(shared)
      if (!accountAbuse) throw new Error('not found')
      return accountAbuseEvidence as unknown as { devices: number }
    }
    const evidence = await until('three devices are found', foundWithin, isStopped, 250)
    const stopped = performance.now()
    console.log(`by ${kind}: three devices found after ${seconds(since)}`)
    expect(evidence.devices).toBe(3)
    const cut = await cutAfter(download, stopped, 2)
    console.log(`by ${kind}: cut ${cut} ms after it was seen to be stopped`)
    expect(await comesIn(app)).toBe(false)
    // The customers' own addresses, and not that of a tunnel.
    expect(await networksOf(paired)).toEqual([first, second])
    const visited = await until('the one that travels is seen everywhere', 60, async () => {
      const seen = await networksOf(travelled)
      expect(seen).toEqual(onTheWay)
      return seen
    })
    console.log(`by ${kind}: one that travelled was seen in ${visited.join(', ')}`)
    isDone = true
    await Promise.all(busy)
    app.close()
    for (const account of [paired, travelled]) expect((await stateOf(account)).accountState).toBe('active')
    for (const account of [shared, paired, travelled]) await call(deleteAccount, named(account))
  },
)
