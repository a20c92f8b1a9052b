import { randomUUID } from 'node:crypto'
import {
  addServer,
  changeServer,
  changeTunnel,
  deleteAccount,
  getAccount,
  getHostHealth,
  getHostRuns,
  removeHost,
  setEnabled,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import {
  type Account,
  appOf,
  comesIn,
  downloading,
  isIn,
  type Kind,
  named,
  readLink,
  sell,
} from './accounts.ts'
import { seconds, until } from './commands.ts'
import { bootHost, type Host } from './host.ts'
import { added, trust } from './installation.ts'
import { call, cli, settled } from './product.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

/** Three machines that are nobody's yet, which let the product in. */
const machines = memo(async () => {
  const booted = await Promise.all([
    bootHost('move-first', '198.51.100.37'),
    bootHost('move-second', '198.51.100.38'),
    bootHost('move-hysteria', '198.51.100.39'),
  ])
  const key = cli('ssh-key').trim()
  for (const host of booted) await trust(host, key)
  return booted as [Host, Host, Host]
})

const readAgain = (account: Account) => call(getAccount, named(account))

/** One at each of these servers, because a buyer cannot choose the server. */
async function sellAtEach(kind: Kind, ...serverNames: string[]): Promise<Account[]> {
  const sold: Account[] = []
  const at = (name: string) => sold.find(({ accountQRString }) => readLink(accountQRString).name === name)
  while (!serverNames.every(at)) {
    if (sold.length === 6) throw new Error(`nobody is put at one of ${serverNames}`)
    sold.push(await sell(kind))
  }
  const kept = serverNames.flatMap((name) => at(name) ?? [])
  for (const account of sold) if (!kept.includes(account)) await call(deleteAccount, named(account))
  return kept
}

const traces = 'ls -d /etc/kelid /usr/local/lib/kelid; ss -Hlntup | grep \'"core"\''

/** Its cleaning is the last of the host's runs. */
async function isCleaned({ ssh }: Host, kind: 'server' | 'tunnel', uuid: string) {
  await settled(kind, uuid)
  const runs = JSON.stringify(await call(getHostRuns, { hostUUID: uuid }))
  expect((await ssh(traces)).stdout, runs).toBe('')
}

/** A second server of the tunnel, which is to be moved. */
const second = memo(async () => {
  const { servers, tunnels } = await added()
  const [at] = await machines()
  const named = { serverUUID: randomUUID(), serverName: 'moved', serverURL: 'moved.example' }
  names.set('moved.example', at.address)
  await call(addServer, { ...servers[0], ...named, serverIPV4: at.address })
  await settled('server', named.serverUUID)
  await settled('tunnel', tunnels[0].tunnelUUID)
  await until('the way there to be sold', 60, async () => {
    const { ways = [] } = await call(getHostHealth, { hostUUID: named.serverUUID })
    if (!ways.some(({ isSold }) => isSold)) throw new Error(JSON.stringify(ways))
  })
  return named.serverUUID
})
beforeAll(second)

test("servers move to other hosts with their customers, the old hosts are cleaned, and a neighbour's download continues", async () => {
  const { hosts, servers, tunnels } = await added()
  const [first, next, direct] = await machines()
  const moved = await second()
  const hysteria = servers[2].serverUUID
  const both = await sellAtEach('wstunnel', 'api-ws.example', 'moved.example')
  const [neighbour, tunnelled] = both as [Account, Account]
  const untunnelled = await sell('hysteria2')
  const beside = await appOf(neighbour)
  const download = await downloading(beside)
  const app = await appOf(tunnelled)
  expect([await comesIn(app), await isIn(untunnelled)]).toEqual([true, true])

  const since = performance.now()
  const countryId = 528
  names.set('moved.example', next.address)
  names.set('api-hysteria.example', direct.address)
  await Promise.all([
    call(changeServer, { serverUUID: moved, serverIPV4: next.address, countryId }),
    call(changeServer, { serverUUID: hysteria, serverIPV4: direct.address, countryId }),
  ])
  await isCleaned(first, 'server', moved)
  await isCleaned(hosts.hysteriaServer, 'server', hysteria)
  console.log(`two servers moved, and where they were is clean, after ${seconds(since)}`)

  // Its address is the tunnel's, so that the link it has is as good as before.
  expect((await readAgain(tunnelled)).accountQRString).toBe(tunnelled.accountQRString)
  expect(await comesIn(app)).toBe(true)
  expect(await hosts.wsTunnel.say('cat /etc/kelid/core.json')).not.toContain(first.address)
  const now = await readAgain(untunnelled)
  expect(readLink(now.accountQRString).server).toBe(direct.address)
  expect([await isIn(now), await isIn(untunnelled)]).toEqual([true, false])
  for (const [account, link] of [
    [tunnelled, tunnelled],
    [untunnelled, now],
  ] as const) {
    await call(setEnabled, { ...named(account), accountEnabled: false })
    await until('refused where it is now', 5, async () => expect(await isIn(link)).toBe(false))
  }

  expect(performance.now() - download.lastAt(), 'the neighbour').toBeLessThan(500)
  expect(download.end().isOpen).toBe(true)
  beside.close()
  app.close()
  for (const account of [neighbour, tunnelled, untunnelled]) await call(deleteAccount, named(account))
  await call(removeHost, { hostUUID: moved })
  await settled('tunnel', tunnels[0].tunnelUUID)
}, 1_200_000)

test('a tunnel moves to a used host, and its old host is cleaned', async () => {
  const { hosts, tunnels } = await added()
  const [{ address }] = await machines()
  const tunnelUUID = tunnels[1].tunnelUUID
  const account = await sell('ssh')
  expect(await isIn(account)).toBe(true)
  await call(changeTunnel, { tunnelUUID, tunnelIPV4: address })
  await isCleaned(hosts.sshTunnel, 'tunnel', tunnelUUID)
  const now = await readAgain(account)
  expect(readLink(now.accountQRString).server).toBe(address)
  expect([await isIn(now), await isIn(account)]).toEqual([true, false])
  await call(deleteAccount, named(account))
})
