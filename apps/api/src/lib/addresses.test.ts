import { expect, test } from 'vitest'
import { networkOf, readAddress } from './addresses.ts'

test.each([
  ['203.0.113.20', '203.0.113.20'],
  ['::ffff:203.0.113.20', '203.0.113.20'],
  ['::FFFF:cb00:7114', '203.0.113.20'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
])('%s is kept as %s', (text, kept) => {
  expect(readAddress(text)).toBe(kept)
})

test.each([
  undefined,
  '',
  'unknown',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.20:443',
  '[2001:db8::1]',
  '2001:db8::1::2',
  '203.0.113.20 ',
  "'; DROP TABLE users; --",
  'x'.repeat(80),
])('%j is no address', (text) => {
  expect(readAddress(text)).toBeNull()
})

test.each([
  ['203.0.113.20', '203.0.113.20'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::1:0:0:0:1', '2001:db8:0:1::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
])('%s belongs to %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
