import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  allowShrink,
  getAccount,
  getUsage,
  newAccount,
  newSecret,
  type SentAccount,
  setEnabled,
} from '@kelid/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { loseAccounts, openProductWithNodes, type ProductWithNodes } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { openCrowd } from '../../../test/real/crowd.ts'
import { openRealCustomer, type RealCustomer } from '../../../test/real/customer.ts'
import { openRealServer, openRealTunnel } from '../../../test/real/host.ts'
import { forgingTrojanName, trojanRequest } from '../../../test/real/hostile.ts'
import { fileBytes, openPages } from '../../../test/real/pages.ts'
import { leftOut, xray } from '../../../test/real/programs.ts'
import { trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'

/** Of the connections from an address to a port. */
const tcpPortsAt = (address: string, to: number) =>
  [
    ...execFileSync('ss', ['-Htn', 'src', address, 'and', 'dport', '=', `:${to}`], {
      encoding: 'utf8',
    }).matchAll(/\d:(\d+)\s+\d/g),
  ].map(([, port]) => Number(port))

const reason = leftOut && ` (left out: ${leftOut})`

/**
 * The agents of a trojan server and of its tunnel, with the real core. Customers come to the core directly, so the sockets
 * that the tunnel's agent ends are the core's; the relay itself is in the tests of the data plane.
 */
describe.skipIf(leftOut)(`a trojan server and its tunnel, with their agents${reason}`, () => {
  let product: ProductWithNodes
  let folder: string
  let pages: Awaited<ReturnType<typeof openPages>>
  let server: Awaited<ReturnType<typeof openRealServer>>
  let tunnel: Awaited<ReturnType<typeof openRealTunnel>>
  let reseller: Person
  let serverUUID: string
  const customers: RealCustomer[] = []
  beforeAll(async () => {
    product = await openProductWithNodes({ clock: runningClock() })
    folder = await mkdtemp(join(tmpdir(), 'kelid-tunnelled-'))
    pages = await openPages()
    reseller = await product.person({ points: 1_000_000, tunnelCredit: 10_000 })
    // Each reading of the sample gives another name.
    const described = { ...trojanServer(), serverMaxAccounts: 1_000 }
    serverUUID = await product.server(described)
    const { serverURL: name } = described
    const place = join(folder, 'server')
    server = await openRealServer(product, place, {
      ...{ uuid: serverUUID, name, vpnType: 'trojan' as const, table: 'none' },
    })
    const door = server.core.port
    tunnel = await openRealTunnel(
      product,
      join(folder, 'tunnel'),
      await product.tunnel({ tunnelMaxAccounts: 1_000 }),
      door,
    )
  })
  afterEach(() => {
    server.agent.line.mend()
    for (const customer of customers.splice(0)) customer.close()
  })
  afterAll(async () => {
    await server?.close()
    await tunnel?.close()
    pages?.close()
    await product.close()
    await rm(folder, { recursive: true })
  })

  const buy = async (): Promise<SentAccount> => await reseller.ask(newAccount, tunnelledAccount)
  async function customerOf(account: SentAccount, from = '127.0.0.77') {
    const way = { port: server.core.port, ca: server.ca, from }
    const customer = await openRealCustomer(folder, account, way)
    customers.push(customer)
    return customer
  }
  const works = (customer: RealCustomer) =>
    until(async () => (await customer.fetch(pages.page, 2)) === 'a page', 'a page for a customer')
  const isApplied =
    ({ accountUUID }: SentAccount) =>
    async () =>
      (await reseller.ask(getAccount, { accountUUID })).accountApplied === 'applied'

  test("a new account is applied and connects; once it is disabled its connection ends at the tunnel, and a neighbour's at the same address does not", async () => {
    const [account, other] = [await buy(), await buy()]
    await until(isApplied(account), 'applied')
    await until(isApplied(other), 'applied')
    const [customer, neighbour] = [await customerOf(account), await customerOf(other)]
    await works(customer)
    await works(neighbour)
    const [live, beside] = [customer.stream(pages.stream), neighbour.stream(pages.stream)]
    await until(() => live.bytes() > 0 && beside.bytes() > 0, 'both downloads')
    const began = performance.now()
    const { accountUUID } = account
    await reseller.ask(setEnabled, { accountUUID, accountEnabled: false })
    await until(() => live.isCut(), 'the cut', 10_000)
    console.log(`trojan: cut after ${Math.round(performance.now() - began)} ms`)
    await until(isApplied(account), 'applied')
    expect(await (await customerOf(account)).fetch(pages.page, 3)).toBe('')
    expect(beside.isCut()).toBe(false)
    await reseller.ask(setEnabled, { accountUUID, accountEnabled: true })
    await works(await customerOf(account))
    beside.end()
    live.end()
  })

  test('a download older than 600 other connections and than the agent is cut, and applied means cut at the tunnel', async () => {
    const [account, other] = [await buy(), await buy()]
    await until(isApplied(other), 'applied')
    const way = { port: server.core.port, ca: server.ca, network: '127.8' }
    const crowd = await openCrowd(folder, [account], way)
    const neighbour = await customerOf(other, '127.8.0.1')
    await works(neighbour)
    const beside = neighbour.stream(pages.stream)
    const live = await crowd.stream(0, pages.stream)
    await until(() => live.bytes() > 0 && beside.bytes() > 0, 'both downloads')
    for (let round = 0; round < 30; round += 1) {
      const short = await Promise.all(Array.from({ length: 20 }, () => crowd.stream(0, pages.page)))
      await until(() => short.every(({ bytes }) => bytes() > 0), '20 pages')
      for (const { end } of short) end()
    }
    await server.agent.stop()
    await tunnel.stop()
    const { accountUUID } = account
    execFileSync(xray, ['api', 'rmu', `--server=${server.core.api}`, '-tag=vpn', accountUUID])
    await reseller.ask(setEnabled, { accountUUID, accountEnabled: false })
    server.agent.start()
    const removed = await buy()
    await until(isApplied(removed), 'a later change to be applied')
    expect(await isApplied(account)(), 'applied while it is connected').toBe(false)
    expect(live.isCut()).toBe(false)
    const began = performance.now()
    tunnel.start()
    await until(() => live.isCut(), 'the cut', 15_000)
    console.log(`trojan: cut ${Math.round(live.lastAt() - began)} ms after the start of the tunnel’s agent`)
    await until(isApplied(account), 'applied', 5_000)
    expect(beside.isCut()).toBe(false)
    beside.end()
    crowd.close()
  })

  test('300 accounts that are deleted at once are cut, and a neighbour is not', async () => {
    const accounts: SentAccount[] = []
    for (let count = 0; count < 300; count += 1) accounts.push(await buy())
    await until(isApplied(accounts[299] as SentAccount), 'applied')
    const neighbour = await customerOf(await buy())
    await works(neighbour)
    const crowd = await openCrowd(folder, accounts, {
      ...{ port: server.core.port, ca: server.ca, network: '127.9' },
    })
    const streams = await crowd.streams(pages.drip)
    const beside = neighbour.stream(pages.stream)
    await until(() => beside.bytes() > 0, 'the download beside')
    const began = performance.now()
    const ids = accounts.map(({ accountUUID }) => accountUUID)
    await product.sql(
      `WITH gone AS (DELETE FROM accounts WHERE uuid = ANY ($1) RETURNING uuid)
        UPDATE servers SET removals = removals + (SELECT count(*) FROM gone) WHERE uuid = $2`,
      ...[ids, serverUUID],
    )
    await until(() => streams.every(({ isCut }) => isCut()), 'the cut of all', 20_000)
    const last = Math.max(...streams.map(({ lastAt }) => lastAt()))
    console.log(`trojan, 300 accounts: the last byte ${Math.round(last - began)} ms after the start`)
    expect(beside.isCut()).toBe(false)
    crowd.close()
    beside.end()
  })

  test('with a new secret the old link is cut and refused, and the new one connects', async () => {
    const account = await buy()
    const customer = await customerOf(account)
    await works(customer)
    const live = customer.stream(pages.stream)
    await until(() => live.bytes() > 0, 'the download')
    const renewed = await reseller.ask(newSecret, { accountUUID: account.accountUUID })
    await until(() => live.isCut(), 'the cut', 10_000)
    expect(await customer.fetch(pages.page, 3)).toBe('')
    await works(await customerOf(renewed))
    live.end()
  })

  test('a name with line breaks, which the core writes into its log as it refuses it, cuts nobody', async () => {
    const [account, other, third] = [await buy(), await buy(), await buy()]
    const from = '127.0.0.78'
    const [attacker, neighbour, watched] = [
      await customerOf(account, from),
      await customerOf(other, from),
      await customerOf(third),
    ]
    for (const customer of [attacker, neighbour, watched]) await works(customer)
    const [own, live] = [attacker.stream(pages.stream), watched.stream(pages.stream)]
    await until(() => own.bytes() > 0 && live.bytes() > 0, 'both downloads')
    const before = tcpPortsAt(from, server.core.port)
    const beside = neighbour.stream(pages.stream)
    await until(() => beside.bytes() > 0, 'the download beside')
    const port = tcpPortsAt(from, server.core.port).find((one) => !before.includes(one)) ?? 0
    const { hostname: _, username: secret, searchParams } = new URL(account.accountQRString)
    const way = { host: '127.0.0.1', port: server.core.port, ca: server.ca, secret, from }
    const name = searchParams.get('sni') ?? ''
    await trojanRequest({ ...way, name }, forgingTrojanName(account.accountUUID, from, port))
    for (const { accountUUID } of [account, third])
      await reseller.ask(setEnabled, { accountUUID, accountEnabled: false })
    await until(() => live.isCut() && own.isCut(), 'the cut of both', 10_000)
    expect(beside.isCut()).toBe(false)
    for (const stream of [own, live, beside]) stream.end()
  })

  test('usage adds up over restarts of core, agent and line, and the account is online meanwhile', async () => {
    const account = await buy()
    const { accountUUID } = account
    await works(await customerOf(account))
    const usage = () => reseller.ask(getUsage, { accountUUID })
    let files = 0
    const isCounted = async () => (await usage()).usageTotal.down >= files * fileBytes
    async function fetchFiles(count: number) {
      const customer = await customerOf(account)
      for (let one = 0; one < count; one += 1)
        expect((await customer.fetch(pages.file, 20)).length).toBe(fileBytes)
      files += count
      customer.close()
    }
    await fetchFiles(2)
    await until(isCounted, 'two files counted', 30_000)
    await server.core.stop()
    await server.core.start()
    await fetchFiles(1)
    await until(isCounted, 'three files counted', 30_000)
    await server.agent.stop()
    server.agent.start()
    server.agent.line.cut()
    await fetchFiles(1)
    server.agent.line.mend()
    await until(isCounted, 'four files counted', 30_000)
    const live = (await customerOf(account)).stream(pages.stream)
    await until(async () => (await usage()).accountOnline, 'online', 30_000)
    live.end()
    const { up, down } = (await usage()).usageTotal
    expect(down).toBeGreaterThan(0)
    expect(down - live.bytes()).toBeLessThan(files * fileBytes * 1.02)
    expect(up).toBeGreaterThan(0)
  })

  test('a control plane that lost its accounts disconnects nobody until an administrator allows it', async () => {
    const account = await buy()
    for (let more = 0; more < 8; more += 1) await buy()
    await works(await customerOf(account))
    await loseAccounts(product)
    await server.agent.says(/the list is smaller: \d+ accounts that nobody removed stay/)
    await works(await customerOf(account))
    await product.admin.ask(allowShrink, { hostUUID: serverUUID })
    const customer = await customerOf(account)
    await until(async () => (await customer.fetch(pages.page, 2)) === '', 'nobody is left', 40_000)
  })

  test('an account that a restored database has on another server is dropped when allowed, and later changes arrive', async () => {
    const account = await buy()
    const { accountUUID } = account
    const customer = await customerOf(account)
    await works(customer)
    const live = customer.stream(pages.stream)
    await until(() => live.bytes() > 0, 'the download')
    const before = server.agent.output().length
    const { db } = product.ctx
    const other = await product.server(trojanServer())
    await db.updateTable('servers').set({ paused: true }).where('uuid', '=', other).execute()
    await db.updateTable('accounts').set({ server_uuid: other }).where('uuid', '=', accountUUID).execute()
    await db.deleteFrom('departures').where('account_uuid', '=', accountUUID).execute()
    await db.deleteFrom('usage_counters').where('account_uuid', '=', accountUUID).execute()
    await server.agent.says(/the list is smaller: 1 accounts that nobody removed stay/)
    await product.admin.ask(allowShrink, { hostUUID: serverUUID })
    await until(async () => (await customer.fetch(pages.page, 2)) === '', 'the account to be dropped')
    await until(isApplied(await buy()), 'applied')
    expect(server.agent.output().slice(before)).not.toMatch(/no report/)
    live.end()
  })
})
