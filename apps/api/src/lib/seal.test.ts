import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const seal = createSeal(randomBytes(32))
const place = 'accounts.secrets.one'

test('what is opened often is what was closed, and only in its place and whole', () => {
  const sealed = seal.close(place, 'the key')
  const forged = Buffer.from(sealed)
  forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1
  for (let time = 0; time < 2; time++) {
    expect(seal.open(place, sealed)).toBe('the key')
    expect(seal.openOften(place, sealed)).toBe('the key')
    expect(() => seal.openOften('accounts.secrets.two', sealed)).toThrow()
    expect(() => seal.openOften(place, forged)).toThrow()
  }
})
