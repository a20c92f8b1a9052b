import { randomUUID } from 'node:crypto'
import {
  addPlan,
  changePlan,
  defaultSettings,
  deletePlan,
  getAllPlans,
  getAudit,
  getPlans,
  limits,
  orderPlans,
  setPlanActive,
} from '@kelid/contract'
import { beforeEach, expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { samplePlan } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
let [reseller, other]: (Person | undefined)[] = []
beforeEach(async () => {
  await product.settings(defaultSettings)
  await product.sql('DELETE FROM plans')
  reseller = await product.person()
  other = await product.person()
})

type Change = Partial<Body<typeof addPlan>>
const add = (change: Change = {}) =>
  product.admin.ask(addPlan, { ...samplePlan, planUUID: randomUUID(), planActive: true, ...change })
const named = (en: string, change: Change = {}) => add({ planNames: { en, fa: `${en} فا` }, ...change })
const offered = async (person = reseller) =>
  ((await person?.ask(getPlans, {}))?.plans ?? []).map(({ planName }) => planName)
const all = async () => (await product.admin.ask(getAllPlans, {})).items

test('a plan is what was entered, in every language, and resellers see it in theirs', async () => {
  const ways = [
    { accountVPNType: 'trojan', accountTunnelType: 'ssh', countryId: 276 },
    { accountVPNType: 'hysteria2-direct', accountTunnelType: '', countryId: 0 },
  ] as const
  const body = {
    ...samplePlan,
    ...{ planUUID: randomUUID(), planWays: [...ways], accountDuration: 90, accountDataLimit: 100 },
    accountDataReset: 'monthly',
    accountStart: 'firstUse',
    accountMaxDevices: 3,
    ...{ planPoints: 700, planTunnelCredit: 90, planActive: true },
  } as const
  const plan = await product.admin.ask(addPlan, body)
  expect(plan).toEqual({ ...body, planRevision: 1 })
  expect(await all()).toEqual([plan])
  const { planNames, planActive: _, planForAll: __, planResellers: ___, ...content } = plan
  for (const lng of ['en', 'fa'] as const)
    expect(await reseller?.ask(getPlans, { lng })).toEqual({
      customAllowed: true,
      plans: [
        {
          ...content,
          planName: planNames[lng],
          planDevices: 3,
          planWays: [
            { ...ways[0], countryName: lng === 'en' ? 'Germany' : 'آلمان' },
            { ...ways[1], countryName: '' },
          ],
        },
      ],
    })
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'addplan',
    auditSubject: body.planUUID,
    auditDetail: { 'name.en': 'One month', ways: 'trojan ssh 276, hysteria2-direct', planPoints: 700 },
  })
})

test('only the chosen resellers see a plan that is not for all; administrators see it too', async () => {
  await named('for all')
  await named('chosen', { planForAll: false, planResellers: [reseller?.email ?? ''] })
  await named('nobody', { planForAll: false })
  expect(await offered()).toEqual(['for all', 'chosen'])
  expect(await offered(other)).toEqual(['for all'])
  expect(await offered(product.admin)).toEqual(['for all', 'chosen', 'nobody'])
  const unknown = { planForAll: false, planResellers: [reseller?.email ?? '', 'nobody@example.com'] }
  const reply = await product.admin.call(addPlan, {
    ...{ ...samplePlan, planUUID: randomUUID(), planActive: true, ...unknown },
  })
  expect(reply.errorType).toBe('INCOMPLETE_INFORMATION')
  expect(reply.envelope.response.error?.errorFields).toEqual({ planResellers: 'planResellers' })
  expect(await all()).toHaveLength(3)
})

test('a plan that is not active is not offered, and comes back', async () => {
  const { planUUID } = await named('one')
  expect((await product.admin.ask(setPlanActive, { planUUID, planActive: false })).planActive).toBe(false)
  expect(await offered()).toEqual([])
  expect(await offered(product.admin)).toEqual([])
  await product.admin.ask(setPlanActive, { planUUID, planActive: true })
  expect(await offered()).toEqual(['one'])
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'setplanactive',
    auditDetail: { plan: 'one', from: false, to: true },
  })
})

