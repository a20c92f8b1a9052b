import { expect, test } from 'vitest'
import { type CookieOptions, cookieText } from './cookie.ts'

test('a cookie contains its options', () => {
  expect(cookieText('kelid.language', 'fa', { path: '/', maxAge: 600, sameSite: 'lax' })).toBe(
    'kelid.language=fa; path=/; max-age=600; sameSite=lax',
  )
  const options = { domain: 'kelid.example', expires: new Date(0), sameSite: 'strict' } as const
  expect(cookieText('a', 'b; c', options)).toBe(
    'a=b%3B%20c; domain=kelid.example; expires=Thu, 01 Jan 1970 00:00:00 GMT; sameSite=strict',
  )
})

test.each([
  ['maxAge', Number.NaN],
  ['maxAge', Number.POSITIVE_INFINITY],
  ['maxAge', '600'],
  ['domain', 'a.example; path=/b'],
  ['domain', ''],
  ['path', '/\r\nset-cookie: a=b'],
  ['path', 7],
  ['expires', '2026-01-01'],
  ['expires', new Date('never')],
  ['sameSite', 'Lax '],
  ['sameSite', true],
  ['httponly', true],
])('%s may not be %s', (option, value) =>
  expect(() => cookieText('a', 'b', { [option]: value } as CookieOptions)).toThrow(
    new TypeError(`The cookie option ${option} is invalid`),
  ),
)
