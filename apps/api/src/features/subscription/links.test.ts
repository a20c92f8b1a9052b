import { limits, vpnTypes } from '@kelid/contract'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { linkOf, stateAt } from './links.ts'
import { day, hysteria, now, ofEveryType, trojan } from './subscription.fixture.ts'

test('the trojan link, byte for byte', () => {
  expect(linkOf(trojan)).toBe(
    'trojan://4b8f0d1e-6a55-4a0e-9c1b-2f7d3c5e8a90@203.0.113.24:443' +
      '?security=tls&sni=de1.example.com&type=tcp&headerType=none&alpn=http%2F1.1&fp=chrome&allowInsecure=0#ali-phone',
  )
})

test('the hysteria2 link, byte for byte', () => {
  expect(linkOf(hysteria)).toBe(
    'hysteria2://4b8f0d1e-6a55-4a0e-9c1b-2f7d3c5e8a90@203.0.113.24:8443/?sni=de1.example.com&insecure=0#ali-phone',
  )
})

test('where the product’s own authority signs, the link names it and nothing else changes; checking is never off', () => {
  const authorityFingerprint = 'ab'.repeat(32)
  const [path, name] = linkOf(trojan).split('#')
  expect(linkOf({ ...trojan, authorityFingerprint })).toBe(`${path}&pcs=${authorityFingerprint}#${name}`)
  const [direct] = linkOf(hysteria).split('#')
  expect(linkOf({ ...hysteria, authorityFingerprint })).toBe(
    `${direct}&pinSHA256=${authorityFingerprint}#${name}`,
  )
})

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

test('an account past its date is expired even before the job has said so', () => {
  expect(stateAt(trojan, now)).toBe('active')
  expect(stateAt({ ...trojan, accountExpireDate: now }, now)).toBe('expired')
  const late = new Date(now.getTime() - day)
  expect(stateAt({ ...trojan, accountExpireDate: late, accountState: 'abused' }, now)).toBe('abused')
})
