import { RefusedByServer } from '@kelid/contract'
import { expect, test } from 'vitest'
import { pauseAfter, pausesFor } from './retry.ts'

const refused = (type: 'UNAUTHENTICATED' | 'INTERNAL') => new RefusedByServer(type, 400, '', true, {}, {})
const longest = (error: unknown) => pauseAfter(20, pausesFor(error), 1)

test('retries soon after a network failure, and rarely after a refusal of its identity', () => {
  expect(longest(new Error('no answer in time'))).toBe(2_000)
  expect(longest(refused('INTERNAL'))).toBe(2_000)
  expect(longest(refused('UNAUTHENTICATED'))).toBe(30_000)
  // The other certificate, if there is one, is tried at once.
  expect(pauseAfter(1, pausesFor(refused('UNAUTHENTICATED')), 1)).toBe(500)
})
