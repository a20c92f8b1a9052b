import { getUser } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../product.ts'

const hour = 3_600_000

const product = productForAllTests()

test.each([
  ['a user', 1, 24 * hour],
  ['an administrator', 10, hour / 2],
])(
  'a session of %s that was seen to have ended stays ended when the clock is set back',
  async (_, level, idle) => {
    const person = await product.person({ level })
    product.clock.advance(idle - 1)
    expect((await person.call(getUser, {})).status).toBe(200)
    product.clock.advance(idle)
    expect((await person.call(getUser, {})).errorType).toBe('UNAUTHENTICATED')
    product.clock.advance(-idle)
    expect((await person.call(getUser, {})).errorType).toBe('UNAUTHENTICATED')
  },
)

test('a clock that was set back does not end sessions, nor lengthen their lives', async () => {
  const person = await product.person()
  product.clock.advance(-48 * hour)
  expect((await person.call(getUser, {})).status).toBe(200)
  product.clock.advance(48 * hour + 24 * hour)
  expect((await person.call(getUser, {})).errorType).toBe('UNAUTHENTICATED')
})
