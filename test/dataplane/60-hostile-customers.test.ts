import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { deleteAccount, deleteBulk, getDashboard, setEnabled } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import {
  askOnce,
  claimsToBe,
  forgingName,
  forgingTrojanName,
  hysteriaAsking,
  trojanRequest,
} from '../../apps/api/test/real/hostile.ts'
import {
  type Account,
  appOf,
  comesIn,
  cutAfter,
  downloading,
  isIn,
  named,
  sell,
  wayOf,
  ways,
} from './accounts.ts'
import { run, until } from './commands.ts'
import { openApp } from './customer.ts'
import { added } from './installation.ts'
import { address } from './network.ts'
import { call } from './product.ts'
import { programs } from './programs.ts'
import { names } from './resolver.ts'

const soon = 5
const disable = (account: Account) => call(setEnabled, { ...named(account), accountEnabled: false })
const clear = async (accounts: readonly Account[]) => {
  for (const account of accounts) await call(deleteAccount, named(account))
}

/** The ports of customers' connections, at their end. */
const portsOf = (protocol: 'tcp' | 'udp', to: string): number[] => {
  const filter = protocol === 'tcp' ? ['-Htn', 'dst', to] : ['-Huna']
  return run('ip', 'netns', 'exec', 'customer', 'ss', ...filter)
    .split('\n')
    .map((line) => Number(/\S+:(\d+)\s+\S+:\S+\s*$/.exec(line)?.[1]))
    .filter(Number.isInteger)
}

/** A download, and the port that it came from. */
async function connectionOf(account: Account, protocol: 'tcp' | 'udp') {
  const { server } = await wayOf(account)
  const before = new Set(portsOf(protocol, server))
  const app = await appOf(account)
  const download = await downloading(app)
  const fresh = portsOf(protocol, server).filter((port) => !before.has(port))
  return { app, download, ports: fresh }
}

describe.each(ways)('by %s', (kind) => {
  test('six of ten accounts deleted in bulk are cut and refused, and later changes arrive', async () => {
    const accounts: Account[] = []
    for (let count = 0; count < 10; count += 1) accounts.push(await sell(kind))
    const [first, second, , , , , kept, ...others] = accounts as [Account, Account, ...Account[]]
    const app = await appOf(first)
    const download = await downloading(app)
    const since = performance.now()
    const accountUUIDs = accounts.slice(0, 6).map(({ accountUUID }) => accountUUID)
    await call(deleteBulk, { accountUUIDs })
    console.log(`by ${kind}: cut ${await cutAfter(download, since, soon)} ms after six of ten were deleted`)
    app.close()
    expect(await isIn(second)).toBe(false)
    const bought = await sell(kind)
    expect(await isIn(bought)).toBe(true)
    await disable(kept as Account)
    await until('the next change', soon, async () => expect(await isIn(kept as Account)).toBe(false))
    expect((await call(getDashboard, {})).refusingHosts).toEqual([])
    await clear([bought, kept as Account, ...others])
  })
})

