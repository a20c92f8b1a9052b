import { getTargets, newAccount, quoteAccount, setHostPaused } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForEachTest } from '../../../test/product.ts'
import { directAccount, trojanServer } from '../../../test/sample-hosts.ts'

const product = productForEachTest()

const iran = { serverTargetCountry: 'Iran', serverTargetOperator: '' }
const mci = { ...iran, serverTargetOperator: 'MCI' }

test('an account goes to the least full server for its network, then for its country, then anywhere', async () => {
  const buyer = await product.person({ points: 100_000 })
  const place = async (change: object) => {
    const { accountUUID } = await buyer.ask(newAccount, { ...directAccount, ...change })
    return (await product.row('accounts', accountUUID)).server_uuid
  }
  const anyone = await product.server({ serverMaxAccounts: 1_000 })
  expect(await place({})).toBe(anyone)
  const country = await product.server({ ...iran, serverMaxAccounts: 1 })
  const network = await product.server({ ...mci, serverMaxAccounts: 2 })
  const larger = await product.server({ ...mci, serverMaxAccounts: 5 })
  const places = []
  for (let count = 0; count < 9; count += 1)
    places.push(await place({ accountTargetCountry: 'iran', accountTargetOperator: 'mci' }))
  expect(places.slice(0, 7).sort()).toEqual([network, network, ...Array(5).fill(larger)].sort())
  expect(places.slice(7)).toEqual([country, anyone])
  expect(await place({ accountTargetOperator: 'nobody' })).toBe(anyone)
})

test('without a wish, what servers are meant for changes nothing, and a required country still decides', async () => {
  const buyer = await product.person({ points: 100_000 })
  const far = await product.server({ ...mci, countryId: 40, serverMaxAccounts: 3 })
  const near = await product.server({ countryId: 276, serverMaxAccounts: 100 })
  const servers = async (change: object) => {
    const { accountUUID } = await buyer.ask(newAccount, { ...directAccount, ...change })
    return (await product.row('accounts', accountUUID)).server_uuid
  }
  const plain = [await servers({}), await servers({}), await servers({})]
  expect(plain.filter((uuid) => uuid === near).length).toBeGreaterThanOrEqual(2)
  expect(await servers({ accountTargetOperator: 'MCI', countryId: 276 })).toBe(near)
  expect(await servers({ accountTargetOperator: 'MCI' })).toBe(far)
})

test('countries and operators of servers with room are on offer, once each', async () => {
  const buyer = await product.person()
  await product.server()
  await product.server(mci)
  const other = await product.server(mci)
  const trojan = await product.server({ ...trojanServer(), ...iran })
  await product.tunnel()
  await product.server({ ...mci, serverTargetOperator: 'full', serverMaxAccounts: 0 })
  const direct = { accountVPNType: 'hysteria2-direct', accountTunnelType: '', countryId: 276 }
  const offers = [
    { ...direct, accountTargetCountry: 'Iran', accountTargetOperator: 'MCI' },
    {
      ...{ accountVPNType: 'trojan', accountTunnelType: 'wstunnel', countryId: 528 },
      ...{ accountTargetCountry: 'Iran', accountTargetOperator: '' },
    },
  ]
  const listed = async () => (await buyer.ask(getTargets, {})).items
  expect(await listed()).toEqual(expect.arrayContaining(offers))
  expect(await listed()).toHaveLength(2)
  for (const hostUUID of [other, trojan])
    await product.admin.ask(setHostPaused, { hostUUID, hostPaused: true })
  expect(await listed()).toEqual(offers.slice(0, 1))
  const { accountVPNType, accountTunnelType, accountDuration } = directAccount
  const question = { accountVPNType, accountTunnelType, accountDuration, accountTargetOperator: 'MCI' }
  expect((await buyer.ask(quoteAccount, question)).quotePoints).toBe(300)
})
