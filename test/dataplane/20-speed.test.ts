import {
  addServer,
  adjustUserCredit,
  deleteAccount,
  getServer,
  newAccount,
  removeHost,
  setSpeed,
} from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import { type Account, applied, authorityAt, named, readLink, url } from './accounts.ts'
import { until } from './commands.ts'
import { type Customer, openCustomer } from './customer.ts'
import { bootHost, type Host } from './host.ts'
import { hysteria, productKey, server, trust } from './installation.ts'
import { administrator, call, settled, sql } from './product.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

/** Nobody else's servers are there. */
const countryId = 826
const limit = 16
const other = 40

const types = {
  'hysteria2-direct': { name: 'pace-quic', address: '198.51.100.121' },
  'vless-reality': { name: 'pace-real', address: '198.51.100.122' },
} as const
type Type = keyof typeof types
const each = Object.keys(types) as Type[]

const servers = memo(async () => {
  const key = await productKey()
  await call(adjustUserCredit, { userEmail: administrator.email, amount: 10_000, reason: 'to sell' })
  const booted = await Promise.all(
    each.map(async (type) => {
      const { name, address } = types[type]
      const host = await bootHost(name, address)
      names.set(`${name}.example`, address)
      await trust(host, key)
      const body = {
        ...(type === 'hysteria2-direct'
          ? hysteria(name, host)
          : { ...server(name, host, ''), serverVPNType: type, serverTunnelActive: false }),
        countryId,
      }
      await call(addServer, body)
      return { type, host, body }
    }),
  )
  for (const { body } of booted) {
    const log = await settled('server', body.serverUUID)
    expect((await call(getServer, { serverUUID: body.serverUUID })).serverState, log).toBe('ready')
  }
  const hosts = new Map<Type, Host>(booted.map(({ type, host }) => [type, host]))
  return { bodies: booted.map(({ body }) => body), hostOf: (type: Type) => hosts.get(type) as Host }
})

afterAll(async () => {
  for (const { serverUUID } of (await servers()).bodies) await call(removeHost, { hostUUID: serverUUID })
})

const accounts: Account[] = []
const apps: Customer[] = []
afterAll(async () => {
  for (const app of apps) app.close()
  for (const account of accounts) await call(deleteAccount, named(account))
})

async function buy(accountName: string, accountVPNType: Type) {
  const { hostOf } = await servers()
  const way = { accountVPNType, accountTunnelType: '', accountTunnelEnabled: false } as const
  const account = await until('the way to be sold', 60, () =>
    call(newAccount, { accountName, ...way, accountDuration: 30, countryId }),
  )
  accounts.push(account)
  await applied(account)
  return { account, host: hostOf(accountVPNType), open: () => openApp(account, hostOf(accountVPNType)) }
}

async function openApp({ accountQRString }: Account, host: Host) {
  const way = readLink(accountQRString)
  const app = await openCustomer({ ...way, authority: way.reality ? '' : await authorityAt(host) })
  apps.push(app)
  return app
}

async function setLimit(account: Account, accountSpeedLimit: number | null) {
  await call(setSpeed, { ...named(account), accountSpeedLimit })
  await applied(account)
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function flood(app: Customer) {
  const download = app.download(`${url}flood`)
  await until('the download to begin', 20, () => {
    if (download.bytes() < 100_000) throw new Error(`${download.bytes()} bytes; ${app.log()}`)
  })
  return download
}

/** In Mbit/s, after what the beginning or a change sends at once. */
async function rateOf(download: { bytes: () => number }): Promise<number> {
  await pass(2_000)
  const [before, since] = [download.bytes(), performance.now()]
  await pass(5_000)
  return ((download.bytes() - before) * 8) / 1_000 / (performance.now() - since)
}

const expectLimited = (rate: number, speed = limit) => {
  expect(rate).toBeLessThan(1.25 * speed)
  expect(rate).toBeGreaterThan(0.5 * speed)
}
const shown = (...rates: number[]) => rates.map((rate) => (rate / limit).toFixed(2)).join(', ')

test.each(each)(
  'a limited account of %s is as fast as its limit, and one beside it as before',
  async (type) => {
    const one = await buy(`paced_${type.slice(0, 5)}`, type)
    const beside = await buy(`free_${type.slice(0, 5)}`, type)
    await setLimit(one.account, limit)
    const [limited, free] = [await flood(await one.open()), await flood(await beside.open())]
    const rates = [await rateOf(limited), await rateOf(free)] as const
    console.log(`${type}: limited and free ${shown(...rates)} of the limit`)
    expectLimited(rates[0])
    expect(rates[1]).toBeGreaterThan(3 * limit)
    limited.end()
    free.end()
  },
)

test.each(each)('a limit of %s changes while a download goes on, which outlasts its end', async (type) => {
  const { account, open } = await buy(`changed_${type.slice(0, 5)}`, type)
  await setLimit(account, limit)
  const download = await flood(await open())
  const first = await rateOf(download)
  await setLimit(account, other)
  const faster = await rateOf(download)
  await setLimit(account, limit)
  const slower = await rateOf(download)
  await setLimit(account, null)
  let free = 0
  await until('full speed', 60, async () => {
    free = await rateOf(download)
    if (free < 3 * limit) throw new Error(shown(free))
  })
  console.log(`${type}: ${limit}, ${other}, ${limit} Mbit/s and none: ${shown(first, faster, slower, free)}`)
  expectLimited(first)
  expectLimited(faster, other)
  expectLimited(slower)
  download.end()
})

test.each(each)('a limit of %s holds from the first moment after a restart of the core', async (type) => {
  const { account, host, open } = await buy(`again_${type.slice(0, 5)}`, type)
  await setLimit(account, limit)
  await host.say('systemctl stop kelid-agent; systemctl restart kelid-core')
  const download = await flood(await open())
  expectLimited(await rateOf(download))
  await host.say('systemctl start kelid-agent; nft delete table inet kelid-speed')
  await until('the table', 60, async () => {
    await host.say('nft list table inet kelid-speed')
  })
  expectLimited(await rateOf(download))
  download.end()
  const troubles = await sql(
    `SELECT detail FROM node_troubles JOIN accounts ON server_uuid = host_uuid WHERE uuid = $1 AND kind = 'agent'`,
    account.accountUUID,
  )
  expect(troubles).toEqual([])
})