test('by hysteria2: a name with line breaks cuts neither a neighbour at the same address nor the resolver', async () => {
  const { hysteria2: host } = (await added()).exits
  const [account, other] = [await sell('hysteria2'), await sell('hysteria2')]
  const neighbour = await connectionOf(other, 'udp')
  const attacker = await connectionOf(account, 'udp')
  const { server, ...way } = await wayOf(account)
  const refusals = () =>
    host.say('journalctl -u kelid-core --no-pager | grep -c "non existing outTag: nowhere" || true')
  const before = Number(await refusals())
  for (const id of [account.accountUUID ?? '', randomUUID()])
    for (const [where, port] of [
      [address.world, 53],
      ...neighbour.ports.map((one) => [address.customer, one] as const),
    ] as const) {
      let at = 0
      const client = await openApp((listen) => {
        at = listen
        const asking = { host: server, ca: way.authority, from: address.customer, ...way }
        const config = hysteriaAsking(
          asking,
          { address: address.customer, port: listen },
          forgingName(id, where, port),
        )
        writeFileSync(`/mnt/hostile-${listen}.json`, JSON.stringify(config))
        return [programs.xray, 'run', '-config', `/mnt/hostile-${listen}.json`]
      })
      expect(await askOnce(address.customer, at)).toBe(true)
      client.close()
    }
  const since = performance.now()
  await disable(account)
  await cutAfter(attacker.download, since, soon)
  const set = await host.say('nft list set inet kelid cut4')
  expect(set).toContain(`${address.customer} . ${attacker.ports[0]}`)
  expect(set).not.toContain(`${address.world} . 53`)
  for (const port of neighbour.ports) expect(set).not.toContain(`${address.customer} . ${port} `)
  expect(performance.now() - neighbour.download.lastAt()).toBeLessThan(1000)
  expect(await comesIn(neighbour.app)).toBe(true)
  // The core ended these requests before it wrote them anywhere.
  expect(Number(await refusals())).toBeGreaterThan(before)
  // And if an element were there all the same, answers of the resolver would arrive.
  await host.say(`nft add element inet kelid cut4 { ${address.world} . 53 timeout 30s }`)
  expect(await comesIn(neighbour.app)).toBe(true)
  await host.say(`nft delete element inet kelid cut4 { ${address.world} . 53 }`)
  for (const { app, download } of [neighbour, attacker]) {
    download.end()
    app.close()
  }
  await clear([account, other])
})

describe.each(['ssh', 'wstunnel'] as const)('trojan by %s', (kind) => {
  test('a name with line breaks does not cut a neighbour at the same address', async () => {
    const [account, other] = [await sell(kind), await sell(kind)]
    const neighbour = await connectionOf(other, 'tcp')
    const attacker = await connectionOf(account, 'tcp')
    const { server, port, name, secret, authority } = await wayOf(account)
    for (const own of neighbour.ports) {
      const forged = forgingTrojanName(account.accountUUID ?? '', address.customer, own)
      await trojanRequest({ host: server, port, name, secret, ca: authority }, forged)
    }
    const since = performance.now()
    await disable(account)
    await cutAfter(attacker.download, since, soon)
    expect(performance.now() - neighbour.download.lastAt()).toBeLessThan(1000)
    expect(neighbour.download.end().isOpen).toBe(true)
    for (const { app } of [neighbour, attacker]) app.close()
    await clear([account, other])
  })

  test('DNS rebinding does not reach the port that trusts PROXY headers', async () => {
    const exit = (await added()).exits[kind]
    expect(await exit.say('ss -Hlnt sport = :4443')).toContain('127.0.0.1:4443')
    const account = await sell(kind)
    const app = await appOf(account)
    const { name: tlsName } = await wayOf(account)
    let asked = 0
    names.set('rebinding.example', () => (asked++ % 2 === 0 ? address.world : '127.0.0.1'))
    names.set('own.example', '127.0.0.1')
    const claims: boolean[] = []
    for (const name of [
      ...Array<string>(12).fill('rebinding.example'),
      'own.example',
      'localhost',
      '127.0.0.1',
    ])
      claims.push(await claimsToBe(app.socks, { name, port: 4443, tlsName }, '203.0.113.77'))
    console.log(`by ${kind}: asked ${asked} times`)
    expect(claims).not.toContain(true)
    // Each layer by itself: first without the rule of the core, then without the firewall.
    const reach = async () => {
      const tries: boolean[] = []
      for (let time = 0; time < 12; time += 1)
        tries.push(
          await claimsToBe(app.socks, { name: 'rebinding.example', port: 4443, tlsName }, '203.0.113.77'),
        )
      return tries.includes(true)
    }
    await exit.say('nft flush chain inet kelid output')
    expect(await reach(), 'the core alone').toBe(false)
    await exit.say('systemctl reload kelid-firewall')
    await exit.say('/usr/local/lib/kelid/core api rmrules --server=127.0.0.1:10085 own-port')
    expect(await reach(), 'the firewall alone').toBe(false)
    await exit.say('systemctl restart kelid-core')
    app.close()
    await until('it goes on', 20, async () => expect(await isIn(account)).toBe(true))
    await clear([account])
  })
})
