import { expect, test } from 'vitest'
import { canonicalPath } from './canonical-path.ts'

test('both forms of an address match, and the one with the slash is shown', () => {
  expect(canonicalPath('/settings')).toBe('/settings/')
  expect(canonicalPath('/settings/login')).toBe('/settings/login/')
  expect(canonicalPath('/dashboard/vpn/accounts/add')).toBe('/dashboard/vpn/accounts/add/')
  for (const same of ['/', '/settings/', '/nowhere', '/settings/login/check/09121234567'])
    expect(canonicalPath(same)).toBe(same)
})
