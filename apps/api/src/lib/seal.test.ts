import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const seal = createSeal(randomBytes(32))
const location = 'accounts.secrets.one'

test('what is opened is what was closed, and only at its location and whole', () => {
  const sealed = seal.close(location, 'the key')
  const forged = Buffer.from(sealed)
  forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1
  expect(seal.open(location, sealed)).toBe('the key')
  expect(() => seal.open('accounts.secrets.two', sealed)).toThrow()
  expect(() => seal.open(location, forged)).toThrow()
})
