import { newAccount, type SentAccount } from '@kelid/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { runningClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import { openRealCustomer, type RealCustomer } from '../../../test/real/customer.ts'
import { openDrops } from '../../../test/real/drops.ts'
import { openRealServer } from '../../../test/real/host.ts'
import { openPages } from '../../../test/real/pages.ts'
import { leftOut } from '../../../test/real/programs.ts'
import { directAccount, sampleServer } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'

const reason = leftOut && ` (left out: ${leftOut})`

describe.skipIf(leftOut)(`a hysteria2 server with its agent and the real core${reason}`, () => {
  const product = nodesForAllTests({ clock: runningClock() })
  const folder = folderForAllTests()
  const pages = openForAllTests(openPages)
  const drops = openForAllTests(openDrops)
  const server = openForAllTests(async () => {
    const uuid = await product.server()
    const { serverURL: name } = sampleServer()
    return openRealServer(product, folder, { uuid, name, vpnType: 'hysteria2-direct', table: drops.table })
  })
  const customers: RealCustomer[] = []
  afterAll(() => {
    for (const customer of customers) customer.close()
  })
  async function customerOf(account: SentAccount, from: string) {
    const customer = await openRealCustomer(folder, account, { port: server.core.port, ca: server.ca, from })
    customers.push(customer)
    return customer
  }
  const isIn = async (customer: RealCustomer) => (await customer.fetch(pages.page, 2)) === 'a page'

  test('a refused device is cut, other devices and neighbours go on, and the refusal ends without the control plane', async () => {
    const reseller = await product.person({ points: 100_000 })
    const [account, other] = [
      await reseller.ask(newAccount, directAccount),
      await reseller.ask(newAccount, directAccount),
    ]
    const [home, extra] = ['127.0.1.1', '127.0.1.2']
    const first = await customerOf(account, home)
    const refused = await customerOf(account, extra)
    const neighbour = await customerOf(other, extra)
    for (const customer of [first, refused, neighbour]) await until(() => isIn(customer), 'a page')
    const [kept, cut, beside] = [first, refused, neighbour].map((customer) => customer.stream(pages.stream))
    for (const stream of [kept, cut, beside]) await until(() => (stream?.bytes() ?? 0) > 0, 'the download')
    const refuse = async (seconds: number) => {
      await product.sql(
        `INSERT INTO devices (account_uuid, server_uuid, network, first_seen_at, last_seen_at, refused_until)
          SELECT uuid, server_uuid, $2, $3, $3, $4 FROM accounts WHERE uuid = $1
          ON CONFLICT (account_uuid, server_uuid, network) DO UPDATE SET refused_until = $4`,
        account.accountUUID,
        extra,
        product.clock.now(),
        new Date(product.clock.now().getTime() + 1_000 * seconds),
      )
      await product.sql(`SELECT pg_notify('kelid_nodes', '')`)
    }
    await refuse(60)
    await until(() => cut?.isCut() ?? false, 'the cut', 5_000)
    // Its app is silent until QUIC gives up, so a new one is asked.
    const again = await customerOf(account, extra)
    expect(await isIn(again)).toBe(false)
    expect([kept?.isCut(), beside?.isCut()]).toEqual([false, false])
    for (const customer of [first, neighbour]) expect(await isIn(customer)).toBe(true)

    await server.core.stop()
    await server.core.start()
    await until(
      async () => isIn(await customerOf(other, extra)),
      'the neighbour after a restart of the core',
      20_000,
    )
    await until(
      async () => !(await isIn(await customerOf(account, extra))),
      'the refusal after a restart',
      20_000,
    )

    await refuse(6)
    await until(
      async () => (await product.sql('SELECT FROM devices WHERE refused_until > now()')).length === 0,
      'the end',
      10_000,
    )
    server.agent.line.cut()
    await until(async () => isIn(await customerOf(account, extra)), 'the device after its refusal', 20_000)
    for (const stream of [kept, cut, beside]) stream?.end()
  })
})