test('plans have the order that administrators give them', async () => {
  const [a, b, c] = [await named('a'), await named('b'), await named('c')]
  const order = [c, a, b].map(({ planUUID }) => planUUID)
  const { items } = await product.admin.ask(orderPlans, { planUUIDs: order })
  expect(items.map(({ planUUID }) => planUUID)).toEqual(order)
  expect(await offered()).toEqual(['c', 'a', 'b'])
  await product.admin.ask(deletePlan, { planUUID: a.planUUID })
  expect(await product.admin.refusal(orderPlans, { planUUIDs: order })).toBe('CHANGED_MEANWHILE')
  await named('d')
  expect(await offered()).toEqual(['c', 'b', 'd'])
})

test('a change counts, is recorded with what it was, and overwrites no other change', async () => {
  const { planUUID, planRevision } = await named('old')
  const body = { ...samplePlan, planUUID, planNames: { en: 'new', fa: 'نو' } }
  const price = { planPoints: 99, basedOn: planRevision }
  const changed = await product.admin.ask(changePlan, { ...body, ...price })
  expect(changed).toMatchObject({ planRevision: 2, planPoints: 99, planNames: body.planNames })
  expect(await product.lastAudit()).toMatchObject({
    auditAction: 'changeplan',
    auditDetail: { plan: 'new', 'from.planPoints': 120, 'to.planPoints': 99, 'from.name.en': 'old' },
  })
  expect(await product.admin.refusal(changePlan, { ...body, ...price })).toBe('CHANGED_MEANWHILE')
  const unlimited = await product.admin.ask(changePlan, { ...body, accountDataLimit: undefined })
  expect(unlimited).toMatchObject({ accountDataLimit: null, planRevision: 3 })
})

test('impossible plans are refused by field', async () => {
  const issuesOf = async (change: object) => {
    const body = { ...samplePlan, planUUID: randomUUID(), planActive: true, ...change }
    return (await product.admin.call(addPlan, body as never)).envelope.response.error?.errorFields
  }
  const way = samplePlan.planWays[0]
  expect(await issuesOf({ planWays: [] })).toEqual({ planWays: 'planWays' })
  expect(await issuesOf({ planWays: Array.from({ length: limits.waysMax + 1 }, () => way) })).toEqual({
    planWays: 'planWays',
  })
  expect(await issuesOf({ planWays: [{ ...way, accountTunnelType: 'ssh' }] })).toEqual({
    'planWays.0': 'tunnelType',
  })
  expect(await issuesOf({ accountDataReset: 'monthly', accountDataLimit: undefined })).toEqual({
    accountDataLimit: 'gigabytes',
  })
  expect(await issuesOf({ planNames: { en: 'a' } })).toEqual({ 'planNames.fa': 'planName' })
  expect(await issuesOf({ planNames: { en: 'a', fa: ' ' } })).toEqual({ 'planNames.fa': 'planName' })
})

test('a UUID is added once, and there are so many plans and no more', async () => {
  const { planUUID } = await add()
  const again = { ...samplePlan, planUUID, planActive: true }
  expect(await product.admin.refusal(addPlan, again)).toBe('UUID_TAKEN')
  await product.sql(
    `INSERT INTO plans SELECT gen_random_uuid(), revision, names, ways, days, gigabytes, data_reset, start, devices,
       points, tunnel_credit, position, active, for_all, created_at FROM plans, generate_series(2, $1)`,
    limits.plansMax,
  )
  const reply = await product.admin.call(addPlan, { ...again, planUUID: randomUUID() })
  expect(reply.envelope.response.error).toMatchObject({
    errorType: 'TOO_MANY_PLANS',
    errorParameters: { plans: limits.plansMax },
  })
})

test('plans are missing once they are deleted', async () => {
  const { planUUID } = await add()
  await product.admin.ask(deletePlan, { planUUID })
  const actions = (await product.admin.ask(getAudit, { limit: 1 })).items.map((line) => line.auditAction)
  expect(actions).toEqual(['deleteplan'])
  expect(await product.admin.refusal(deletePlan, { planUUID })).toBe('RESOURCE_NOT_FOUND')
  expect(await product.admin.refusal(setPlanActive, { planUUID, planActive: true })).toBe(
    'RESOURCE_NOT_FOUND',
  )
  expect(await product.admin.refusal(changePlan, { ...samplePlan, planUUID })).toBe('RESOURCE_NOT_FOUND')
})
