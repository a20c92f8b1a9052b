import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import {
  addServer,
  addTunnel,
  adjustUserCredit,
  adjustUserTunnelCredit,
  deleteAccount,
  type Engine,
  getAccount,
  getDashboard,
  getServer,
  getTunnel,
  isUnderstoodBy,
  newAccount,
  newRealityKeys,
  removeHost,
  setEnabled,
  type TunnelType,
} from '@kelid/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { type Account, applied, comesIn, cutAfter, downloading, named, readLink } from './accounts.ts'
import { run, runBeside, until } from './commands.ts'
import { type Customer, openApp, openCustomer } from './customer.ts'
import { knock, nonsense, shownTo, slowKnocks, withoutDate } from './door.ts'
import { bootHost } from './host.ts'
import { productKey, server, trust, tunnel } from './installation.ts'
import { address } from './network.ts'
import { administrator, call, settled } from './product.ts'
import { programs } from './programs.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'
import { openXray } from './xray.ts'

/** Each has a country of its own, where nobody else's servers are. */
const types = {
  'vless-reality': {
    name: 'reality',
    countryId: 248,
    addresses: ['198.51.100.61', '198.51.100.62', '198.51.100.66'],
  },
  'vless-xhttp': {
    name: 'xhttp',
    countryId: 208,
    addresses: ['198.51.100.64', '198.51.100.65', '198.51.100.67'],
  },
} as const
type Type = keyof typeof types

/** The site that strangers see at a direct server, and behind a tunnel over WebSocket. */
const site = { name: 'shop.example', address: '203.0.113.90' }
const words = 'A shop of somebody else'

/** Somebody else's web server. */
function openSite() {
  run('ip', 'address', 'add', `${site.address}/32`, 'dev', 'eth0')
  names.set(site.name, site.address)
  mkdirSync('/mnt/shop')
  run(
    'openssl',
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'],
    ...['-subj', `/CN=${site.name}`, '-addext', `subjectAltName=DNS:${site.name},DNS:*.${site.name}`],
    ...['-keyout', '/mnt/shop/key.pem', '-out', '/mnt/shop/chain.pem'],
  )
  const [key, cert] = ['key', 'chain'].map((name) => readFileSync(`/mnt/shop/${name}.pem`))
  createSecureServer({ key, cert, allowHTTP1: true }, (_, response) => response.end(words))
    .listen(443, site.address)
    .unref()
}

const entrances = memo(async () => {
  const hosts = {
    ssh: await readyToAdd('reality-tunnel', '198.51.100.63'),
    wstunnel: await readyToAdd('reality-ws', '198.51.100.69'),
  }
  await call(adjustUserCredit, { userEmail: administrator.email, amount: 10_000, reason: 'to sell' })
  await call(adjustUserTunnelCredit, { userEmail: administrator.email, amount: 1_000, reason: 'to sell' })
  openSite()
  const bodies = {
    ssh: tunnel('reality-tunnel', hosts.ssh, 'ssh'),
    wstunnel: tunnel('reality-ws', hosts.wstunnel, 'wstunnel'),
  }
  for (const body of Object.values(bodies)) await call(addTunnel, body)
  return { hosts, bodies }
})

async function readyToAdd(name: string, at: string) {
  const key = await productKey()
  const host = await bootHost(name, at)
  names.set(`${name}.example`, host.address)
  await trust(host, key)
  return host
}

/**
 * A direct server and one behind a tunnel over WebSocket, both with somebody else's site, and one with its own behind a
 * tunnel over SSH.
 */
