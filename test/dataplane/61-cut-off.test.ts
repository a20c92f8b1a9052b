import { describe, expect, test } from 'vitest'
import {
  type Account,
  applied,
  appOf,
  comesIn,
  cutAfter,
  downloading,
  named,
  sell,
  ways,
} from './accounts.ts'
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

const ends: Record<string, End> = {
  disabled: {
    end: async (account) => {
      const since = now()
      await call('accounts/setenabled', { ...named(account), accountEnabled: false })
      return since
    },
    back: (account) => call('accounts/setenabled', { ...named(account), accountEnabled: true }),
  },
  'run out': {
    end: async ({ accountUUID }) => {
      const at = Date.now() + runsOutIn
      await sql('UPDATE accounts SET expires_at = $2 WHERE uuid = $1', accountUUID, new Date(at))
      await new Promise((resolve) => setTimeout(resolve, at - Date.now()))
      return now()
    },
    back: (account) => call('accounts/extendduration', { ...named(account), accountDuration: 30 }),
  },
  'stopped for abuse': {
    end: async ({ accountUUID }) => {
      const since = now()
      await sql('UPDATE accounts SET abused = true, enabled = false WHERE uuid = $1', accountUUID)
      return since
    },
    back: async (account) => {
      await call('accounts/clearabuse', named(account))
      return account
    },
  },
  'given a new secret': {
    end: async (account) => {
      const since = now()
      await call('accounts/newsecret', named(account))
      return since
    },
    back: (account) => call('accounts/getaccount', named(account)),
  },
  deleted: {
    end: async (account) => {
      const since = now()
      await call('accounts/delete', named(account))
      return since
    },
  },
}

describe.each(ways)('a customer by %s', (kind) => {
  test('whose account ends is cut off and refused, and the neighbour at the same address is not; brought back, it comes in', async () => {
    const other = await sell(kind)
    const neighbour = await appOf(other)
    const beside = await downloading(neighbour)
    let account = await sell(kind)
    for (const [how, { end, back }] of Object.entries(ends)) {
      const app = await appOf(account)
      const download = await downloading(app)
      const since = await end(account)
      const refusedAfter = until(`${how}: refused`, soon, async () => {
        const stranger = await appOf(account)
        const isIn = await comesIn(stranger)
        stranger.close()
        if (isIn) throw new Error('it comes in')
        return Math.round(now() - since)
      })
      const cut = await cutAfter(download, since, soon)
      console.log(`by ${kind}, ${how}: refused ${await refusedAfter} ms, cut ${cut} ms after it`)
      expect(cut, how).toBeLessThan(soon * 1000)
      if (back) {
        const again = now()
        account = await back(account)
        const returned = await until(`${how}: back`, soon, async () => {
          const fresh = await appOf(account)
          const isIn = await comesIn(fresh)
          fresh.close()
          if (!isIn) throw new Error('it does not come in')
        })
        console.log(`by ${kind}: back after ${Math.round(now() - again)} ms`, returned ?? '')
        await applied(account)
      }
      app.close()
      expect(now() - beside.lastAt(), `the neighbour when it was ${how}`).toBeLessThan(500)
    }
    expect(beside.end().isOpen).toBe(true)
    neighbour.close()
    await call('accounts/delete', named(other))
  })
})
