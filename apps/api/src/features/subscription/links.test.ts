import { limits, vpnTypes } from '@kelid/contract'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { linkOf } from './links.ts'
import { ofEveryType, trojan } from './subscription.fixture.ts'

test('the longest link fits a code of the largest version, and one that a phone still reads', () => {
  const longest = {
    ...trojan,
    accountName: 'x'.repeat(limits.textMax),
    address: '203.0.113.224',
    port: limits.portMax,
    serverName: `${'long-label.'.repeat(22)}example.com`,
    authorityFingerprint: 'ab'.repeat(32),
  }
  for (const accountVPNType of vpnTypes)
    expect(encode(linkOf({ ...longest, accountVPNType }), { ecc: 'L' }).version).toBeLessThanOrEqual(40)
  const usual = { ...trojan, authorityFingerprint: 'ab'.repeat(32) }
  expect(encode(linkOf(usual), { ecc: 'L' }).version).toBeLessThanOrEqual(12)
})

test.each([
  ['گوشی علی', '%DA%AF%D9%88%D8%B4%DB%8C%20%D8%B9%D9%84%DB%8C'],
  ['می\u200cروم', '%D9%85%DB%8C%E2%80%8C%D8%B1%D9%88%D9%85'],
  ["a#b?c&d=e/f'(g)!*", 'a%23b%3Fc%26d%3De%2Ff%27%28g%29%21%2A'],
  ['one\r\ntrojan://two', 'one%20trojan%3A%2F%2Ftwo'],
  ['\u202eevil\u2066\u200f', 'evil'],
  ['half \ud83d emoji', 'half%20emoji'],
  [' \u200e ', 'VPN'],
])('the name %j is the label %s', (accountName, label) => {
  expect(linkOf({ ...trojan, accountName }).split('#')).toEqual([linkOf(trojan).split('#')[0], label])
})

test('every part of a link has a value, so that no client trips over a query item without one', () => {
  for (const account of ofEveryType) {
    const url = new URL(linkOf(account))
    expect([...url.searchParams.values()].every((value) => value !== '')).toBe(true)
    expect(url.username).toMatch(/^[0-9a-f-]{36}$/)
    expect(url.password).toBe('')
  }
})
