import { randomUUID } from 'node:crypto'
import { deleteAccount } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import { type Account, type Kind, named, sell, subscription, url, ways } from './accounts.ts'
import { linkApps, openPhone } from './apps.ts'
import { until } from './commands.ts'
import { added } from './installation.ts'
import { address } from './network.ts'
import { page } from './pages.ts'
import { call } from './product.ts'
import { programs } from './programs.ts'

const exitOf = async (kind: Kind) => (await added()).exits[kind].address
const withAnotherSecret = (account: Account): Account => ({
  ...account,
  accountQRString: (account.accountQRString ?? '').replace(/\/\/[^@]+@/, `//${randomUUID()}@`),
})

describe.each(ways)('a sold account, by %s', (kind) => {
  const apps = Object.entries(linkApps).filter(([name]) => kind !== 'hysteria2' || !/trojan|v2ray/.test(name))

  test('connects with its link in several apps, and with another secret in none of them', async () => {
    const account = await sell(kind)
    const exit = await exitOf(kind)
    const came = await Promise.all(
      apps.map(async ([name, open]) => {
        const app = await open(account)
        const stranger = await open(withAnotherSecret(account))
        const got = [(await app.fetch(url)).stdout, (await app.fetch(`${url}who`)).stdout]
        const wrong = (await stranger.fetch(url, '--max-time', '3')).stdout
        for (const one of [app, stranger]) one.close()
        return { name, got, isWrongIn: wrong === page, log: got[0] === page ? '' : app.log() }
      }),
    )
    console.log(`by ${kind}: ${came.map(({ name }) => name).join(', ')}`)
    expect(came).toEqual(apps.map(([name]) => ({ name, got: [page, exit], isWrongIn: false, log: '' })))
    await call(deleteAccount, named(account))
  })

  test('connects with the subscription files for sing-box and mihomo', async () => {
    const account = await sell(kind)
    const exit = await exitOf(kind)
    const who = `http://${address.world}:8080/who`
    const singBox = openPhone('config.json', await subscription(account, 'SFA/1.13.2'), (file) => [
      ...[programs['sing-box'], 'run', '-c', file],
    ])
    const mihomo = openPhone('config.yaml', await subscription(account, 'mihomo/1.19'), (file) => [
      ...[programs.mihomo, '-f', file, '-d', file.replace(/[^/]+$/, '')],
    ])
    const leaves = (phone: typeof singBox, ...proxy: string[]) =>
      until('the phone to leave by the server', 10, async () => {
        const seen = await phone.fetch(who, ...proxy)
        if (seen !== exit) throw new Error(`${seen}: ${phone.log()}`)
      })
    await leaves(singBox)
    await leaves(mihomo, '--proxy', 'socks5h://127.0.0.1:7890')
    expect(await mihomo.fetch(url, '--proxy', 'socks5h://127.0.0.1:7890')).toBe(page)
    for (const phone of [singBox, mihomo]) phone.close()
    await call(deleteAccount, named(account))
  })
})
