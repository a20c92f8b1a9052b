import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  deleteBulk,
  getAccount,
  getDashboard,
  newAccount,
  type SentAccount,
  setEnabled,
} from '@kelid/contract'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { openCrowd } from '../../../test/real/crowd.ts'
import { openRealCustomer, type RealCustomer } from '../../../test/real/customer.ts'
import { openDrops } from '../../../test/real/drops.ts'
import { openRealServer } from '../../../test/real/host.ts'
import { askOnce, forgingName, hysteriaAsking } from '../../../test/real/hostile.ts'
import { openPages } from '../../../test/real/pages.ts'
import { freePort } from '../../../test/real/ports.ts'
import { leftOut, xray } from '../../../test/real/programs.ts'
import { openEcho } from '../../../test/real/udp.ts'
import { directAccount, sampleServer } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'

/** Of the only socket at an address. */
const udpPortAt = (address: string) =>
  Number(/:(\d+)\s/.exec(execFileSync('ss', ['-Huna', 'src', address], { encoding: 'utf8' }))?.[1])

const reason = leftOut && ` (left out: ${leftOut})`

/** The real core, the built agent, the product's own listener, and sing-box as the app of a customer. */
describe.skipIf(leftOut)(`a hysteria2 server with its agent${reason}`, () => {
  const product = nodesForAllTests({ clock: runningClock() })
  const folder = folderForAllTests()
  const pages = openForAllTests(openPages)
  const drops = openForAllTests(openDrops)
  const echo = openForAllTests(openEcho)
  const server = openForAllTests(async () => {
    const uuid = await product.server({ serverMaxAccounts: 1_000 })
    const { serverURL: name } = sampleServer()
    const host = { uuid, name, vpnType: 'hysteria2-direct', table: drops.table } as const
    return openRealServer(product, folder, host)
  })
  let reseller: Person
  const customers: RealCustomer[] = []
  beforeAll(async () => {
    reseller = await product.person({ points: 1_000_000 })
  })
  afterEach(() => {
    server.agent.line.mend()
    for (const customer of customers.splice(0)) customer.close()
  })

  const buy = (): Promise<SentAccount> => reseller.ask(newAccount, directAccount)
  const able = ({ accountUUID }: SentAccount, accountEnabled: boolean) =>
    reseller.ask(setEnabled, { accountUUID, accountEnabled })
  const isApplied =
    ({ accountUUID }: SentAccount) =>
    async () =>
      (await reseller.ask(getAccount, { accountUUID })).accountApplied === 'applied'
  let lastAddress = 1
  async function customerOf(account: SentAccount, at = lastAddress + 1) {
    lastAddress = at
    const way = { port: server.core.port, ca: server.ca, from: `127.0.0.${at}` }
    const customer = await openRealCustomer(folder, account, way)
    customers.push(customer)
    return customer
  }
  /** By a client of the attacker's own: sing-box does not send such a name. */
  async function askFor({ accountQRString }: SentAccount, name: string) {
    const { username: secret, searchParams } = new URL(accountQRString)
    const way = { host: '127.0.0.1', port: server.core.port, ca: server.ca, secret, from: '127.0.0.250' }
    const listen = { address: '127.0.0.1', port: await freePort() }
    const file = join(folder, `hostile-${listen.port}.json`)
    const config = hysteriaAsking({ ...way, name: searchParams.get('sni') ?? '' }, listen, name)
    await writeFile(file, JSON.stringify(config))
    const client = spawn(xray, ['run', '-config', file], { stdio: 'ignore' })
    await until(() => askOnce(listen.address, listen.port), 'the hostile client')
    client.kill('SIGKILL')
  }
  const works = (customer: RealCustomer) =>
    until(async () => (await customer.fetch(pages.page, 2)) === 'a page', 'a page for a customer')

  test('six of ten accounts deleted in bulk are cut and refused, and the next change arrives', async () => {
    const accounts: SentAccount[] = []
    for (let count = 0; count < 10; count += 1) accounts.push(await buy())
    const [deleted, kept] = [accounts.slice(0, 6), accounts[6] as SentAccount]
    const customer = await customerOf(deleted[0] as SentAccount)
    await works(customer)
    await works(await customerOf(kept))
    const live = customer.stream(pages.stream)
    await until(() => live.bytes() > 0, 'the download')
    const accountUUIDs = deleted.map(({ accountUUID }) => accountUUID)
    await reseller.ask(deleteBulk, { accountUUIDs })
    await until(() => live.isCut(), 'the cut', 5_000)
    expect(await (await customerOf(deleted[1] as SentAccount)).fetch(pages.page, 3)).toBe('')
    await works(await customerOf(await buy()))
    await able(kept, false)
    await until(async () => (await (await customerOf(kept)).fetch(pages.page, 3)) === '', 'refused')
    expect((await product.admin.ask(getDashboard, {})).refusingHosts).toEqual([])
  })

  test('a forged name with line breaks in the log of the core cuts no other customer', async () => {
    const [account, other, third] = [await buy(), await buy(), await buy()]
    const [attacker, neighbour] = [await customerOf(account), await customerOf(other)]
    await works(attacker)
    await works(neighbour)
    const beside = neighbour.stream(pages.stream)
    await until(() => beside.bytes() > 0, 'the download')
    const address = `127.0.0.${lastAddress}`
    const port = udpPortAt(address)
    for (const id of [account.accountUUID, randomUUID()]) {
      await askFor(account, forgingName(id, address, port))
      await askFor(account, forgingName(id, '127.0.0.1', 53))
    }
    const watched = await customerOf(third)
    await works(watched)
    const live = watched.stream(pages.stream)
    await until(() => live.bytes() > 0, 'the download')
    await able(account, false)
    await able(third, false)
    await until(() => live.isCut(), 'the cut', 5_000)
    expect(drops.peers()).toContain(`127.0.0.${lastAddress}`)
    expect(drops.peers()).not.toContain(`${address} . ${port}`)
    expect(drops.peers()).not.toContain('127.0.0.1 . 53')
    expect(beside.isCut()).toBe(false)
    beside.end()
    live.end()
  })

  test('an agent that was killed after it removed an account, and before it cut, cuts when it is back', async () => {
    const account = await buy()
    const customer = await customerOf(account)
    await works(customer)
    const live = customer.stream(pages.stream)
    await until(() => live.bytes() > 0, 'the download')
    const isRead = async () => (await readFile(server.core.accessLog, 'utf8')) === ''
    await until(isRead, 'the agent to empty the log')
    await server.agent.stop()
    execFileSync(xray, ['api', 'rmu', `--server=${server.core.api}`, '-tag=vpn', account.accountUUID])
    await able(account, false)
    expect(live.isCut()).toBe(false)
    const began = performance.now()
    server.agent.start()
    await until(() => live.isCut(), 'the cut', 10_000)
    console.log(`hysteria2: cut ${Math.round(performance.now() - began)} ms after the start of the agent`)
    await until(isApplied(account), 'applied', 5_000)
    live.end()
  })

  test('a customer who sends UDP alone, and so is not in the access log, is cut, and a neighbour is not', async () => {
    const [account, other] = [await buy(), await buy()]
    const customer = await customerOf(account)
    const neighbour = await customerOf(other, lastAddress)
    await works(neighbour)
    const beside = neighbour.stream(pages.stream)
    const way = await customer.udp()
    const answers = () => way.ask('127.0.0.1', echo.port, 500)
    await until(async () => (await answers()) === '?', 'an answer by UDP')
    await until(() => beside.bytes() > 0, 'the download beside')
    const before = await readFile(server.core.accessLog, 'utf8')
    expect(before).not.toContain(account.accountUUID)
    const began = performance.now()
    await able(account, false)
    await until(async () => (await answers()) === null, 'the cut', 5_000)
    console.log(`hysteria2, UDP alone: cut ${Math.round(performance.now() - began)} ms after it was disabled`)
    await until(isApplied(account), 'applied', 20_000)
    expect(beside.isCut()).toBe(false)
    beside.end()
    way.close()
  })

  test('a customer who is enabled again gets in with the same app within five seconds', async () => {
    const account = await buy()
    const customer = await customerOf(account)
    await works(customer)
    for (const what of ['a download', 'an idle app']) {
      const live = customer.stream(pages.stream)
      await until(() => live.bytes() > 0, 'the download')
      if (what !== 'a download') live.end()
      await able(account, false)
      await until(async () => (await customer.fetch(pages.page, 1)) === '', 'the cut', 5_000)
      await until(isApplied(account), 'applied', 20_000)
      const began = performance.now()
      await able(account, true)
      await until(async () => (await customer.fetch(pages.page, 1)) === 'a page', `${what}: back`, 5_000)
      console.log(`hysteria2, ${what}: back ${Math.round(performance.now() - began)} ms after it was enabled`)
      live.end()
    }
  })

  test('300 accounts that are disabled at once are cut, and a neighbour is not', async () => {
    const accounts: SentAccount[] = []
    for (let count = 0; count < 300; count += 1) accounts.push(await buy())
    await until(isApplied(accounts[299] as SentAccount), 'applied')
    const neighbour = await customerOf(await buy())
    await works(neighbour)
    const way = { port: server.core.port, ca: server.ca, network: '127.9' }
    const crowd = await openCrowd(folder, accounts, way)
    const streams = await crowd.streams(pages.drip)
    const beside = neighbour.stream(pages.stream)
    await until(() => beside.bytes() > 0, 'the download beside')
    const began = performance.now()
    const ids = accounts.map(({ accountUUID }) => accountUUID)
    await product.sql('UPDATE accounts SET enabled = false WHERE uuid = ANY ($1)', ids)
    await until(() => streams.every(({ isCut }) => isCut()), 'the cut of all', 20_000)
    const last = Math.max(...streams.map(({ lastAt }) => lastAt()))
    console.log(`hysteria2, 300 accounts: the last byte ${Math.round(last - began)} ms after the start`)
    expect(beside.isCut()).toBe(false)
    for (const account of accounts) await until(isApplied(account), 'applied', 20_000)
    console.log(`hysteria2, 300 accounts: applied after ${Math.round(performance.now() - began)} ms`)
    crowd.close()
    beside.end()
  })

  test('the agent restores all accounts of a core from its own file while the control plane is unreachable', async () => {
    const account = await buy()
    await works(await customerOf(account))
    server.agent.line.cut()
    await server.agent.stop()
    await server.core.stop()
    await rm(server.core.accountsFile)
    await server.core.start()
    expect(await (await customerOf(account)).fetch(pages.page, 3)).toBe('')
    server.agent.start()
    await works(await customerOf(account))
    const kept = () => readFile(server.core.accountsFile, 'utf8').catch(() => '')
    await until(
      async () => (await kept()).includes(account.accountUUID),
      'the account in the core’s own file',
    )
  })

  test('an account and its download end on time while the control plane is unreachable', async () => {
    const account = await buy()
    const customer = await customerOf(account)
    await works(customer)
    product.clock.set(new Date(Date.parse(account.accountExpireDate) - 5_000))
    const again = await product.again(reseller)
    // The agent hears the time with the next answer.
    const { accountUUID } = await again.ask(newAccount, directAccount)
    const listFile = join(server.agent.folder, 'state', 'list.json')
    await until(async () => (await readFile(listFile, 'utf8')).includes(accountUUID), 'the next answer')
    const live = customer.stream(pages.stream)
    await until(() => live.bytes() > 0, 'the download')
    server.agent.line.cut()
    await until(() => live.isCut(), 'the end', 10_000)
    expect(product.clock.now().getTime()).toBeGreaterThanOrEqual(Date.parse(account.accountExpireDate))
    expect(await (await customerOf(account)).fetch(pages.page, 3)).toBe('')
  })
})
