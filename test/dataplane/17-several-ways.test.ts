import {
  addServer,
  adjustUserCredit,
  deleteAccount,
  getServer,
  getUsage,
  newAccount,
  removeHost,
  setEnabled,
} from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import {
  type Account,
  applied,
  authorityAt,
  comesIn,
  cutAfter,
  downloading,
  named,
  readLink,
  subscription,
} from './accounts.ts'
import { openPhone } from './apps.ts'
import { run, seconds, until } from './commands.ts'
import { openCustomer } from './customer.ts'
import { bootHost } from './host.ts'
import { hysteria, productKey, server, trust } from './installation.ts'
import { address } from './network.ts'
import { administrator, call, settled } from './product.ts'
import { programs } from './programs.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

/** Nobody else's servers are there. */
const countryId = 56

const servers = memo(async () => {
  const key = await productKey()
  const hosts = await Promise.all(
    ['way-quic', 'way-one', 'way-two'].map((name, index) => bootHost(name, `198.51.100.${81 + index}`)),
  )
  for (const host of hosts) {
    names.set(`${host.name}.example`, host.address)
    await trust(host, key)
  }
  const bodies = hosts.map((host) => ({
    ...(host.name === 'way-quic' ? hysteria(host.name, host) : server(host.name, host, '')),
    ...(host.name !== 'way-quic' && { serverVPNType: 'vless-reality' as const, serverTunnelActive: false }),
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
  return { hosts, bodies }
})

/** With a way to each of the servers. */
async function order(accountName: string): Promise<Account> {
  await servers()
  const reality = { accountVPNType: 'vless-reality', accountTunnelType: '', countryId } as const
  const account = await until('all ways to be sold', 60, () =>
    call(newAccount, {
      ...{ accountName, accountVPNType: 'hysteria2-direct', accountTunnelType: '', countryId },
      ...{ accountTunnelEnabled: false, accountDuration: 30, accountAlsoBy: [reality, reality] },
    }),
  )
  await applied(account)
  return account
}
const buy = memo(() => order('several'))

/** An app with one of the links. */
async function appBy(accountQRString: string) {
  const { hosts } = await servers()
  const way = readLink(accountQRString)
  const host = hosts.find((one) => one.address === way.server)
  return openCustomer({ ...way, authority: way.reality || !host ? '' : await authorityAt(host) })
}

afterAll(async () => {
  const { bodies } = await servers()
  await call(deleteAccount, named(await buy()))
  for (const { serverUUID } of bodies) await call(removeHost, { hostUUID: serverUUID })
})

test('an account with three ways is cut on all of them within two seconds, and comes in again by all', async () => {
  const { hosts } = await servers()
  const account = await buy()
  const { accountWays = [] } = account
  const ways = accountWays.map(({ accountQRString }) => readLink(accountQRString))
  expect(ways.map((way) => way.server).sort()).toEqual(hosts.map((host) => host.address))
  const apps = await Promise.all(accountWays.map(({ accountQRString }) => appBy(accountQRString)))
  const downloads = await Promise.all(apps.map(downloading))
  const since = performance.now()
  await call(setEnabled, { ...named(account), accountEnabled: false })
  const cuts = await Promise.all(downloads.map((download) => cutAfter(download, since, 2)))
  console.log(`cut on three ways after ${cuts.join(', ')} ms`)
  await applied(account)
  for (const app of apps) expect(await comesIn(app, 1)).toBe(false)
  await call(setEnabled, { ...named(account), accountEnabled: true })
  await Promise.all(
    apps.map((app, index) =>
      until(`way ${index + 1} to be open again`, 10, async () => {
        if (!(await comesIn(app))) throw new Error(app.log())
      }),
    ),
  )
  for (const app of apps) app.close()
})

/** What curl sent and received of HTTP, in bytes. */
const sizes = [
  '--write-out',
  '%{stderr}%{size_request} %{size_header} %{size_download}',
  '--output',
  '/dev/null',
]

test('usage by several ways adds up to the byte', async () => {
  const { hosts } = await servers()
  const account = await order('usage')
  const { accountWays = [] } = account
  const apps = await Promise.all(accountWays.map(({ accountQRString }) => appBy(accountQRString)))
  expect(apps.length).toBe(hosts.length)
  const sent = { up: 0, down: 0 }
  // The second time shows that nothing is counted twice.
  for (const path of ['file', 'who']) {
    for (const app of apps) {
      const { code, stderr } = await app.fetch(`http://${address.world}:8080/${path}`, ...sizes)
      expect(code, stderr + app.log()).toBe(0)
      const [request = 0, header = 0, body = 0] = stderr.split(' ').map(Number)
      sent.up += request
      sent.down += header + body
    }
    await until('all bytes to be counted', 40, async () => {
      const { usageTotal } = await call(getUsage, named(account))
      if (usageTotal.up < sent.up || usageTotal.down < sent.down)
        throw new Error(`${JSON.stringify(usageTotal)} of ${JSON.stringify(sent)}`)
    })
  }
  const { usageTotal } = await call(getUsage, named(account))
  console.log(`counted ${JSON.stringify(usageTotal)}, sent ${JSON.stringify(sent)}`)
  expect(usageTotal).toEqual(sent)
  for (const app of apps) app.close()
  await call(deleteAccount, named(account))
})

/** A phone asks every half minute, and sing-box waits 15 seconds for an answer of a host that is gone. */
const lookAgain = 55

test.each(['sing-box', 'mihomo'] as const)(
  'when its host is gone, %s goes on by another way of the subscription',
  async (name) => {
    const { hosts } = await servers()
    const account = await buy()
    const phones = {
      'sing-box': async () =>
        openPhone('config.json', await subscription(account, 'SFA/1.13.2'), (file) => [
          ...[programs['sing-box'], 'run', '-c', file],
        ]),
      mihomo: async () =>
        openPhone('config.yaml', await subscription(account, 'mihomo/1.19'), (file) => [
          ...[programs.mihomo, '-f', file, '-d', file.replace(/[^/]+$/, '')],
        ]),
    }
    const phone = await phones[name]()
    const proxy = name === 'mihomo' ? ['--proxy', 'socks5h://127.0.0.1:7890'] : []
    /** The host by which it leaves. */
    const exit = async () => {
      const seen = await phone.fetch(`http://${address.world}:8080/who`, ...proxy)
      const host = hosts.find((one) => one.address === seen)
      if (!host) throw new Error(`${seen}: ${phone.log().slice(-1_000)}`)
      return host.name
    }
    const before = await until('the phone to leave by a server', 20, exit)
    run('ip', '-n', 'switch', 'link', 'set', before, 'down')
    const since = performance.now()
    try {
      const after = await until('the phone to leave by another server', lookAgain, exit)
      console.log(`${name}: from ${before} to ${after} after ${seconds(since)}`)
      expect(after).not.toBe(before)
    } finally {
      run('ip', '-n', 'switch', 'link', 'set', before, 'up')
      phone.close()
    }
  },
)
