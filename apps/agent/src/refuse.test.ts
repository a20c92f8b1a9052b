import { expect, test } from 'vitest'
import { account } from './agent.fixture.ts'
import type { RefusedDevice } from './core-rules.ts'
import { createRefuser, isWithin, refusedOf } from './refuse.ts'

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

test('a refusal ends on time by itself, and the core gets its rules again after it restarted', async () => {
  const now = Date.parse('2026-11-18T12:00:00.000Z')
  const refused = [{ network: '203.0.113.3', untilDate: new Date(now + 1_000).toISOString() }]
  const accounts = [{ ...account('a'), refused }, account('b')]
  let rules: readonly RefusedDevice[] = []
  let digest = ''
  let changes = 0
  const core = {
    refusedDigest: async () => digest,
    setRefused: async (next: string, devices: readonly RefusedDevice[]) => {
      ;[digest, rules] = [next, devices]
      changes += 1
    },
  }
  const refuse = createRefuser(core)
  await refuse(refusedOf(accounts, now))
  expect(rules).toEqual([{ id: 'a', network: '203.0.113.3' }])
  digest = ''
  for (let pass = 0; pass < 10; pass += 1) await refuse(refusedOf(accounts, now))
  expect(changes).toBe(2)
  await refuse(refusedOf(accounts, now + 1_000))
  expect([rules, digest]).toEqual([[], ''])
})
