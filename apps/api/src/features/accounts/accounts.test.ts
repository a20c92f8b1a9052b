import { getUserCredit, newAccount } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product, trojanServer, tunnelledAccount } from '../../../test/product.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
  await product.server()
  await product.server(trojanServer)
  await product.tunnel()
})
afterAll(() => product.close())

test('creating charges points for every day, and tunnel credit for a tunnelled one', async () => {
  const user = await product.person({ points: 1_000, tunnelCredit: 50 })
  const account = (await user.call(newAccount, tunnelledAccount)).answer()
  expect(account).toMatchObject({
    accountName: 'sara_home',
    accountDuration: 30,
    accountState: 'active',
    accountTunnelType: 'wstunnel',
  })
  expect(account.server.country).toMatchObject({ countryId: 528, countryName: 'Netherlands' })
  expect((await user.call(getUserCredit, {})).answer()).toMatchObject({
    userCredit: 700,
    userCreditDollars: 7,
    userTunnelCredit: 20,
  })
})
