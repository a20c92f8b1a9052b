import { deleteAccount, getUsage } from '@kelid/contract'
import { expect, test } from 'vitest'
import { type Account, appOf, comesIn, named, sell, url, ways } from './accounts.ts'
import { until } from './commands.ts'
import { added } from './installation.ts'
import { fileBytes } from './pages.ts'
import { call, closeProduct, startProduct } from './product.ts'

const countedOf = async (account: Account) => (await call(getUsage, named(account))).usageTotal.down
/** The core is looked at every other second; what it counted after that is lost when it is restarted. */
const looked = () => new Promise((resolve) => setTimeout(resolve, 3000))

test('usage stays exact over restarts of core, agent and product', async () => {
  const { exits } = await added()
  const customers = await Promise.all(
    ways.map(async (kind) => ({ kind, account: await sell(kind), files: 0 })),
  )
  const fetchAll = (count: number) =>
    Promise.all(
      customers.map(async (customer) => {
        const app = await appOf(customer.account)
        // systemd calls the core started before it listens.
        await until(`${customer.kind}: in`, 20, async () => {
          if (!(await comesIn(app))) throw new Error('it does not come in')
        })
        for (let one = 0; one < count; one += 1) {
          const size = ['--output', '/dev/null', '--write-out', '%{size_download}']
          const { stdout, stderr } = await app.fetch(`${url}file`, ...size)
          expect(stdout, stderr).toBe(String(fileBytes))
          customer.files += 1
        }
        app.close()
      }),
    )
  const everywhere = (command: string) => Promise.all(Object.values(exits).map((host) => host.say(command)))
  await fetchAll(2)
  await looked()
  await everywhere('systemctl restart kelid-core')
  await fetchAll(1)
  await everywhere('systemctl restart kelid-agent')
  await fetchAll(1)
  await closeProduct('SIGKILL')
  await fetchAll(1)
  await looked()
  await everywhere('systemctl restart kelid-core')
  await fetchAll(1)
  await startProduct()
  await fetchAll(1)
  for (const { kind, account, files } of customers) {
    const sent = files * fileBytes
    const counted = await until(`${kind}: all bytes counted`, 40, async () => {
      const bytes = await countedOf(account)
      if (bytes < sent * 0.98) throw new Error(`${bytes} of ${sent}`)
      return bytes
    })
    console.log(`by ${kind}: ${counted} bytes counted of ${sent}, ${((100 * counted) / sent).toFixed(2)}%`)
    expect(counted).toBeLessThan(sent * 1.02)
    await call(deleteAccount, named(account))
  }
})
