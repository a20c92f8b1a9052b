import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  addServer,
  addTunnel,
  adjustUserCredit,
  adjustUserTunnelCredit,
  deleteAccount,
  editHost,
  getServer,
  getTunnel,
  newAccount,
  provisionServer,
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
import { run, runBeside, until } from './commands.ts'
import { type Customer, openCustomer } from './customer.ts'
import { bootHost, type Host, knownHosts, sshOptions, productKey as testKey } from './host.ts'
import { hysteria, productKey, server, trust, tunnel } from './installation.ts'
import { addNamespace, address } from './network.ts'
import { page } from './pages.ts'
import { administrator, call, settled } from './product.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

const password = 'Open-Sesame-88'
/** Nobody else's servers are there. */
const countryId = 56
const natCountryId = 40
/** Where the product finds the host behind the router, and the addresses in between. */
const nat = { address: '198.51.100.55', sshPort: 2022, router: '192.168.77.1', host: '192.168.77.2' }
const address6 = {
  world: '2001:db8::1',
  customer: '2001:db8::200',
  tunnel: '2001:db8::52',
  direct: '2001:db8::53',
  private: 'fd00::1',
}

function addAddress6(own: string, ...where: string[]) {
  run('ip', ...where, '-6', 'address', 'add', `${own}/128`, 'dev', 'eth0', 'nodad')
  if (own === address6.private) return
  run('ip', ...where, '-6', 'route', 'replace', '2001:db8::/64', 'dev', 'eth0')
  run('ip', ...where, '-6', 'route', 'replace', `${address6.private}/128`, 'dev', 'eth0')
}

/** A host whose sshd listens elsewhere. */
function atPort(host: Host, port: number): Host {
  appendFileSync(knownHosts, `[${host.address}]:${port} ${host.hostKey}\n`)
  const ssh = (...command: string[]) =>
    runBeside(['ssh', ...sshOptions, '-p', String(port), `root@${host.address}`, ...command])
  const say = async (...command: string[]) => {
    const { code, stdout, stderr } = await ssh(...command)
    if (code !== 0) throw new Error(`${host.name}: ${command.join(' ')}: ${stderr}${stdout}`)
    return stdout.trim()
  }
  return { ...host, ssh, say }
}

