import { describe, expect, test } from 'vitest'
import { clientLabels, clientMessages, type RefusalType, refusals, refusalText } from './errors.ts'

test('the client messages of spec.md section 8, to the letter', () => {
  expect(Object.values(clientMessages)).toEqual([
    'Client: Incomplete information',
    'Please provide a valid IPv4 address',
    'Client: Error fetching servers',
    'Client: Error fetching accounts',
    'Client: Error fetching account information',
    'Error fetching countries',
    'Failed to fetch countries',
    'Access denied. Admin privileges required.',
    'Access Denied - Admin privileges required',
    'Failed to verify admin privileges',
    'Error verifying admin privileges',
    'Network error occurred while creating account',
    'Server error occurred while creating account',
    'Client: Bad request',
    'Error when fetching user credit',
    'Error when fetching user debt',
    'Error when fetching user',
    'Please login to access management',
    'Loading chunk failed',
  ])
})

test('the labels of spec.md section 8, and the screen of section 2, to the letter', () => {
  expect(Object.values(clientLabels)).toEqual([
    'INVALID ACCOUNT',
    'ABUSE!!',
    'No users found matching your search',
    'No users available',
    'YOU DONT HAVE ANY ACCOUNTS',
    'YOU DONT HAVE ANY SERVERS',
    'YOU DONT HAVE ANY TUNNELS',
    'ADMIN ACCESS DENIED',
  ])
})

describe('refusals', () => {
  const all = Object.entries(refusals) as [RefusalType, { httpCode: number; text: string }][]

  test.each([
    ['BAD_REQUEST', clientMessages.badRequest],
    ['INCOMPLETE_INFORMATION', clientMessages.incompleteInformation],
    ['INVALID_IPV4', clientMessages.invalidIPv4],
    ['ACCESS_DENIED', clientMessages.accessDenied],
  ] as const)('%s says what the client says', (type, text) => {
    expect(refusals[type].text).toBe(text)
  })

  test.each(all)('%s has a name, a failing HTTP code and a sentence', (type, { httpCode, text }) => {
    expect(type).toMatch(/^[A-Z][A-Z0-9_]+$/)
    expect(httpCode).toBeGreaterThanOrEqual(400)
    expect(httpCode).toBeLessThan(600)
    expect(text.trim()).toBe(text)
    expect(text.length).toBeGreaterThan(10)
  })

  test.each(all.filter(([, { text }]) => text.includes('{')))('%s interpolates', (type, { text }) => {
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
    const said = refusalText(type, Object.fromEntries(names.map((name, index) => [name, index])))
    expect(said).not.toMatch(/[{}]/)
    for (const index of names.keys()) expect(said).toContain(String(index))
  })

  test.each([
    ['INSUFFICIENT_CREDIT', { missing: 120 }, 'Not enough credit: 120 points are missing'],
    ['INSUFFICIENT_CREDIT', { missing: 0 }, 'Not enough credit: 0 points are missing'],
    ['UNKNOWN_FIELD', { field: '$&{x}' }, 'Unknown field: $&{x}'],
    ['TOO_MANY_ATTEMPTS', {}, 'Too many attempts; try again in {seconds} seconds'],
    ['NO_CAPACITY', { other: 1 }, 'No server has room for this account right now'],
  ] as const)('%s with %o', (type, parameters, text) => {
    expect(refusalText(type, parameters)).toBe(text)
  })
})
