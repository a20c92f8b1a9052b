import { mkdirSync, writeFileSync } from 'node:fs'
import {
  addServer,
  adjustUserCredit,
  changeServer,
  deleteAccount,
  getServer,
  newAccount,
  removeHost,
  setEnabled,
} from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import { type Account, applied, comesIn, cutAfter, downloading, named, subscription } from './accounts.ts'
import { runBeside, until } from './commands.ts'
import { type Customer, openApp } from './customer.ts'
import { bootHost } from './host.ts'
import { hysteria, productKey, trust } from './installation.ts'
import { address } from './network.ts'
import { administrator, call, settled } from './product.ts'
import { programs } from './programs.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

/** Nobody else's servers are there. */
const countryId = 246
const hopPorts = '20000-20100'
/** The shortest interval that apps accept, so that a test sees many changes. */
const hopSeconds = 5

const options = memo(async () => {
  const key = await productKey()
  const host = await bootHost('hy-options', '198.51.100.68')
  names.set(`${host.name}.example`, host.address)
  await trust(host, key)
  await call(adjustUserCredit, { userEmail: administrator.email, amount: 10_000, reason: 'to sell' })
  const body = {
    ...hysteria('hy-options', host),
    ...{ countryId, serverObfuscated: true, serverHopPorts: hopPorts },
  }
  await call(addServer, body)
  const { serverUUID } = body
  const run = await settled('server', serverUUID)
  expect((await call(getServer, { serverUUID })).serverState, run).toBe('ready')
  return { host, body, accounts: [] as Account[] }
})

async function sell(): Promise<Account> {
  const { accounts } = await options()
  const account = await until('the server to be sold', 60, () =>
    call(newAccount, {
      accountName: `options_${accounts.length + 1}`,
      accountVPNType: 'hysteria2-direct',
      accountTunnelEnabled: false,
      accountTunnelType: '',
      accountDuration: 30,
      countryId,
    }),
  )
  accounts.push(account)
  await applied(account)
  return account
}

afterAll(async () => {
  const { body, accounts } = await options()
  for (const account of accounts) await call(deleteAccount, named(account))
  await call(removeHost, { hostUUID: body.serverUUID })
})

/** sing-box with the account's file, which changes ports often. */
async function openSingBox(account: Account): Promise<Customer> {
  const [outbound] = JSON.parse(await subscription(account, 'SFA/1.13.2')).outbounds
  const hops = outbound.server_ports && { hop_interval: `${hopSeconds}s` }
  return openApp((listen) => {
    const file = `/mnt/options-${listen}.json`
    const inbound = { type: 'socks', listen: address.customer, listen_port: listen }
    const config = { log: { level: 'error' }, inbounds: [inbound], outbounds: [{ ...outbound, ...hops }] }
    writeFileSync(file, JSON.stringify(config))
    return [programs['sing-box'], 'run', '-c', file]
  })
}

/** mihomo with the account's file, likewise. */
async function openMihomo(account: Account): Promise<Customer> {
  const text = await subscription(account, 'mihomo/1.19')
  return openApp((listen) => {
    const folder = `/mnt/options-${listen}`
    mkdirSync(folder)
    const here = `socks-port: ${listen}\nallow-lan: true\nbind-address: ${address.customer}\n`
    const file = text
      .replace(/^allow-lan: .*\n/m, '')
      .replace(/^mixed-port: .*\n/m, here)
      .replace(/hop-interval: \d+/, `hop-interval: ${hopSeconds}`)
      // Its resolver is not in this network; the exit resolves names.
      .replace(/^dns:\n(?: .*\n)+/m, '')
    writeFileSync(`${folder}/config.yaml`, file)
    return [programs.mihomo, '-d', folder]
  })
}

const apps = { 'sing-box': openSingBox, mihomo: openMihomo }

test.each(Object.entries(apps))(
  'a customer with %s stays in while the port changes, and is cut for good',
  async (_, open) => {
    const { host } = await options()
    const account = await sell()
    const app = await open(account)
    await until('the customer to come in', 30, async () => {
      if (!(await comesIn(app))) throw new Error(app.log())
    })
    const download = await downloading(app)
    const before = download.bytes()
    expect(await host.say('nft list chain inet kelid hop')).toContain(
      `udp dport ${hopPorts} redirect to :443`,
    )
    const since = performance.now()
    await until('some changes of port', 40, () => {
      if (performance.now() - since < 4 * hopSeconds * 1000) throw new Error('too early')
    })
    expect(download.isOpen()).toBe(true)
    expect(performance.now() - download.lastAt()).toBeLessThan(1_500)
    expect(download.bytes()).toBeGreaterThan(before)

    const disabledAt = performance.now()
    await call(setEnabled, { ...named(account), accountEnabled: false })
    const cut = await cutAfter(download, disabledAt, 5)
    console.log(`cut after ${cut} ms`)
    expect(cut).toBeLessThan(2_000)
    // At its next port the app could go on.
    const bytes = download.bytes()
    const cutAt = performance.now()
    await until('more changes of port', 40, async () => {
      expect(await comesIn(app)).toBe(false)
      if (performance.now() - cutAt < 4 * hopSeconds * 1000) throw new Error('too early')
    })
    expect(download.bytes()).toBe(bytes)
    app.close()
  },
)

test('strangers get no answer by UDP, and the site by TCP', async () => {
  const { host } = await options()
  const curl = (...args: string[]) =>
    runBeside(['curl', '--silent', '--insecure', '--max-time', '5', ...args, `https://${host.address}/`])
  expect((await curl()).stdout).toContain('<html')
  const account = await sell()
  const [outbound] = JSON.parse(await subscription(account, 'SFA/1.13.2')).outbounds
  const { obfs: _, ...plain } = outbound
  const app = await openApp((listen) => {
    const file = `/mnt/plain-${listen}.json`
    const inbound = { type: 'socks', listen: address.customer, listen_port: listen }
    writeFileSync(file, JSON.stringify({ inbounds: [inbound], outbounds: [plain] }))
    return [programs['sing-box'], 'run', '-c', file]
  })
  expect(await comesIn(app, 8)).toBe(false)
  app.close()
})

test('without the options customers come in with what the subscription then says', async () => {
  const { body } = await options()
  const account = await sell()
  const { serverUUID, serverIPV4 } = body
  await call(changeServer, {
    ...{ serverUUID, serverIPV4, countryId, serverObfuscated: false, serverHopPorts: '' },
  })
  expect(await settled('server', serverUUID)).toMatch(/failed=0/)
  for (const open of Object.values(apps)) {
    const app = await open(account)
    await until('the customer to come in', 30, async () => {
      if (!(await comesIn(app))) throw new Error(app.log())
    })
    app.close()
  }
})