/** Takes a host off the switch and puts it behind a router, which forwards some ports to it. */
function putBehindRouter(host: Host): Host {
  addNamespace('router', nat.address)
  const own = ['-n', host.name]
  run(
    'ip',
    '-n',
    'router',
    'link',
    'add',
    'inner0',
    'type',
    'veth',
    'peer',
    'name',
    'inner0',
    'netns',
    host.name,
  )
  for (const [where, at] of [
    ['router', nat.router],
    [host.name, nat.host],
  ] as const) {
    run('ip', '-n', where, 'address', 'add', `${at}/24`, 'dev', 'inner0')
    run('ip', '-n', where, 'link', 'set', 'inner0', 'up')
  }
  run('ip', ...own, 'link', 'set', 'eth0', 'down')
  run('ip', ...own, 'address', 'flush', 'dev', 'eth0')
  for (const range of ['198.51.100.0/24', '203.0.113.0/24'])
    run('ip', ...own, 'route', 'add', range, 'via', nat.router)
  run('ip', 'netns', 'exec', 'router', 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
  writeFileSync(
    '/mnt/router.nft',
    `table ip nat {
      chain in {
        type nat hook prerouting priority dstnat
        iifname eth0 tcp dport ${nat.sshPort} dnat to ${nat.host}:22
        iifname eth0 meta l4proto { tcp, udp } th dport { 80, 443 } dnat to ${nat.host}
      }
      chain out {
        type nat hook postrouting priority srcnat
        oifname eth0 masquerade
      }
    }`,
  )
  run('ip', 'netns', 'exec', 'router', 'nft', '-f', '/mnt/router.nft')
  return atPort({ ...host, address: nat.address }, nat.sshPort)
}

const listenAt = (...ports: number[]) =>
  `printf '${ports.map((port) => `Port ${port}\\n`).join('')}' > /etc/ssh/sshd_config.d/10-port.conf && systemctl restart ssh.service`

const reach = memo(async () => {
  const key = await productKey()
  const [exit, entry, direct, behind] = await Promise.all([
    bootHost('reach-exit', '198.51.100.51'),
    bootHost('reach-tunnel', '198.51.100.52'),
    bootHost('reach-direct', '198.51.100.53'),
    bootHost('reach-nat', '198.51.100.54'),
  ])
  for (const host of [exit, entry, direct]) names.set(`${host.name}.example`, host.address)
  for (const own of [address6.world, address6.private]) addAddress6(own)
  addAddress6(address6.customer, '-n', 'customer')
  addAddress6(address6.tunnel, '-n', entry.name)
  addAddress6(address6.direct, '-n', direct.name)
  for (const where of [address6.world, address6.private]) {
    const pages = createServer((request, response) =>
      response.end(request.url === '/who' ? request.socket.remoteAddress : page),
    ).listen(8081, where)
    pages.unref()
  }
  for (const host of [entry, direct, behind]) await trust(host, key)
  const routed = putBehindRouter(behind)
  for (const name of ['reach-nat', 'reach-nat-exit']) names.set(`${name}.example`, nat.address)
  const { file } = testKey()
  await exit.say(
    `useradd -m -s /bin/bash debian; echo debian:${password} | chpasswd; usermod -aG sudo debian; cp -r /root/.ssh /home/debian/; chown -R debian: /home/debian; ${listenAt(2222)}`,
  )
  await call(adjustUserCredit, { userEmail: administrator.email, amount: 10_000, reason: 'to sell' })
  await call(adjustUserTunnelCredit, { userEmail: administrator.email, amount: 10_000, reason: 'to sell' })
  const bodies = {
    exit: {
      ...server('reach-exit', exit, 'ssh'),
      ...{ countryId, serverSSHPort: 2222, serverSSHUsername: 'debian' },
      // By key; sudo asks for the password.
      ...{ serverSSHKey: readFileSync(file, 'utf8'), serverSSHPassword: password },
    },
    entry: { ...tunnel('reach-tunnel', entry, 'ssh'), tunnelIPV6: address6.tunnel },
    direct: { ...hysteria('reach-direct', direct), countryId, serverIPV6: address6.direct },
    routed: { ...hysteria('reach-nat', routed), countryId: natCountryId, serverSSHPort: nat.sshPort },
    routedExit: { ...server('reach-nat-exit', routed, 'ssh'), countryId: natCountryId },
  }
  return { hosts: { exit: atPort(exit, 2222), entry, direct, routed }, bodies, accounts: [] as Account[] }
})

const stateOf = async (serverUUID: string) => (await call(getServer, { serverUUID })).serverState

async function sell(isDirect: boolean, where = countryId): Promise<Account> {
  const { accounts } = await reach()
  const account = await until('a way to be sold', 60, () =>
    call(newAccount, {
      accountName: `reach_${accounts.length + 1}`,
      accountVPNType: isDirect ? 'hysteria2-direct' : 'trojan',
      accountTunnelEnabled: !isDirect,
      accountTunnelType: isDirect ? '' : 'ssh',
      accountDuration: 30,
      countryId: where,
    }),
  )
  accounts.push(account)
  await applied(account)
  return account
}

/** The entries of the account's subscription: IPv4, then IPv6. */
async function entriesOf(account: Account) {
  const list = await subscription(account, 'v2rayNG/1.10.30')
  return Buffer.from(list, 'base64').toString().split('\n')
}

async function comesBy6(account: Account, host: Host): Promise<Customer> {
  const [, second = ''] = await entriesOf(account)
  const way = readLink(second)
  const app = await openCustomer({
    ...way,
    server: way.server.replace(/[[\]]/g, ''),
    authority: await authorityAt(host),
  })
  expect(await comesIn(app, 10), app.log()).toBe(true)
  return app
}

async function cutSoon(account: Account, app: Customer) {
  const download = await downloading(app)
  const since = performance.now()
  await call(setEnabled, { ...named(account), accountEnabled: false })
  expect(await cutAfter(download, since, 2)).toBeLessThan(2000)
  expect(await comesIn(app)).toBe(false)
  app.close()
}

afterAll(async () => {
  const { bodies, accounts } = await reach()
  for (const account of accounts) await call(deleteAccount, named(account))
  await call(removeHost, { hostUUID: bodies.entry.tunnelUUID })
  for (const { serverUUID: hostUUID } of [bodies.exit, bodies.direct, bodies.routedExit, bodies.routed])
    await call(removeHost, { hostUUID })
})

test('a host with a firewall that drops packets is refused before anything changes, and set up without it', async () => {
  const { hosts, bodies } = await reach()
  const { direct } = hosts
  await direct.say(
    `nft add table inet filter; nft 'add chain inet filter input { type filter hook input priority 0; policy accept; }'; nft add rule inet filter input tcp dport 22 accept; nft add rule inet filter input ct state established accept; nft add rule inet filter input counter reject`,
  )
  await call(addServer, bodies.direct)
  const { serverUUID } = bodies.direct
  const log = await settled('server', serverUUID)
  expect(log).toContain('KELID:OTHER_FIREWALL chain input in table inet filter of nftables')
  expect(log.split('\n').at(-1)).toContain('so nothing was changed on the host')
  expect(await stateOf(serverUUID)).toBe('failed')
  expect((await direct.ssh('ls -d /etc/kelid')).code).not.toBe(0)
  await direct.say('nft delete table inet filter')
  await call(provisionServer, { serverUUID })
  expect(await settled('server', serverUUID)).toMatch(/failed=0/)
  expect(await stateOf(serverUUID)).toBe('ready')
})

test('a customer comes in and goes out by IPv6, reaches no private address, and is cut within two seconds', async () => {
  const { hosts } = await reach()
  const account = await sell(true)
  const app = await comesBy6(account, hosts.direct)
  expect((await app.fetch(`http://[${address6.world}]:8081/who`)).stdout).toBe(address6.direct)
  expect((await app.fetch(`http://[${address6.private}]:8081/`)).stdout).toBe('')
  expect((await app.fetch(`http://[${address6.direct}]:22/`, '--http0.9')).stdout).not.toContain('SSH')
  await cutSoon(account, app)
})

test('an exit at port 2222, reached as a user with sudo, behind a tunnel with IPv6', async () => {
  const { hosts, bodies } = await reach()
  await call(addTunnel, bodies.entry)
  await call(addServer, bodies.exit)
  const { serverUUID } = bodies.exit
  const { tunnelUUID } = bodies.entry
  for (let round = 0; round < 3; round += 1)
    await Promise.all([settled('server', serverUUID), settled('tunnel', tunnelUUID)])
  expect(await stateOf(serverUUID), await settled('server', serverUUID)).toBe('ready')
  const { tunnelState } = await call(getTunnel, { tunnelUUID })
  expect(tunnelState, await settled('tunnel', tunnelUUID)).toBe('ready')
  expect(await hosts.entry.say('cat /etc/kelid/relay/config')).toContain('Port 2222')
  const account = await sell(false)
  await cutSoon(account, await comesBy6(account, hosts.exit))
})

test('customers stay in when the SSH port vanishes, and the tunnel follows to the new one', async () => {
  const { hosts, bodies } = await reach()
  const { serverUUID } = bodies.exit
  const { tunnelUUID } = bodies.entry
  const account = await sell(false)
  const app = await comesBy6(account, hosts.exit)
  const download = await downloading(app)
  // While sshd has both ports, a run opens the second one in the firewall.
  await hosts.exit.say(listenAt(2222, 2223))
  await call(provisionServer, { serverUUID })
  expect(await settled('server', serverUUID)).toMatch(/failed=0/)
  await hosts.exit.say(listenAt(2223))
  await call(provisionServer, { serverUUID })
  const log = await settled('server', serverUUID)
  expect(log.split('\n').at(-1)).toContain('Nothing listens for SSH at port 2222 of the host')
  expect(await stateOf(serverUUID)).toBe('ready')
  const before = download.bytes()
  await until('the download to go on', 5, () => {
    if (download.bytes() === before) throw new Error('it stands still')
  })
  await call(editHost, { hostUUID: serverUUID, serverSSHPort: 2223 })
  await call(provisionServer, { serverUUID })
  expect(await settled('server', serverUUID)).toMatch(/failed=0/)
  await until('the tunnel to follow', 180, async () => {
    await settled('tunnel', tunnelUUID)
    if (!(await hosts.entry.say('cat /etc/kelid/relay/config')).includes('Port 2223'))
      throw new Error('not yet')
  })
  await until('customers to come in', 30, async () => {
    if (!(await comesIn(app))) throw new Error('not yet')
  })
  download.end()
  app.close()
})

test('a host behind NAT is reached by the address and the SSH port of its router, by customers and by tunnels', async () => {
  const { hosts, bodies } = await reach()
  const { routed, entry } = hosts
  const { serverUUID } = bodies.routed
  await call(addServer, bodies.routed)
  expect(await settled('server', serverUUID)).toMatch(/failed=0/)
  expect(await stateOf(serverUUID), await settled('server', serverUUID)).toBe('ready')
  expect(await routed.say('ip -4 -o address')).not.toContain(nat.address)
  const account = await sell(true, natCountryId)
  const app = await openCustomer({
    ...readLink(account.accountQRString),
    authority: await authorityAt(routed),
  })
  expect(await comesIn(app, 10), app.log()).toBe(true)
  expect((await app.fetch(`http://${address.world}:8080/who`)).stdout).toBe(nat.address)
  expect((await app.fetch(`http://${nat.router}:22/`, '--http0.9')).stdout).not.toContain('SSH')
  await cutSoon(account, app)

  const { serverUUID: exitUUID } = bodies.routedExit
  const { tunnelUUID } = bodies.entry
  await call(addServer, bodies.routedExit)
  for (let round = 0; round < 3; round += 1)
    await Promise.all([settled('server', exitUUID), settled('tunnel', tunnelUUID)])
  expect(await stateOf(exitUUID), await settled('server', exitUUID)).toBe('ready')
  const config = await entry.say('cat /etc/kelid/relay/config')
  expect(config).toMatch(new RegExp(`HostName ${nat.address}\\n *Port ${nat.sshPort}\\n`))
  const second = await sell(false, natCountryId)
  const behindTunnel = await openCustomer({
    ...readLink(second.accountQRString),
    authority: await authorityAt(routed, '2'),
  })
  expect(await comesIn(behindTunnel, 10), behindTunnel.log()).toBe(true)
  await cutSoon(second, behindTunnel)
})
