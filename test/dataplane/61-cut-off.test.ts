import { clearAbuse, deleteAccount, extendDuration, getAccount, newSecret, setEnabled } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import {
  type Account,
  applied,
  appOf,
  comesIn,
  cutAfter,
  downloading,
  isIn,
  named,
  sell,
  url,
  ways,
} from './accounts.ts'
import { until } from './commands.ts'
import { added } from './installation.ts'
import { address } from './network.ts'
import { page } from './pages.ts'
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

  test('a download that is older than 600 connections and than the agent is cut, and the same app is back in five seconds', async () => {
    const [account, other] = [await sell(kind), await sell(kind)]
    const [app, neighbour] = [await appOf(account), await appOf(other)]
    const beside = await downloading(neighbour)
    const download = await downloading(app)
    const urls = Array<string>(600).fill(url)
    const { stdout } = await app.fetch(url, '-H', 'Connection: close', ...urls)
    expect(stdout).toBe(page.repeat(601))
    const exit = (await added()).exits[kind]
    await exit.say('systemctl kill -s KILL kelid-agent; systemctl stop kelid-agent')
    const remove = `/usr/local/lib/kelid/core api rmu --server=127.0.0.1:10085 -tag=vpn ${account.accountUUID}`
    await exit.say(remove)
    await switchTo(false)(account)
    const since = now()
    await exit.say('systemctl start kelid-agent')
    const cut = await cutAfter(download, since, 5)
    await applied(account)
    console.log(
      `by ${kind}: cut ${cut} ms after the start of the agent, applied after ${Math.round(now() - since)} ms`,
    )
    const again = now()
    await switchTo(true)(account)
    await until('the same app is back', 5, async () => {
      if (!(await comesIn(app, 1))) throw new Error(app.log())
    })
    console.log(`by ${kind}: the same app is back after ${Math.round(now() - again)} ms`)
    expect(now() - beside.lastAt()).toBeLessThan(1000)
    expect(beside.end().isOpen).toBe(true)
    for (const one of [app, neighbour]) one.close()
    for (const one of [account, other]) await call(deleteAccount, named(one))
  })
})

test('by hysteria2: a customer who sends UDP alone is cut, and a neighbour at the same address is not', async () => {
  const [account, other] = [await sell('hysteria2'), await sell('hysteria2')]
  const [app, neighbour] = [await appOf(account), await appOf(other)]
  const beside = await downloading(neighbour)
  const way = await app.udp()
  const asks = () => way.ask(address.world, 8080, 500)
  await until('an answer by UDP', 10, async () => expect(await asks()).toBe(page))
  const since = now()
  await switchTo(false)(account)
  await until('the cut', 5, async () => expect(await asks()).toBe(null))
  console.log(`by hysteria2, UDP alone: cut after ${Math.round(now() - since)} ms`)
  await applied(account)
  console.log(`by hysteria2, UDP alone: applied after ${Math.round(now() - since)} ms`)
  expect(now() - beside.lastAt()).toBeLessThan(1000)
  way.close()
  beside.end()
  for (const one of [app, neighbour]) one.close()
  for (const one of [account, other]) await call(deleteAccount, named(one))
})
