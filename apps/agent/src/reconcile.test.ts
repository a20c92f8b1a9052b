import fc from 'fast-check'
import { expect, test } from 'vitest'
import { account } from './agent.fixture.ts'
import { activeOf, changesBetween } from './reconcile.ts'

const noon = Date.parse('2026-11-17T12:00:00Z')
test('an account is active while it is enabled and has not expired, to the millisecond', () => {
  const accounts = [
    account('in'),
    account('disabled', { enabled: false }),
    account('ends now', { expiresAt: new Date(noon).toISOString() }),
    account('ends soon', { expiresAt: new Date(noon + 1).toISOString() }),
    account('date unreadable', { expiresAt: 'soon' }),
  ]
  expect([...activeOf(accounts, noon).keys()]).toEqual(['in', 'ends soon'])
})

test('changes turn any set of users into the wanted one, and leave correct users alone', () => {
  const users = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'))
  fc.assert(
    fc.property(users, users, (has, wanted) => {
      const { remove, add } = changesBetween(new Map(Object.entries(has)), new Map(Object.entries(wanted)))
      const core = new Map<string, string>(Object.entries(has))
      for (const id of remove) expect(core.delete(id)).toBe(true)
      for (const [id, secret] of add) {
        expect(core.has(id)).toBe(false)
        core.set(id, secret)
      }
      expect(Object.fromEntries(core)).toEqual({ ...wanted })
      for (const id of Object.keys(has)) if (has[id] === wanted[id]) expect(remove.includes(id)).toBe(false)
    }),
  )
})
