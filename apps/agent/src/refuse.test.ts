import { expect, test } from 'vitest'
import { account } from './agent.fixture.ts'
import { isWithin, refusedOf } from './refuse.ts'

test.each([
  ['203.0.113.1', '203.0.113.1', true],
  ['203.0.113.1', '203.0.113.11', false],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64', true],
  ['2001:db8::9', '2001:db8:0:0::/64', true],
  ['2001:db8:1:3::9', '2001:db8:1:2::/64', false],
  ['203.0.113.1', '2001:db8:1:2::/64', false],
])('%s is part of %s: %s', (address, network, isPart) => {
  expect(isWithin(address, network)).toBe(isPart)
})

test('a device is refused until the moment that the list says', () => {
  const now = Date.parse('2026-11-18T12:00:00.000Z')
  const refused = [{ network: '203.0.113.3', untilDate: new Date(now + 1_000).toISOString() }]
  const accounts = [{ ...account('a'), refused }, account('b')]
  expect(refusedOf(accounts, now + 999)).toEqual([{ id: 'a', network: '203.0.113.3' }])
  expect(refusedOf(accounts, now + 1_000)).toEqual([])
})
