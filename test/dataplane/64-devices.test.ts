import { expect, test } from 'vitest'
import { type Account, appOf, comesIn, cutAfter, downloading, named, sell, url, ways } from './accounts.ts'
import { run, seconds, until } from './commands.ts'
import { page } from './pages.ts'
import { call, sql } from './product.ts'

const places = ['203.0.113.201', '203.0.113.202', '203.0.113.203', '203.0.113.204'] as const
/** Of a rule that wants three looks, ten seconds apart. */
const found = 75
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Opens a page every other second, from one place after the other, until it is told to stop. */
async function use(account: Account, from: string, stop: AbortSignal) {
  const app = await appOf(account, from)
  while (!stop.aborted) {
    await app.fetch(url, '--max-time', '2')
    await pause(1500)
  }
  app.close()
}

/** On the way from one network to the next: a while at each of them. */
async function travel(account: Account, stop: AbortSignal) {
  for (let stay = 0; !stop.aborted; stay += 1) {
    const here = AbortSignal.any([stop, AbortSignal.timeout(12_000)])
    await use(account, places[stay % places.length] ?? '', here)
  }
}

const stateOf = (account: Account) => call('accounts/getaccount', named(account))

test.each(ways)(
  'by %s: three devices on one account are sharing, two are not, and neither is one that travels',
  async (kind) => {
    for (const place of places)
      run('ip', '-n', 'customer', 'address', 'replace', `${place}/32`, 'dev', 'eth0')
    const [shared, paired, travelled] = (await Promise.all([sell(kind), sell(kind), sell(kind)])) as [
      Account,
      Account,
      Account,
    ]
    const stop = new AbortController()
    const since = performance.now()
    const busy = [
      ...places.slice(0, 3).map((place) => use(shared, place, stop.signal)),
      ...places.slice(0, 2).map((place) => use(paired, place, stop.signal)),
      travel(travelled, stop.signal),
    ]
    const app = await appOf(shared, places[0])
    const download = await downloading(app)
    const evidence = await until(
      'sharing to be found',
      found,
      async () => {
        const { accountAbuse, accountAbuseEvidence } = await stateOf(shared)
        if (!accountAbuse) throw new Error('not found')
        return accountAbuseEvidence as unknown as { devices: number }
      },
      250,
    )
    const stopped = performance.now()
    console.log(`by ${kind}: three devices found after ${seconds(since)}`)
    expect(evidence.devices).toBe(3)
    const cut = await cutAfter(download, stopped, 2)
    console.log(`by ${kind}: cut ${cut} ms after it was seen to be stopped`)
    expect(await comesIn(app)).toBe(false)
    const seen = await sql(
      'SELECT network FROM devices WHERE account_uuid = $1 ORDER BY network',
      paired.accountUUID,
    )
    expect(seen.map(({ network }) => network)).toEqual(places.slice(0, 2))
    stop.abort()
    await Promise.all(busy)
    app.close()
    for (const account of [paired, travelled]) expect((await stateOf(account)).accountState).toBe('active')
    const visited = await sql('SELECT network FROM devices WHERE account_uuid = $1', travelled.accountUUID)
    expect(visited.length).toBeGreaterThan(2)
    expect(await (await appOf(travelled)).fetch(url)).toMatchObject({ stdout: page })
    for (const account of [shared, paired, travelled]) await call('accounts/delete', named(account))
  },
)