async function openServers(vpnType: Type) {
  const { name, countryId, addresses } = types[vpnType]
  const entries = await entrances()
  const [direct, exit, wsExit] = await Promise.all([
    readyToAdd(`${name}-direct`, addresses[0]),
    readyToAdd(`${name}-exit`, addresses[1]),
    readyToAdd(`${name}-ws-exit`, addresses[2]),
  ])
  const kind = { serverVPNType: vpnType, countryId } as const
  const bodies = {
    direct: {
      ...server(`${name}-direct`, direct, ''),
      ...kind,
      serverTunnelActive: false,
      serverRealityTarget: site.name,
    },
    exit: { ...server(`${name}-exit`, exit, 'ssh'), ...kind },
    // Tunnels tell their servers apart by name, and the site has a certificate for this one too.
    wsExit: {
      ...server(`${name}-ws-exit`, wsExit, 'wstunnel'),
      ...kind,
      ...{ serverRealityTarget: site.name, serverSNIAddress: `${name}.${site.name}` },
    },
  }
  const added = Object.values(bodies)
  const tunnels = Object.values(entries.bodies)
  await Promise.all(added.map((body) => call(addServer, body)))
  for (let round = 0; round < 3; round += 1)
    await Promise.all([
      ...added.map(({ serverUUID }) => settled('server', serverUUID)),
      ...tunnels.map(({ tunnelUUID }) => settled('tunnel', tunnelUUID)),
    ])
  for (const { serverUUID } of added)
    expect((await call(getServer, { serverUUID })).serverState, await settled('server', serverUUID)).toBe(
      'ready',
    )
  for (const { tunnelUUID } of tunnels)
    expect((await call(getTunnel, { tunnelUUID })).tunnelState).toBe('ready')
  const hosts = { direct, exit, wsExit, entry: entries.hosts.ssh, wsEntry: entries.hosts.wstunnel }
  return { hosts, bodies, accounts: [] as Account[] }
}

const servers: Record<Type, () => ReturnType<typeof openServers>> = {
  'vless-reality': memo(() => openServers('vless-reality')),
  'vless-xhttp': memo(() => openServers('vless-xhttp')),
}

async function sell(vpnType: Type, tunnelType: TunnelType | ''): Promise<Account> {
  const { accounts } = await servers[vpnType]()
  const account = await until('a way to be sold', 60, () =>
    call(newAccount, {
      accountName: `${types[vpnType].name}_${accounts.length + 1}`,
      accountVPNType: vpnType,
      accountTunnelEnabled: tunnelType !== '',
      accountTunnelType: tunnelType,
      accountDuration: 30,
      countryId: types[vpnType].countryId,
    }),
  )
  accounts.push(account)
  await applied(account)
  return account
}

afterAll(async () => {
  for (const open of Object.values(servers)) {
    const { bodies, accounts } = await open()
    for (const account of accounts) await call(deleteAccount, named(account))
    for (const { serverUUID } of Object.values(bodies)) await call(removeHost, { hostUUID: serverUUID })
  }
  for (const { tunnelUUID } of Object.values((await entrances()).bodies))
    await call(removeHost, { hostUUID: tunnelUUID })
})

/** mihomo with the link, as text. */
function openMihomo({ accountQRString }: Account) {
  return openApp((listen) => {
    const folder = `/mnt/mihomo-${listen}`
    mkdirSync(folder)
    writeFileSync(`${folder}/links.txt`, `${accountQRString}\n`)
    const config = {
      ...{
        'socks-port': listen,
        'allow-lan': true,
        'bind-address': address.customer,
        mode: 'rule',
        ipv6: false,
      },
      'proxy-providers': { links: { type: 'file', path: './links.txt' } },
      'proxy-groups': [{ name: 'Proxy', type: 'select', use: ['links'] }],
      rules: ['MATCH,Proxy'],
    }
    writeFileSync(`${folder}/config.yaml`, JSON.stringify(config))
    return [programs.mihomo, '-d', folder]
  })
}

const apps: Record<Engine, (account: Account) => Promise<Customer>> = {
  'sing-box': async ({ accountQRString }) => {
    return openCustomer({ ...readLink(accountQRString), authority: '' })
  },
  mihomo: openMihomo,
  xray: openXray,
}
const engines = Object.keys(apps) as Engine[]
const appsOf = (vpnType: Type) =>
  engines.filter((engine) => isUnderstoodBy(engine, vpnType)).map((engine) => [engine, apps[engine]] as const)

const curl = async (...args: string[]) =>
  (await runBeside(['curl', '--silent', '--insecure', '--max-time', '10', ...args])).stdout
const certificateAt = async (host: string, name: string) => {
  const { stdout } = await runBeside(
    ['openssl', 's_client', '-connect', `${host}:443`, '-servername', name],
    { input: '', timeout: 10_000 },
  )
  return /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/.exec(stdout)?.[0] ?? stdout
}

