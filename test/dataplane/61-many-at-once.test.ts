import { deleteBulk, setEnabledBulk } from '@kelid/contract'
import { expect, test } from 'vitest'
import { type Account, applied, sell, sellAsSoonAsPossible, wayOf, ways } from './accounts.ts'
import { until } from './commands.ts'
import { openCrowd } from './customer.ts'
import { address } from './network.ts'
import { call, sql } from './product.ts'

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
      const downloads = await crowd.streams(`http://${address.world}:8080/drip`)
      const [ended, others] = [downloads.slice(0, many), downloads.slice(many)]
      const since = performance.now()
      await end(ending)
      await until(`all who were ${how} to be cut`, 2 * soon, () => {
        const open = ended.filter(({ isCut }) => !isCut()).length
        if (open > 0) throw new Error(`${open} are open`)
      })
      const lastByte = Math.round(Math.max(...ended.map(({ lastAt }) => lastAt())) - since)
      console.log(`by ${kind}, ${many} accounts ${how}: the last byte after ${lastByte} ms`)
      expect(lastByte, how).toBeLessThan(soon * 1000)
      expect(others.filter(({ isCut }) => isCut()).length, how).toBe(0)
      for (const download of downloads) download.end()
    }
    crowd.close()
    await call(deleteBulk, { accountUUIDs: uuids.slice(many) })
  },
)
