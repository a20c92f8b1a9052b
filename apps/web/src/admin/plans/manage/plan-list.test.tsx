import {
  addPlan,
  changePlan,
  getAllPlans,
  getCountries,
  limits,
  orderPlans,
  type Plan,
  setPlanActive,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import {
  confirm,
  dialogCloses,
  fieldValue,
  isDisabled,
  lastBodyTo,
  press,
  retype,
  user,
} from '../../../../test/actions.ts'
import { answer, refuse } from '../../../../test/answers.ts'
import { netherlands } from '../../../../test/hosts.ts'
import { aPlan } from '../../../../test/plans.ts'
import { show } from '../../../../test/show.tsx'
import { answerUsers, aUser } from '../../../../test/users.ts'
import { PlanList } from './plan-list.tsx'

const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`
const named = (digit: number, name: string, change: Partial<Plan> = {}) =>
  aPlan({ planUUID: uuid(digit), planNames: { en: name, fa: name }, ...change })

let plans: Plan[] = []
beforeEach(() => {
  plans = [named(1, 'First'), named(2, 'Second')]
  answer(getAllPlans, () => ({ items: plans }))
  answer(getCountries, () => ({ items: [netherlands] }))
  answerUsers([aUser()])
})

test('plans are ordered by buttons, and the first cannot go up', async () => {
  answer(orderPlans, ({ planUUIDs }) => {
    plans = planUUIDs.flatMap((one) => plans.filter(({ planUUID }) => planUUID === one))
    return { items: plans }
  })
  show(<PlanList />)
  await press('Move Second up')
  await waitFor(() => expect(isDisabled('Move Second up')).toBe(true))
  expect(lastBodyTo(orderPlans)).toEqual({ planUUIDs: [uuid(2), uuid(1)] })
})

test('a plan is taken off sale by its switch', async () => {
  answer(setPlanActive, ({ planActive }) => {
    plans = [named(1, 'First', { planActive }), named(2, 'Second')]
    return plans[0] as Plan
  })
  show(<PlanList />)
  await user.click(await screen.findByRole('switch', { name: 'Sell First' }))
  expect(await screen.findByText('First is not sold any more. Its accounts stay.')).toBeTruthy()
  expect(lastBodyTo(setPlanActive)).toEqual({ planUUID: uuid(1), planActive: false })
})

test('a plan with two ways, for chosen resellers, is sent as it was entered', async () => {
  answer(addPlan, () => plans[0] as Plan)
  show(<PlanList />)
  await press('Add plan')
  await retype('Name in English', ' Long ')
  await retype('Name in فارسی', 'بلند')
  await press('Add another way')
  const [, type] = screen.getAllByLabelText('VPN type')
  await user.selectOptions(type as HTMLElement, 'trojan')
  await retype('Days', '90')
  await retype('Data limit in GB', '۱۰۰')
  await user.selectOptions(screen.getByLabelText('The data is for'), 'monthly')
  await retype('Price in points', '700')
  await user.selectOptions(screen.getByLabelText('Offered to'), 'chosen')
  await user.click(await screen.findByLabelText('sara@kelid.test'))
  await confirm('Save plan')
  await dialogCloses()
  expect(lastBodyTo(addPlan)).toMatchObject({
    planNames: { en: 'Long', fa: 'بلند' },
    planWays: [
      { accountVPNType: 'hysteria2-direct', accountTunnelType: '', countryId: 0 },
      { accountVPNType: 'trojan', accountTunnelType: 'wstunnel', countryId: 0 },
    ],
    ...{ accountDuration: 90, accountDataLimit: 100, accountDataReset: 'monthly', planPoints: 700 },
    ...{ planForAll: false, planResellers: ['sara@kelid.test'], planActive: true },
  })
})

test('a concurrent change is shown and not overwritten', async () => {
  answer(changePlan, ({ basedOn }) => {
    if (basedOn === 2) return plans[0] as Plan
    plans = [named(1, 'First', { planRevision: 2, planPoints: 333 }), named(2, 'Second')]
    return refuse('CHANGED_MEANWHILE')
  })
  show(<PlanList />)
  await press('Change First')
  await retype('Price in points', '99')
  await confirm('Save plan')
  await waitFor(() => expect(fieldValue('Price in points')).toBe('333'))
  expect(screen.getAllByText(/Somebody else has changed this/).length).toBeGreaterThan(0)
  await confirm('Save plan')
  await dialogCloses()
  expect(lastBodyTo(changePlan)).toMatchObject({ planPoints: 333, basedOn: 2 })
})

test('an empty list and a full one say so', async () => {
  plans = []
  const { unmount } = show(<PlanList />)
  expect(await screen.findByText(/There are no plans yet/)).toBeTruthy()
  unmount()
  plans = Array.from({ length: limits.plansMax }, (_, at) =>
    named(0, `Plan ${at}`, { planUUID: `00000000-0000-4000-8000-${100_000_000_000 + at}` }),
  )
  show(<PlanList />)
  expect(await screen.findByText(/There are 100 plans/)).toBeTruthy()
  expect(isDisabled('Add plan')).toBe(true)
})