describe.each(Object.keys(types) as Type[])('%s', (vpnType) => {
  test.each([
    ['directly', ''],
    ['through an ssh tunnel', 'ssh'],
    ['through a wstunnel', 'wstunnel'],
  ] as const)('customers come in %s with every app and are cut within two seconds', async (_, tunnelType) => {
    const account = await sell(vpnType, tunnelType)
    const neighbour = await sell(vpnType, tunnelType)
    const beside = await openXray(neighbour)
    await until('the neighbour to come in', 30, async () => {
      if (!(await comesIn(beside, 10))) throw new Error(beside.log())
    })
    const besideDownload = await downloading(beside)
    for (const [name, open] of appsOf(vpnType)) {
      const app = await open(account)
      await until(`a customer with ${name} to come in`, 30, async () => {
        if (!(await comesIn(app, 10))) throw new Error(app.log())
      })
      const download = await downloading(app)
      const since = performance.now()
      await call(setEnabled, { ...named(account), accountEnabled: false })
      const cut = await cutAfter(download, since, 2)
      console.log(`${name}: cut after ${Math.round(cut)} ms`)
      expect(cut, name).toBeLessThan(2_000)
      expect(await comesIn(app), name).toBe(false)
      app.close()
      await call(setEnabled, { ...named(account), accountEnabled: true })
      await applied(account)
    }
    expect(besideDownload.isOpen()).toBe(true)
    expect(performance.now() - besideDownload.lastAt()).toBeLessThan(1_000)
    besideDownload.end()
    beside.close()
  })

  test('bytes are counted while the connection is open', async () => {
    const account = await sell(vpnType, '')
    const app = await openXray(account)
    const download = await downloading(app)
    await until('the bytes to be counted', 30, async () => {
      const { usageTotal } = await call(getAccount, named(account))
      if ((usageTotal?.down ?? 0) < 2_000_000) throw new Error(JSON.stringify(usageTotal))
    })
    expect(download.isOpen()).toBe(true)
    download.end()
    app.close()
  })

  test('strangers see the chosen site, and behind a tunnel over SSH the server’s own', async () => {
    const { hosts } = await servers[vpnType]()
    const at = (host: string, name: string) => ['--resolve', `${name}:443:${host}`, `https://${name}/`]
    expect(await curl(...at(hosts.direct.address, site.name))).toBe(words)
    expect(await certificateAt(hosts.direct.address, site.name)).toBe(
      await certificateAt(site.address, site.name),
    )
    for (const version of ['--http1.1', '--http2'])
      expect(
        await curl(version, ...at(hosts.entry.address, `${types[vpnType].name}-exit.example`)),
      ).toContain('<html')
  })

  test.each([
    ['a direct server', 'direct'],
    ['a server behind a wstunnel', 'wsExit'],
  ] as const)(
    'a prober sees the same at %s and at the site that it shows, by bytes and by time',
    async (_, at) => {
      const { hosts, bodies } = await servers[vpnType]()
      const doors = [hosts[at].address, site.address]
      for (const name of [bodies.wsExit.serverSNIAddress, site.name, 'unknown.example', ''])
        for (const alpn of [['h2', 'http/1.1'], ['http/1.1']]) {
          const [own, real] = await Promise.all(doors.map((door) => shownTo(door, 443, name, alpn)))
          expect(own).toEqual(real)
          expect(own?.length).toBeGreaterThan(3)
        }
      await Promise.all(
        Object.entries({ ...nonsense, ...slowKnocks }).map(async ([what, send]) => {
          const [own, real] = await Promise.all(doors.map((door) => knock(door, send)))
          console.log(
            `${what}: ${own?.end} after ${own?.milliseconds} ms, the site after ${real?.milliseconds} ms`,
          )
          expect([what, withoutDate(own?.answer ?? ''), own?.end]).toEqual([
            what,
            withoutDate(real?.answer ?? ''),
            real?.end,
          ])
          expect(Math.abs((own?.milliseconds ?? 0) - (real?.milliseconds ?? 0)), what).toBeLessThan(1_000)
        }),
      )
    },
  )

  test('a prober at a wstunnel sees the chosen site by the server’s name, and the tunnel’s own by any other', async () => {
    const { hosts, bodies } = await servers[vpnType]()
    const door = hosts.wsEntry.address
    for (const alpn of [['h2', 'http/1.1'], ['http/1.1']]) {
      const shown = (at: string, name: string) => shownTo(at, 443, name, alpn)
      const { serverSNIAddress: name } = bodies.wsExit
      expect(await shown(door, name)).toEqual(await shown(site.address, name))
      expect(await shown(door, 'unknown.example')).toEqual(await shown(door, 'reality-ws.example'))
    }
    expect(await certificateAt(door, 'unknown.example')).not.toBe(
      await certificateAt(site.address, site.name),
    )
  })

  test('after a change of keys customers come in with those before and with the new ones, and all are cut', async () => {
    const { bodies } = await servers[vpnType]()
    const { serverUUID } = bodies.direct
    const before = await sell(vpnType, '')
    await call(newRealityKeys, { serverUUID })
    expect(await settled('server', serverUUID)).toMatch(/failed=0/)
    const after = await call(getAccount, named(before))
    expect(after.accountQRString).not.toBe(before.accountQRString)
    const downloads = []
    for (const account of [before, after]) {
      const app = await openXray(account)
      await until('a customer to come in', 30, async () => {
        if (!(await comesIn(app, 10))) throw new Error(app.log())
      })
      downloads.push({ app, download: await downloading(app) })
    }
    const since = performance.now()
    await call(setEnabled, { ...named(before), accountEnabled: false })
    for (const { app, download } of downloads) {
      expect(await cutAfter(download, since, 2)).toBeLessThan(2_000)
      expect(await comesIn(app)).toBe(false)
      app.close()
    }
  })

  test.runIf(vpnType === 'vless-xhttp')('twenty downloads share few connections', async () => {
    const { hosts } = await servers[vpnType]()
    const account = await sell(vpnType, '')
    for (const open of [openXray, openMihomo]) {
      const app = await open(account)
      const downloads = await Promise.all(Array.from({ length: 20 }, () => downloading(app)))
      const lines = await hosts.direct.say(
        `ss -Htn state established '( sport = :443 )' src ${hosts.direct.address}`,
      )
      const connections = lines.split('\n').filter((line) => line.includes(address.customer)).length
      console.log(`20 downloads by ${connections} connections`)
      expect(connections).toBeGreaterThan(0)
      expect(connections).toBeLessThanOrEqual(4)
      for (const download of downloads) download.end()
      app.close()
    }
  })
})

