import { getSettings, newAccount, setSettings } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { directAccount, openProduct, type Product } from '../../../test/product.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
  await product.server()
})
afterAll(() => product.close())

test('settings change one by one, are checked, and price what comes after', async () => {
  expect((await product.admin.call(getSettings, {})).answer()).toEqual({
    defaultCreditRate: 100,
    pointsPerDay: { trojan: 10, 'hysteria2-direct': 10 },
    tunnelCreditPerDay: 1,
    renewal: 'extend',
    maxDevices: 2,
  })
  const changed = (await product.admin.call(setSettings, { maxDevices: 3 })).answer()
  expect(changed).toMatchObject({ maxDevices: 3, renewal: 'extend' })
  await product.admin.call(setSettings, { pointsPerDay: { trojan: 10, 'hysteria2-direct': 0 } })
  const user = await product.person()
  expect((await user.call(newAccount, directAccount)).status).toBe(200)
  const bad = await product.admin.call(setSettings, { defaultCreditRate: 0 })
  expect(bad.errorType).toBe('INCOMPLETE_INFORMATION')
  await product.admin.call(setSettings, { pointsPerDay: { trojan: 10, 'hysteria2-direct': 10 } })
})
