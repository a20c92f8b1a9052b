import { deleteAccount, setEnabled } from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import {
  type Account,
  applied,
  appOf,
  cutAfter,
  downloading,
  isIn,
  type Kind,
  named,
  sell,
  ways,
} from './accounts.ts'
import { run, seconds, until } from './commands.ts'
import type { Host } from './host.ts'
import { added } from './installation.ts'
import { call, closeProduct, sql, startProduct } from './product.ts'
import { memo } from './stage.ts'

/** By then everything works again. */
const converges = 5
const runsOutIn = 6000

/** One account by each way, which nothing here is to put out. */
const regulars = memo(() => Promise.all(ways.map(sell)))
afterAll(async () => {
  for (const account of await regulars()) await call(deleteAccount, named(account))
})

/** How long it takes until all of them are in, or out, each by its way. */
async function settle(what: string, accounts: Account[], isToBeIn: boolean, since: number) {
  await Promise.all(
    accounts.map((account, index) =>
      until(`${what}: ${ways[index]} ${isToBeIn ? 'comes in' : 'stays out'}`, converges, async () => {
        if ((await isIn(account, 1)) !== isToBeIn) throw new Error('not so')
      }),
    ),
  )
  console.log(`${what}: everybody ${isToBeIn ? 'in' : 'out'} after ${seconds(since)}`)
}
const everybodyIsIn = async (what: string, since = performance.now()) =>
  settle(what, await regulars(), true, since)

const soldAndShort = (at: Date) => async (kind: Kind) => {
  const account = await sell(kind)
  const app = await appOf(account)
  const download = await downloading(app)
  await sql('UPDATE accounts SET expires_at = $2 WHERE uuid = $1', account.accountUUID, at)
  await applied(account)
  return { kind, account, app, download }
}

test('while the product is down accounts work and expire on time, and its return disconnects no customer', async () => {
  await regulars()
  const at = Date.now() + runsOutIn
  const short = await Promise.all(ways.map(soldAndShort(new Date(at))))
  expect(Date.now()).toBeLessThan(at)
  await closeProduct('SIGKILL')
  await everybodyIsIn('without the product')
  await new Promise((resolve) => setTimeout(resolve, at - Date.now()))
  const since = performance.now()
  const ended = short.map(async ({ kind, account, download }) => {
    await until(`${kind} is refused`, 2, async () => {
      if (await isIn(account, 1)) throw new Error('it comes in')
    })
    console.log(`without the product, by ${kind}: refused ${seconds(since)} after its time`)
    if (kind !== 'hysteria2') return
    const cut = await cutAfter(download, since, 2)
    console.log(`without the product, by ${kind}: cut ${cut} ms after its time`)
  })
  await Promise.all(ended)
  await everybodyIsIn('after that')
  const again = performance.now()
  await startProduct()
  console.log(`the product is back after ${seconds(again)}`)
  // The product passes the orders of the servers on to the tunnels.
  for (const { kind, app, download } of short) {
    if (kind !== 'hysteria2')
      console.log(`by ${kind}: cut ${await cutAfter(download, again, 20)} ms after the product was started`)
    app.close()
  }
  await everybodyIsIn('with the product again')
  for (const { account } of short) await call(deleteAccount, named(account))
})

/** While it happens somebody is put out: afterwards that has to hold as well. */
async function meanwhile(what: string, hosts: Host[], happens: (host: Host) => Promise<unknown>) {
  const out = await Promise.all(ways.map(sell))
  const changes = async () => {
    for (const account of out) await call(setEnabled, { ...named(account), accountEnabled: false })
  }
  await Promise.all([changes(), ...hosts.map(happens)])
  const since = performance.now()
  await Promise.all([everybodyIsIn(what, since), settle(what, out, false, since)])
  await Promise.all(out.map(applied))
  console.log(`${what}: told after ${seconds(since)}`)
  for (const account of out) await call(deleteAccount, named(account))
}

test('accounts converge after restarts of cores and agents, network failures and reboots', async () => {
  const { hosts } = await added()
  const servers = [hosts.hysteriaServer, hosts.sshServer, hosts.wsServer]
  const all = [...servers, hosts.sshTunnel, hosts.wsTunnel]
  await meanwhile('cores restarted', all, (host) => host.say('systemctl restart kelid-core'))
  await meanwhile('agents restarted', all, (host) => host.say('systemctl restart kelid-agent'))
  await meanwhile('agents killed', all, (host) => host.say('systemctl kill -s KILL kelid-agent'))
  await meanwhile('lines cut for 20 s', all, async ({ name }) => {
    run('ip', '-n', 'switch', 'link', 'set', name, 'down')
    await new Promise((resolve) => setTimeout(resolve, 20_000))
    run('ip', '-n', 'switch', 'link', 'set', name, 'up')
  })
  await meanwhile('hosts rebooted', all, (host) => host.reboot())
})