test('the hosts have no troubles, until the certificate of a site of their own ends soon', async () => {
  const opened = await Promise.all(Object.values(servers).map((open) => open()))
  const ours = opened.flatMap(({ bodies }) => [bodies.direct.serverUUID, bodies.exit.serverUUID])
  const { hosts: entryHosts, bodies: entryBodies } = await entrances()
  const entries = (['ssh', 'wstunnel'] as const).map((type) => ({
    ...{ host: entryHosts[type], body: entryBodies[type] },
  }))
  for (const { body } of entries) ours.push(body.tunnelUUID)
  const troubles = async () =>
    (await call(getDashboard, {})).hostTroubles.filter(
      ({ uuid, repaired }) => ours.includes(uuid) && !repaired,
    )
  expect(await troubles()).toEqual([])
  const sites = [
    ...opened.map(({ hosts, bodies }) => ({ host: hosts.exit, name: `${bodies.exit.serverName}.example` })),
    ...entries.map(({ host, body }) => ({ host, name: `${body.tunnelName}.example` })),
  ]
  for (const { host, name } of sites) {
    const chain = `/etc/kelid-front/1/${name}.crt`
    await host.say(
      `cp -p ${chain} /root/kept.crt && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 13 -subj /CN=a -keyout /dev/null -out ${chain} 2>/dev/null`,
    )
  }
  await until('the certificates to be reported', 60, async () => {
    const found = (await troubles()).map(({ trouble, name }) => `${name}: ${trouble}`)
    const expected = sites.map(({ name }) => `${name.replace('.example', '')}: certificate`)
    expect(found.sort()).toEqual(expected.sort())
  })
  for (const { host, name } of sites) await host.say(`cp -p /root/kept.crt /etc/kelid-front/1/${name}.crt`)
})
