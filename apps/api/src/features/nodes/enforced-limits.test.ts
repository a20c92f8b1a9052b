import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { day, getAccount, newAccount, type SentAccount } from '@kelid/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { openRealCustomer, type RealCustomer } from '../../../test/real/customer.ts'
import { openDrops } from '../../../test/real/drops.ts'
import { openRealServer } from '../../../test/real/host.ts'
import { fileBytes, openPages } from '../../../test/real/pages.ts'
import { leftOut } from '../../../test/real/programs.ts'
import { directAccount, sampleServer } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'
import { shareAnew } from '../data/data.ts'

const reason = leftOut && ` (left out: ${leftOut})`
const MB = 2 ** 20
/** A file that is cut counts for nothing here, and the core has read ahead of the customer. */
const inFlight = 3 * fileBytes

describe.skipIf(leftOut)(`limits of data with the real core and agent${reason}`, () => {
  const product = nodesForAllTests({ clock: runningClock() })
  const folder = folderForAllTests()
  const pages = openForAllTests(openPages)
  const drops = openForAllTests(openDrops)
  const server = openForAllTests(async () => {
    const uuid = await product.server()
    const { serverURL: name } = sampleServer()
    return openRealServer(product, folder, { uuid, name, vpnType: 'hysteria2-direct', table: drops.table })
  })
  let reseller: Person
  beforeEach(async () => {
    reseller = await product.person({ points: 100_000 })
  })
  const customers: RealCustomer[] = []
  afterEach(() => {
    server.agent.line.mend()
    for (const customer of customers.splice(0)) customer.close()
  })
  let lastAddress = 1
  async function customerOf(account: SentAccount) {
    lastAddress += 1
    const way = { port: server.core.port, ca: server.ca, from: `127.0.2.${lastAddress}` }
    const customer = await openRealCustomer(folder, account, way)
    customers.push(customer)
    return customer
  }
  const isIn = async (customer: RealCustomer) => (await customer.fetch(pages.page, 2)) === 'a page'
  const limitOf = async (id: string) =>
    (await product.sql('SELECT * FROM data_limits WHERE account_uuid = $1', id))[0]
  const stateOf = async (accountUUID: string) =>
    (await reseller.ask(getAccount, { accountUUID })).accountState

  async function limited(bytes: number) {
    const account = await reseller.ask(newAccount, directAccount)
    await product.sql(
      'INSERT INTO data_limits (account_uuid, bytes, period_began_at) VALUES ($1, $2, now())',
      ...[account.accountUUID, bytes],
    )
    const held = 'SELECT FROM data_leases WHERE account_uuid = $1 AND held = $2'
    await until(
      async () => (await product.sql(held, account.accountUUID, bytes)).length > 0,
      'the lease',
      120_000,
    )
    const customer = await customerOf(account)
    await until(() => isIn(customer), 'a page')
    return { id: account.accountUUID, account, customer }
  }
  /** Downloads until at least so many bytes came, or until nothing comes any more. */
  async function download(customer: RealCustomer, bytes: number): Promise<number> {
    let came = 0
    while (came < bytes) {
      const { length } = await customer.fetch(pages.file, 3)
      came += length
      if (length < fileBytes) return came
    }
    return came
  }
  /** An account that is out for a moment breaks downloads off. */
  async function downloadInParts(customer: RealCustomer, bytes: number): Promise<void> {
    let came = 0
    await until(
      async () => {
        came += await download(customer, bytes - came)
        return came >= bytes
      },
      'all bytes',
      120_000,
    )
  }

  test('an account is cut at its limit, shown as limited, and comes in again when the limit is raised', async () => {
    const { id, customer } = await limited(20 * MB)
    const came = await download(customer, 100 * MB)
    await until(async () => (await stateOf(id)) === 'limited', 'the state', 10_000)
    const { used } = await limitOf(id)
    console.log(`limit of 20 MB: ${(used / MB - 20).toFixed(1)} MB past it`)
    expect(used).toBeGreaterThanOrEqual(20 * MB)
    expect(used - 20 * MB).toBeLessThan(64 * MB)
    expect(Math.abs(used - came), 'the core counts what came').toBeLessThan(inFlight + 0.02 * came)
    expect(await isIn(customer)).toBe(false)
    await product.ctx.atomically(async (tx) => {
      await tx.selectFrom('accounts').select('uuid').where('uuid', '=', id).forUpdate().execute()
      await tx
        .updateTable('data_limits')
        .set({ bytes: 400 * MB })
        .where('account_uuid', '=', id)
        .execute()
      await tx.updateTable('accounts').set({ exhausted: false }).where('uuid', '=', id).execute()
      await shareAnew(product.ctx, tx, [id])
    })
    await until(() => isIn(customer), 'the account again', 10_000)
  })

  test('the limit holds with the control plane away, over a killed agent and a killed core', async () => {
    const { id, account, customer } = await limited(60 * MB)
    server.agent.line.cut()
    let came = await download(customer, 9 * MB)
    await server.agent.stop()
    came += await download(customer, 9 * MB)
    server.agent.start()
    came += await download(customer, 6 * MB)
    // What the core counted in its last second is lost with it.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await server.core.stop()
    await server.core.start()
    // The app that was there takes long to notice.
    const again = await customerOf(account)
    await until(() => isIn(again), 'the account after the core', 120_000)
    came += await download(again, 200 * MB)
    expect(came).toBeGreaterThan(50 * MB)
    expect(came - 60 * MB).toBeLessThan(64 * MB)
    expect(await isIn(again)).toBe(false)
    expect(await stateOf(id)).toBe('active')
    server.agent.line.mend()
    await until(async () => (await stateOf(id)) === 'limited', 'the state', 120_000)
    const { used } = await limitOf(id)
    console.log(
      `60 MB without the control plane: ${(used / MB).toFixed(1)} MB counted, ${(came / MB).toFixed(1)} MB came`,
    )
    expect(Math.abs(used - came)).toBeLessThan(inFlight + 0.03 * came)
  })

  test('days begin with the first byte, and end on time, while the control plane is away', async () => {
    const account = await reseller.ask(newAccount, directAccount)
    const id = account.accountUUID
    const now = product.clock.now().getTime()
    const soon = 8_000
    // Three days and some seconds from the first use on.
    const dates = {
      starts_by: new Date(now + 3 * day),
      expires_at: new Date(now + 3 * day + soon),
    }
    await product.setRow('accounts', id, dates)
    const listFile = join(server.agent.folder, 'state', 'list.json')
    await until(async () => (await readFile(listFile, 'utf8')).includes('startsBy'), 'the list')
    const customer = await customerOf(account)
    server.agent.line.cut()
    const began = Date.now()
    await until(() => isIn(customer), 'a page')
    await server.agent.stop()
    server.agent.start()
    await until(async () => !(await isIn(customer)), 'the end', soon + 10_000)
    expect(Date.now() - began).toBeGreaterThanOrEqual(soon - 2_000)
    server.agent.line.mend()
    await until(async () => (await product.row('accounts', id)).starts_by === null, 'the report', 120_000)
    const { first_used_at, expires_at } = await product.row('accounts', id)
    expect(Math.abs((first_used_at?.getTime() ?? 0) - began)).toBeLessThan(5_000)
    expect(expires_at.getTime() - (first_used_at?.getTime() ?? 0)).toBe(soon)
  })

  test('an agent that lost its leases counts in another frame', async () => {
    const { id, customer } = await limited(200 * MB)
    await downloadInParts(customer, 6 * MB)
    await until(async () => (await limitOf(id)).used > 5 * MB, 'the report', 120_000)
    const frameOf = async () =>
      (await product.sql('SELECT frame FROM data_leases WHERE account_uuid = $1', id))[0].frame
    const before = await frameOf()
    await server.agent.stop()
    await rm(join(server.agent.folder, 'state', 'leases.json'))
    server.agent.start()
    await until(() => isIn(customer), 'the account again', 120_000)
    await until(async () => (await frameOf()) !== before, 'another frame')
    const { used } = await limitOf(id)
    await downloadInParts(customer, 6 * MB)
    await until(async () => (await limitOf(id)).used > used + 5 * MB, 'the report', 120_000)
    expect((await limitOf(id)).used).toBeLessThan(20 * MB)
  })
})
