import {
  addServer,
  adjustUserCredit,
  deleteAccount,
  getAccount,
  getServer,
  newAccount,
  removeHost,
} from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import { type Account, applied, authorityAt, named, readLink, url } from './accounts.ts'
import { run, seconds, until } from './commands.ts'
import { type Customer, openCustomer } from './customer.ts'
import { bootHost, type Host } from './host.ts'
import { hysteria, productKey, server, trust } from './installation.ts'
import { administrator, call, closeProduct, settled, sql, startProduct } from './product.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

/** Nobody else's servers are there. */
const countryId = 818
const MB = 2 ** 20
const limit = 300 * MB
/** 1% of the limit or 64 MB, whichever is larger. */
const bound = 64 * MB

const servers = memo(async () => {
  const key = await productKey()
  const hosts = await Promise.all(
    ['cap-quic', 'cap-one', 'cap-two'].map((name, index) => bootHost(name, `198.51.100.${111 + index}`)),
  )
  for (const host of hosts) {
    names.set(`${host.name}.example`, host.address)
    await trust(host, key)
  }
  const bodies = hosts.map((host) => ({
    ...(host.name === 'cap-quic' ? hysteria(host.name, host) : server(host.name, host, '')),
    ...(host.name !== 'cap-quic' && { serverVPNType: 'vless-reality' as const, serverTunnelActive: false }),
    countryId,
  }))
  await call(adjustUserCredit, { userEmail: administrator.email, amount: 10_000, reason: 'to sell' })
  await Promise.all(bodies.map((body) => call(addServer, body)))
  await Promise.all(
    bodies.map(async ({ serverUUID }) => {
      const log = await settled('server', serverUUID)
      expect((await call(getServer, { serverUUID })).serverState, log).toBe('ready')
    }),
  )
  // As fast as the bound is stated for, towards each host.
  for (const { name } of hosts)
    run(
      'tc',
      '-n',
      'switch',
      'qdisc',
      'add',
      'dev',
      name,
      'root',
      ...'tbf rate 100mbit burst 256kb latency 50ms'.split(' '),
    )
  return { hosts, bodies }
})

afterAll(async () => {
  for (const { serverUUID } of (await servers()).bodies) await call(removeHost, { hostUUID: serverUUID })
})

const direct = { accountVPNType: 'hysteria2-direct', accountTunnelType: '', countryId } as const
const reality = { accountVPNType: 'vless-reality', accountTunnelType: '', countryId } as const

/** An account with a way to the first server, or to all three, and an app for each. */
async function buy(accountName: string, ways: 1 | 3) {
  const { hosts } = await servers()
  const body = { accountName, ...direct, accountTunnelEnabled: false, accountDuration: 30 }
  const account = await until('all ways to be sold', 60, () =>
    call(newAccount, { ...body, ...(ways === 3 && { accountAlsoBy: [reality, reality] }) }),
  )
  await applied(account)
  const { accountWays = [], accountQRString } = account
  const links = ways === 3 ? accountWays.map((way) => way.accountQRString) : [accountQRString]
  const found = await Promise.all(
    links.map(async (link) => {
      const way = readLink(link)
      const host = hosts.find((one) => one.address === way.server) as Host
      const app = await openCustomer({ ...way, authority: way.reality ? '' : await authorityAt(host) })
      return { host, app }
    }),
  )
  return { account, ways: found as [Way, ...Way[]] }
}
interface Way {
  readonly host: Host
  readonly app: Customer
}
async function setLimit({ accountUUID }: Account, bytes: number, ways: number) {
  await sql(
    'INSERT INTO data_limits (account_uuid, bytes, period_began_at) VALUES ($1, $2, now())',
    ...[accountUUID, bytes],
  )
  await until('a lease on every way', 20, async () => {
    const held = await sql('SELECT FROM data_leases WHERE account_uuid = $1 AND held > spent', accountUUID)
    if (held.length < ways) throw new Error(`${held.length} of ${ways}`)
  })
}
const usedOf = async ({ accountUUID }: Account): Promise<number> =>
  Number((await sql('SELECT used FROM data_limits WHERE account_uuid = $1', accountUUID))[0]?.used)
const stateOf = async (account: Account) => (await call(getAccount, named(account))).accountState
const isLimited = (account: Account) =>
  until('the state', 20, async () => {
    const state = await stateOf(account)
    if (state !== 'limited') throw new Error(state)
  })

