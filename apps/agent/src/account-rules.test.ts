import { expect, test } from 'vitest'
import { accountRulesOf, createRuler } from './account-rules.ts'
import { account } from './agent.fixture.ts'
import { type Ask, addRule, type Rule, removeRule, routerConfig, rulesResponse } from './core-messages.ts'
import { openRules } from './core-rules.ts'
import { refusedOf } from './refuse.ts'

/** A core with the rules of the playbook, which adds at the end and removes by tag. */
function routing() {
  const initial = (): Rule[] => [
    { rule_tag: 'private', tag: 'block', inbound_tag: [] },
    { rule_tag: 'customers', tag: 'direct', inbound_tag: ['vpn'] },
  ]
  const state = { rules: initial(), adds: 0 }
  const ask: Ask = async (path, body, read) => {
    if (path.endsWith('/AddRule')) {
      const { config, shouldAppend } = addRule.decode(body)
      const { rule } = routerConfig.decode(config.value)
      for (const { rule_tag } of rule)
        if (state.rules.some((one) => one.rule_tag === rule_tag)) throw new Error('duplicate ruleTag')
      state.rules = [...(shouldAppend ? state.rules : []), ...rule]
      state.adds += 1
    }
    if (path.endsWith('/RemoveRule')) {
      const { ruleTag } = removeRule.decode(body)
      state.rules = state.rules.filter(({ rule_tag }) => rule_tag !== ruleTag)
    }
    const rules = state.rules.map(({ rule_tag: ruleTag }) => ({ ruleTag }))
    return read(path.endsWith('/ListRule') ? rulesResponse.encode({ rules }) : Buffer.alloc(0))
  }
  return {
    rules: openRules(ask),
    adds: () => state.adds,
    restart: () => {
      state.rules = initial()
    },
    loseRule: (index: number) => state.rules.splice(index, 1),
    shown: () =>
      state.rules.map(({ rule_tag, tag, user_email: [id] = [], source_geoip = [] }) =>
        [rule_tag.replace(/-.*/, ''), id, source_geoip.length > 0 ? 'there' : '', tag]
          .filter(Boolean)
          .join(' '),
      ),
  }
}

const [private_, customers] = ['private block', 'customers direct']
const refused = [{ id: 'a', network: '203.0.113.3' }]
const limited = (...ids: string[]) => new Map(ids.map((id) => [id, `speed-1-${id}`]))

test('a refused device is refused before the account goes its own way, and everybody else after it', async () => {
  const core = routing()
  await core.rules.setAccountRules(accountRulesOf([], limited('a', 'b')))
  const own = (id: string) => `own ${id} speed-1-${id}`
  expect(core.shown()).toEqual([private_, own('a'), own('b'), customers])
  await core.rules.setAccountRules(accountRulesOf(refused, limited('a', 'b')))
  expect(core.shown()).toEqual([private_, own('b'), 'own a there block', own('a'), customers])
  await core.rules.setAccountRules(accountRulesOf(refused, limited('b')))
  expect(core.shown()).toEqual([private_, own('b'), 'own a there block', customers])
  await core.rules.setAccountRules([])
  expect(core.shown()).toEqual([private_, customers])
})

test('what is in place is not added again, and a part of it is replaced', async () => {
  const core = routing()
  const wanted = accountRulesOf(refused, limited('a'))
  await core.rules.setAccountRules(wanted)
  await core.rules.setAccountRules(wanted)
  expect(core.adds()).toBe(1)
  core.loseRule(1)
  await core.rules.setAccountRules(wanted)
  expect(core.shown()).toEqual([private_, 'own a there block', 'own a speed-1-a', customers])
})

test('a refusal ends on time by itself, and the core gets its rules again after it restarted', async () => {
  const now = Date.parse('2026-11-18T12:00:00.000Z')
  const networks = [{ network: '203.0.113.3', untilDate: new Date(now + 1_000).toISOString() }]
  const accounts = [account('a', { refused: networks }), account('b')]
  const core = routing()
  const ruler = createRuler(core.rules)
  const apply = (at: number) => ruler.apply(accountRulesOf(refusedOf(accounts, at), new Map()))
  await apply(now)
  expect(core.shown()).toEqual([private_, 'own a there block', customers])
  core.restart()
  for (let pass = 0; pass < 10; pass += 1) await apply(now)
  expect([core.adds(), core.shown()[1]]).toEqual([2, 'own a there block'])
  core.restart()
  ruler.forget()
  await apply(now)
  expect(core.shown()[1]).toBe('own a there block')
  await apply(now + 1_000)
  expect(core.shown()).toEqual([private_, customers])
})
