import {
  addServer,
  addTunnel,
  adjustUserCredit,
  adjustUserTunnelCredit,
  deleteAccount,
  getServer,
  getTunnel,
  newAccount,
  removeHost,
  setEnabled,
  type VpnType,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import {
  type Account,
  applied,
  authorityAt,
  comesIn,
  cutAfter,
  type Download,
  downloading,
  named,
  readLink,
} from './accounts.ts'
import { runBeside, until } from './commands.ts'
import { type Customer, openCustomer } from './customer.ts'
import { bootHost } from './host.ts'
import { hysteria, productKey, server, trust, tunnel } from './installation.ts'
import { administrator, call, settled } from './product.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

/** Nobody else's servers are there. */
const countryId = 442

const machines = memo(async () => {
  const key = await productKey()
  const [machine, entry] = await Promise.all([
    bootHost('machine', '198.51.100.71'),
    bootHost('machine-entry', '198.51.100.72'),
  ])
  for (const host of [machine, entry]) await trust(host, key)
  for (const name of ['one-quic', 'one-reality', 'one-trojan']) names.set(`${name}.example`, machine.address)
  await call(adjustUserCredit, { userEmail: administrator.email, amount: 10_000, reason: 'to sell' })
  await call(adjustUserTunnelCredit, { userEmail: administrator.email, amount: 1_000, reason: 'to sell' })
  const services = {
    quic: { ...hysteria('one-quic', machine), countryId },
    reality: {
      ...server('one-reality', machine, ''),
      countryId,
      serverVPNType: 'vless-reality',
      serverTunnelActive: false,
    },
    trojan: { ...server('one-trojan', machine, 'ssh'), countryId },
  } as const
  return { machine, services, entrance: tunnel('machine-entry', entry, 'ssh') }
})

const isReady = async (serverUUID: string) => {
  const log = await settled('server', serverUUID)
  expect((await call(getServer, { serverUUID })).serverState, log).toBe('ready')
}

const sold: Account[] = []
async function sell(accountVPNType: VpnType, accountTunnelType: '' | 'ssh' = ''): Promise<Account> {
  const account = await until('a way to be sold', 60, () =>
    call(newAccount, {
      ...{ accountName: `machine_${sold.length + 1}`, accountVPNType, accountTunnelType, countryId },
      ...{ accountTunnelEnabled: accountTunnelType !== '', accountDuration: 30 },
    }),
  )
  sold.push(account)
  await applied(account)
  return account
}

interface Using {
  account: Account
  app: Customer
  download: Download
}

async function use(account: Account): Promise<Using> {
  const { machine } = await machines()
  const way = readLink(account.accountQRString)
  const authority = way.reality ? '' : await authorityAt(machine, way.type === 'trojan' ? '3' : '')
  const app = await openCustomer({ ...way, authority })
  await until('the customer to come in', 30, async () => {
    if (!(await comesIn(app, 10))) throw new Error(app.log())
  })
  return { account, app, download: await downloading(app) }
}

/** The downloads are the same connections, and bytes still come. */
async function goOn(...all: Using[]) {
  const before = all.map(({ download }) => download.bytes())
  await until('more bytes', 10, () => {
    for (const [index, { download, account }] of all.entries())
      if (!download.isOpen() || download.bytes() <= (before[index] ?? 0))
        throw new Error(`${account.accountQRString}: ${download.bytes()} bytes`)
  })
  for (const { download, account } of all) expect(download.isIntact(), account.accountQRString).toBe(true)
}

const site = async (port: number, name: string) => {
  const { machine } = await machines()
  const at = `${name}.example:${port}`
  const curl = ['curl', '--silent', '--insecure', '--resolve', `${at}:${machine.address}`, `https://${at}/`]
  return /<title>(.*)<\/title>/.exec((await runBeside(curl)).stdout)?.[1] ?? ''
}

let quic: Using
let reality: Using
let trojan: Using

test('a second service is added to a machine while the first carries a download', async () => {
  const { services } = await machines()
  await call(addServer, services.quic)
  await isReady(services.quic.serverUUID)
  const title = await site(443, 'one-quic')
  expect(title).not.toBe('')
  quic = await use(await sell('hysteria2-direct'))

  // The site over TCP makes room for the service that wants its port.
  await call(addServer, services.reality)
  await isReady(services.reality.serverUUID)
  await goOn(quic)
  expect(await site(443, 'one-reality')).not.toBe(title)
  reality = await use(await sell('vless-reality'))
})

test('a third service is added while both others carry downloads, which lose no byte', async () => {
  const { machine, services, entrance } = await machines()
  await call(addServer, services.trojan)
  await call(addTunnel, entrance)
  const { tunnelUUID } = entrance
  for (let round = 0; round < 3; round += 1)
    await Promise.all([
      ...Object.values(services).map(({ serverUUID }) => settled('server', serverUUID)),
      settled('tunnel', tunnelUUID),
    ])
  for (const { serverUUID } of Object.values(services)) await isReady(serverUUID)
  expect((await call(getTunnel, { tunnelUUID })).tunnelState).toBe('ready')
  await goOn(quic, reality)
  trojan = await use(await sell('trojan', 'ssh'))
  await goOn(quic, reality, trojan)
  for (const { account, download } of [quic, reality])
    console.log(
      `${account.accountVPNType}: ${Math.round(download.bytes() / 1e6)} MB, no pause longer than ${download.longestPause()} ms`,
    )
  const memory = await machine.say(
    'for unit in core agent; do for own in "" 2 3; do echo $unit$own $(grep VmRSS /proc/$(systemctl show --property=MainPID --value kelid-$unit$own)/status); done; done',
  )
  console.log(memory)
})

test('a customer of one service is cut, and those of the others go on', async () => {
  const since = performance.now()
  await call(setEnabled, { ...named(reality.account), accountEnabled: false })
  console.log(`cut after ${await cutAfter(reality.download, since, 2)} ms`)
  await goOn(quic, trojan)
  await call(setEnabled, { ...named(reality.account), accountEnabled: true })
  await until('the customer to come in again', 10, async () => {
    if (!(await comesIn(reality.app))) throw new Error(reality.app.log())
  })
  reality.download = await downloading(reality.app)
})

test('a machine that starts again has all its services', async () => {
  const { machine } = await machines()
  await machine.reboot()
  for (const using of [quic, reality, trojan]) {
    using.download.end()
    await until('the customer to come in again', 60, async () => {
      if (!(await comesIn(using.app))) throw new Error(using.app.log())
    })
    using.download = await downloading(using.app)
  }
})

const traces = [
  'ls -d /etc/kelid* /usr/local/lib/kelid* /var/lib/kelid-* /etc/systemd/system/*kelid* /etc/ssh/sshd_config.d/*kelid*',
  "getent passwd | grep -o '^kelid[a-z0-9-]*'",
  'nft list tables',
  "systemctl list-units --all --plain --no-legend 'kelid-*' | cut -d' ' -f1",
].join('; ')

test('a service that is removed leaves the others alone, and the last one leaves nothing', async () => {
  const { machine, services, entrance } = await machines()
  await call(deleteAccount, named(quic.account))
  await call(removeHost, { hostUUID: services.quic.serverUUID })
  await until('the service to be gone', 120, async () => {
    if ((await machine.ssh('ls -d /etc/kelid')).stdout.trim() !== '') throw new Error('still there')
  })
  await goOn(reality, trojan)
  await until('no trace of the first service', 60, async () => {
    const left = (await machine.ssh(traces)).stdout.split('\n')
    const own = left.filter(
      (line) => /kelid(-[a-z-]+)?(\.[a-z]+)?$/.test(line) && !/front|input|relay@/.test(line),
    )
    expect(own).toEqual([])
  })
  for (const { account, app } of [reality, trojan]) {
    await call(deleteAccount, named(account))
    app.close()
  }
  for (const hostUUID of [services.reality.serverUUID, services.trojan.serverUUID, entrance.tunnelUUID])
    await call(removeHost, { hostUUID })
  await until('no trace at all', 180, async () => {
    expect((await machine.ssh(traces)).stdout).toBe('')
  })
})
