import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import {
  deleteAccount,
  getAccount,
  needsTunnel,
  newAccount,
  type SentAccount,
  setSpeed,
  vpnCatalogue,
  vpnTypes,
} from '@kelid/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { openRealCustomer, type RealCustomer } from '../../../test/real/customer.ts'
import { openDrops } from '../../../test/real/drops.ts'
import { openRealServer, openRealTunnel } from '../../../test/real/host.ts'
import { openPages } from '../../../test/real/pages.ts'
import { leftOut, xray } from '../../../test/real/programs.ts'
import { sampleOf } from '../../../test/sample-hosts.ts'
import { isLong } from '../../../test/scale.ts'
import { until } from '../../../test/until.ts'

const reason = leftOut && ` (left out: ${leftOut})`
const limit = 16
/** The others take a minute each, and the kernel treats them alike. */
const types = isLong ? vpnTypes : (['hysteria2-direct'] as const)

/** The pages are on the same machine, so one limit of two directions is as good as the other there. */
describe.skipIf(leftOut).each(types)(
  `limits of speed of %s with the real core and agent${reason}`,
  (vpnType) => {
    const { server: wanted, account: order } = sampleOf(vpnType)
    const product = nodesForAllTests({ clock: runningClock() })
    const folder = folderForAllTests()
    const pages = openForAllTests(openPages)
    const drops = openForAllTests(openDrops)
    const server = openForAllTests(async () => {
      const uuid = await product.server(wanted)
      return openRealServer(product, folder, { uuid, name: wanted.serverURL, vpnType, table: drops.table })
    })
    const nft = (...words: string[]) => execFileSync('nft', words, { encoding: 'utf8' })
    const table = () => `${drops.table}-speed`
    let reseller: Person
    let tunnel: Awaited<ReturnType<typeof openRealTunnel>> | undefined
    beforeAll(async () => {
      reseller = await product.person({ points: 100_000, tunnelCredit: 1_000 })
      if (!needsTunnel(vpnType)) return
      const [tunnelType] = vpnCatalogue[vpnType].tunnelTypes
      const tunnelUUID = await product.tunnel({ ...(tunnelType && { tunnelType }) })
      tunnel = await openRealTunnel(product, join(folder, 'tunnel'), tunnelUUID, server.core.port)
    })
    afterAll(async () => {
      await tunnel?.close()
      nft(`add table inet ${table()}; delete table inet ${table()}`)
    })
    const isTableWhole = () =>
      nft('list', 'tables', 'inet').includes(table()) && / @up /.test(nft('list', 'table', 'inet', table()))
    const customers: RealCustomer[] = []
    afterEach(() => {
      for (const customer of customers.splice(0)) customer.close()
    })
    let lastAddress = 1
    async function customerOf(account: SentAccount) {
      lastAddress += 1
      const way = { port: server.core.port, ca: server.ca, from: `127.0.3.${lastAddress}` }
      const customer = await openRealCustomer(folder, account, way)
      customers.push(customer)
      await until(async () => (await customer.fetch(pages.page, 10)) === 'a page', 'a page', 60_000)
      return customer
    }
    async function setLimit({ accountUUID }: SentAccount, accountSpeedLimit: number | null) {
      await reseller.ask(setSpeed, { accountUUID, accountSpeedLimit })
      const isApplied = async () =>
        (await reseller.ask(getAccount, { accountUUID })).accountApplied === 'applied'
      await until(isApplied, 'the limit', 60_000).catch((error: Error) => {
        throw new Error(`${error.message}:\n${server.agent.output()}`)
      })
    }
    const buy = () => reseller.ask(newAccount, order)
    async function buyLimited(speed: number) {
      const account = await buy()
      await setLimit(account, speed)
      return account
    }
    const pass = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    /** In Mbit/s, after the beginning. */
    async function rateOf(bytes: () => number, seconds = 4) {
      await pass(1)
      const [before, since] = [bytes(), performance.now()]
      await pass(seconds)
      return ((bytes() - before) * 8) / 1_000 / (performance.now() - since)
    }
    async function downloadRate(customer: RealCustomer) {
      const download = customer.stream(pages.flood)
      await until(() => download.bytes() > 0, 'the first byte', 20_000)
      const rate = await rateOf(download.bytes)
      download.end()
      return rate
    }
    async function uploadRate(customer: RealCustomer) {
      const upload = customer.send(pages.sink)
      const rate = await rateOf(pages.received)
      upload.end()
      return rate
    }
    const expectLimited = (rate: number, speed = limit) => {
      expect(rate).toBeLessThan(1.25 * speed)
      expect(rate).toBeGreaterThan(0.3 * speed)
    }

    test('a limited account is as fast as its limit, beside one without that is many times faster', async () => {
      const [limited, free] = [await customerOf(await buyLimited(limit)), await customerOf(await buy())]
      const rates = {
        limited: await downloadRate(limited),
        free: await downloadRate(free),
        up: await uploadRate(limited),
        freeUp: await uploadRate(free),
      }
      console.log(
        `${vpnType}, limit ${limit} Mbit/s: ${(rates.limited / limit).toFixed(2)} of it down, ${(rates.up / limit).toFixed(2)} up; without a limit ${(rates.free / limit).toFixed(0)} times as much down, ${(rates.freeUp / limit).toFixed(0)} up`,
      )
      expectLimited(rates.limited)
      expectLimited(rates.up)
      for (const rate of [rates.free, rates.freeUp]) expect(rate).toBeGreaterThan(4 * limit)
    })

    test('a change takes effect while a download goes on, and outlasts core and agent', async () => {
      const account = await buyLimited(limit)
      const customer = await customerOf(account)
      const download = customer.stream(pages.flood)
      await until(() => download.bytes() > 0, 'the first byte', 20_000)
      const first = await rateOf(download.bytes)
      await setLimit(account, 4 * limit)
      const faster = await rateOf(download.bytes)
      await setLimit(account, limit)
      const slower = await rateOf(download.bytes)
      await setLimit(account, null)
      let free = 0
      const isFree = async () => {
        free = await rateOf(download.bytes, 2)
        return free > 4 * limit
      }
      await until(isFree, 'full speed', 60_000)
      console.log(
        `${vpnType}: ${[first, faster, slower, free].map((rate) => (rate / limit).toFixed(2)).join(', ')}`,
      )
      expectLimited(first)
      expect(faster / first).toBeGreaterThan(2)
      expectLimited(slower)
      expect(download.isCut()).toBe(false)
      download.end()

      await setLimit(account, limit)
      await server.agent.stop()
      nft('flush', 'table', 'inet', table())
      await server.core.stop()
      await server.core.start()
      server.agent.start()
      await until(isTableWhole, 'the rules', 60_000)
      const again = await customerOf(account)
      expectLimited(await downloadRate(again))
      nft('delete', 'table', 'inet', table())
      await until(isTableWhole, 'the table', 60_000)
      expectLimited(await downloadRate(again))
    })

    test('a limited account is cut when it is deleted, and nothing of its limit is left', async () => {
      await product.sql('UPDATE accounts SET speed_limit = NULL')
      const account = await buyLimited(limit)
      const customer = await customerOf(account)
      const download = customer.stream(pages.flood)
      await until(() => download.bytes() > 0, 'the first byte', 20_000)
      await reseller.ask(deleteAccount, { accountUUID: account.accountUUID })
      // Behind a tunnel its agent cuts.
      await until(() => download.isCut(), 'the cut', 30_000)
      const { api } = server.core
      const known = () =>
        ['lso', 'lsrules'].map((what) =>
          execFileSync(xray, ['api', what, `--server=${api}`], { encoding: 'utf8' }),
        )
      await until(() => !/speed-/.test(known().join('')), 'the core without it', 20_000)
      await until(() => !nft('list', 'tables', 'inet').includes(table()), 'the kernel without it', 20_000)
    })

    if (vpnType === 'hysteria2-direct')
      test('a core without the right to mark connections is a trouble of its agent', async () => {
        const customer = await customerOf(await buyLimited(limit))
        await server.core.stop()
        await server.core.start({ mayMark: false })
        customer.close()
        const again = await customerOf(await buyLimited(limit))
        const download = again.stream(pages.stream)
        await server.agent.says(/cannot limit the speed of accounts: the core sets no marks/, 150_000)
        download.end()
      })
  },
)
