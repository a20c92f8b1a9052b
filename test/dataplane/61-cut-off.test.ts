import { clearAbuse, deleteAccount, extendDuration, getAccount, newSecret, setEnabled } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import { type Account, applied, appOf, cutAfter, downloading, isIn, named, sell, ways } from './accounts.ts'
import { until } from './commands.ts'
import { call, sql } from './product.ts'

/** As long as a reseller waits who has pressed a button, and watches. */
const soon = 2

type End = {
  /** Gives the moment from which on it counts. */
  end: (account: Account) => Promise<number>
  /** Gives the account with which the customer comes back. */
  back?: (account: Account) => Promise<Account>
}

const now = () => performance.now()
const runsOutIn = 2500

/** It counts from the moment before the act. */
const from = (act: (account: Account) => Promise<unknown>) => async (account: Account) => {
  const since = now()
  await act(account)
  return since
}
const switchTo = (accountEnabled: boolean) => (account: Account) =>
  call(setEnabled, { ...named(account), accountEnabled })

const ends: Record<string, End> = {
  disabled: { end: from(switchTo(false)), back: switchTo(true) },
  'run out': {
    end: async ({ accountUUID }) => {
      const at = Date.now() + runsOutIn
      await sql('UPDATE accounts SET expires_at = $2 WHERE uuid = $1', accountUUID, new Date(at))
      await new Promise((resolve) => setTimeout(resolve, at - Date.now()))
      return now()
    },
    back: (account) => call(extendDuration, { ...named(account), accountDuration: 30 }),
  },
  'stopped for abuse': {
    end: from(({ accountUUID }) =>
      sql('UPDATE accounts SET abused = true, enabled = false WHERE uuid = $1', accountUUID),
    ),
    back: async (account) => {
      await call(clearAbuse, named(account))
      return account
    },
  },
  'given a new secret': {
    end: from((account) => call(newSecret, named(account))),
    back: (account) => call(getAccount, named(account)),
  },
  deleted: { end: from((account) => call(deleteAccount, named(account))) },
}

describe.each(ways)('by %s', (kind) => {
  test('a customer whose account ends is cut off, a neighbour at the same address is not, and a restored account comes in', async () => {
    const other = await sell(kind)
    const neighbour = await appOf(other)
    const beside = await downloading(neighbour)
    let account = await sell(kind)
    for (const [how, { end, back }] of Object.entries(ends)) {
      const app = await appOf(account)
      const download = await downloading(app)
      const since = await end(account)
      const refusedAfter = until(`${how}: refused`, soon, async () => {
        if (await isIn(account)) throw new Error('it comes in')
        return Math.round(now() - since)
      })
      const cut = await cutAfter(download, since, soon)
      console.log(`by ${kind}, ${how}: refused ${await refusedAfter} ms, cut ${cut} ms after it`)
      expect(cut, how).toBeLessThan(soon * 1000)
      if (back) {
        const again = now()
        account = await back(account)
        await until(`${how}: back`, soon, async () => {
          if (!(await isIn(account))) throw new Error('it does not come in')
        })
        console.log(`by ${kind}: back after ${Math.round(now() - again)} ms`)
        await applied(account)
      }
      app.close()
      expect(now() - beside.lastAt(), `the neighbour when it was ${how}`).toBeLessThan(500)
    }
    expect(beside.end().isOpen).toBe(true)
    neighbour.close()
    await call(deleteAccount, named(other))
  })
})
