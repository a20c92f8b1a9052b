import { adminPatterns, limits, patterns } from '@kelid/contract'
import { expect, test } from 'vitest'
import { resellers, shownLogins } from './people.ts'
import { planBusiness } from './plan.ts'
import { randomFrom } from './random.ts'

test('the same seed plans the same business, another seed another', () => {
  expect(planBusiness(randomFrom(1))).toEqual(planBusiness(randomFrom(1)))
  expect(planBusiness(randomFrom(1))).not.toEqual(planBusiness(randomFrom(2)))
})

test('deeds are in order, in the past, after their reseller joined and after the sale they belong to', () => {
  const bought = new Set()
  let before = Number.POSITIVE_INFINITY
  for (const deed of planBusiness(randomFrom(3))) {
    expect(deed.ago).toBeLessThanOrEqual(before)
    expect(deed.ago).toBeGreaterThan(0.05)
    expect(deed.ago).toBeLessThan(deed.sale.reseller.joined)
    if (deed.kind === 'buy') bought.add(deed.sale)
    expect(bought.has(deed.sale)).toBe(true)
    expect(deed.sale.name).toMatch(patterns.accountName)
    before = deed.ago
  }
})

test('people have e-mails nobody could get mail at, and those who are shown exist', () => {
  for (const { email } of resellers) {
    expect(email).toMatch(/@example\.(com|net|org)$/)
    expect(email.length).toBeLessThanOrEqual(limits.textMax)
  }
  expect(shownLogins.slice(1).every(({ email }) => resellers.some((one) => one.email === email))).toBe(true)
})

test('UUIDs from the seed are of version 4', () => {
  const random = randomFrom(4)
  for (let round = 0; round < 100; round++) expect(random.uuid()).toMatch(adminPatterns.uuidV4)
})