/** Downloads as fast as it can, again and again, until nothing has come for some seconds. */
async function drain({ app }: Way, silentFor = 6_000): Promise<number> {
  let bytes = 0
  let lastAt = performance.now()
  while (performance.now() - lastAt < silentFor) {
    const download = app.download(`${url}flood`)
    let before = 0
    while (download.isOpen() && performance.now() - Math.max(lastAt, download.lastAt()) < 2_500) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (download.bytes() > before) lastAt = download.lastAt()
      before = download.bytes()
    }
    bytes += download.end().bytes
  }
  return bytes
}
const shown = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`
const close = (ways: readonly Way[]) => {
  for (const { app } of ways) app.close()
}

test('over one way an account is cut at its limit, and the control plane that was killed before it counts the same', async () => {
  const { account, ways } = await buy('one_way', 1)
  await setLimit(account, limit, 1)
  const since = performance.now()
  const draining = drain(ways[0])
  await new Promise((resolve) => setTimeout(resolve, 8_000))
  await closeProduct('SIGKILL')
  const came = await draining
  console.log(`one way without the product: ${shown(came)} of ${shown(limit)} came in ${seconds(since)}`)
  await startProduct()
  await isLimited(account)
  const past = (await usedOf(account)) - limit
  console.log(`one way: ${shown(past)} past the limit`)
  expect(past).toBeGreaterThanOrEqual(0)
  expect(past).toBeLessThanOrEqual(bound)
  expect(Math.abs((await usedOf(account)) - came)).toBeLessThan(0.03 * limit)
  close(ways)
  await call(deleteAccount, named(account))
})

test('over three ways at full speed an account is cut at its limit, although an agent is killed in the middle', async () => {
  const { account, ways } = await buy('three_ways', 3)
  await setLimit(account, limit, 3)
  const since = performance.now()
  const draining = ways.map((way) => drain(way))
  await until('a third of it to be used', 60, async () => {
    if ((await usedOf(account)) < limit / 3) throw new Error(shown(await usedOf(account)))
  })
  await ways[1]?.host.say('systemctl kill -s KILL kelid-agent')
  await isLimited(account).catch(async () => isLimited(account))
  console.log(`three ways: limited after ${seconds(since)}`)
  const came = await Promise.all(draining)
  const total = came.reduce((sum, bytes) => sum + bytes, 0)
  const past = (await usedOf(account)) - limit
  console.log(`three ways: ${came.map(shown).join(', ')} came, ${shown(past)} past the limit`)
  expect(past).toBeGreaterThanOrEqual(0)
  expect(past).toBeLessThanOrEqual(bound)
  expect(total - limit).toBeLessThanOrEqual(bound)
  close(ways)
  await call(deleteAccount, named(account))
})

test('with the control plane away each way ends with its own lease, and no more than the limit is used', async () => {
  const { account, ways } = await buy('three_alone', 3)
  await setLimit(account, limit, 3)
  await closeProduct('SIGKILL')
  const came = await Promise.all(ways.map((way) => drain(way)))
  const total = came.reduce((sum, bytes) => sum + bytes, 0)
  await startProduct()
  console.log(`three ways without the product: ${came.map(shown).join(', ')} of ${shown(limit)}`)
  expect(total).toBeLessThanOrEqual(limit + bound)
  await until('all to be counted', 30, async () => {
    const used = await usedOf(account)
    if (Math.abs(used - total) > 0.03 * limit) throw new Error(`${shown(used)} of ${shown(total)}`)
  })
  // Now it can be used to the end.
  const rest = await Promise.all(ways.map((way) => drain(way, 15_000)))
  const all = rest.reduce((sum, bytes) => sum + bytes, total)
  console.log(`and with it: ${shown(all)}`)
  expect(Math.abs(all - limit)).toBeLessThanOrEqual(bound)
  close(ways)
  await call(deleteAccount, named(account))
})

test('two nodes that saw a first use while the control plane was away agree on the earlier', async () => {
  const { account, ways } = await buy('first_use', 3)
  const { accountUUID: id } = account
  const days = 86_400_000
  const startsBy = Date.now() + 90 * days
  await sql(
    'UPDATE accounts SET starts_by = $2, expires_at = $3 WHERE uuid = $1',
    ...[id, new Date(startsBy), new Date(startsBy + 30 * days)],
  )
  await applied(account)
  await closeProduct('SIGKILL')
  const begun: number[] = []
  for (const { app } of ways.slice(0, 2)) {
    begun.push(Date.now())
    await until('a page', 20, async () => {
      if ((await app.fetch(url)).stdout === '') throw new Error(app.log())
    })
    await new Promise((resolve) => setTimeout(resolve, 4_000))
  }
  await startProduct()
  const dates = await until('the report', 30, async () => {
    const [row] = await sql('SELECT starts_by, first_used_at, expires_at FROM accounts WHERE uuid = $1', id)
    if (!row || row.starts_by !== null) throw new Error(JSON.stringify(row))
    return row
  })
  // The other one may report it first.
  await until('the earlier one', 20, async () => {
    const [row] = await sql('SELECT first_used_at FROM accounts WHERE uuid = $1', id)
    const late = Number(row?.first_used_at) - (begun[0] ?? 0)
    if (late > 3_000) throw new Error(`${late} ms late`)
    console.log(`first use: ${late} ms after the customer began`)
  })
  expect(dates.starts_by).toBeNull()
  const [row] = await sql('SELECT first_used_at, expires_at FROM accounts WHERE uuid = $1', id)
  const [first, end] = [row?.first_used_at as Date, row?.expires_at as Date]
  expect(end.getTime() - first.getTime()).toBe(30 * days)
  close(ways)
  await call(deleteAccount, named(account))
})
