import { getCountries } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../../../test/product.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

test('all countries in both languages, each with a flag that is there', async () => {
  for (const [lng, name] of [
    ['en', 'Iran'],
    ['fa', 'ایران'],
  ] as const) {
    const { items } = (await product.admin.call(getCountries, { lng })).answer()
    expect(items.length).toBeGreaterThan(240)
    expect(items.find((country) => country.countryId === 364)?.countryName).toBe(name)
    const names = items.map((country) => country.countryName)
    expect(names).toEqual([...names].sort(new Intl.Collator(lng).compare))
  }
  const { items } = (await product.admin.call(getCountries, {})).answer()
  const flags = await Promise.all(
    items.map(async ({ countryFlag }) => [countryFlag, (await product.raw(countryFlag)).status]),
  )
  expect(flags.filter(([, status]) => status !== 200)).toEqual([])
})
