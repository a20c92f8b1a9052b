import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteBulk, getDashboard, newAccount, type SentAccount, setEnabled } from '@kelid/contract'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { openRealCustomer, type RealCustomer } from '../../../test/real/customer.ts'
import { openDrops } from '../../../test/real/drops.ts'
import { openRealServer } from '../../../test/real/host.ts'
import { askOnce, forgingName, hysteriaAsking } from '../../../test/real/hostile.ts'
import { openPages } from '../../../test/real/pages.ts'
import { freePort } from '../../../test/real/ports.ts'
import { leftOut, xray } from '../../../test/real/programs.ts'
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
  const server = openForAllTests(async () => {
    const uuid = await product.server()
    const { serverURL: name } = sampleServer()
    const host = { uuid, name, vpnType: 'hysteria2-direct', table: drops.table } as const
    return openRealServer(product, folder, host)
  })
  let reseller: Person
  const customers: RealCustomer[] = []
  beforeAll(async () => {
    reseller = await product.person({ points: 100_000 })
  })
  afterEach(() => {
    server.agent.line.mend()
    for (const customer of customers.splice(0)) customer.close()
  })

  const buy = (): Promise<SentAccount> => reseller.ask(newAccount, directAccount)
  const able = ({ accountUUID }: SentAccount, accountEnabled: boolean) =>
    reseller.ask(setEnabled, { accountUUID, accountEnabled })
  let lastAddress = 1
  async function customerOf(account: SentAccount) {
    lastAddress += 1
    const way = { port: server.core.port, ca: server.ca, from: `127.0.0.${lastAddress}` }
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

  test('a connection that is older than its agent is cut too', async () => {
    const account = await buy()
    const customer = await customerOf(account)
    await works(customer)
    const live = customer.stream(pages.stream)
    await until(() => live.bytes() > 0, 'the download')
    const isKept = async () =>
      (await readFile(join(server.agent.folder, 'connections.json'), 'utf8')).includes(account.accountUUID)
    await until(isKept, 'the connection in the file')
    await server.agent.stop()
    server.agent.start()
    await able(account, false)
    await until(() => live.isCut(), 'the cut', 10_000)
    live.end()
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
