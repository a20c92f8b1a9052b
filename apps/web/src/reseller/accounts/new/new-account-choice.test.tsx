import { getCountries, getPlans, getTargets, newByPlan, quoteByPlan } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { anAccount, aQuote } from '../../../../test/accounts.ts'
import { bodiesTo, fieldValue, isDisabled, press, retype, user } from '../../../../test/actions.ts'
import { answer, noAnswer } from '../../../../test/answers.ts'
import { netherlands } from '../../../../test/hosts.ts'
import { anOffer, answerPlans } from '../../../../test/plans.ts'
import { show } from '../../../../test/show.tsx'
import { NewAccountChoice } from './new-account-choice.tsx'

beforeEach(() => {
  answer(getCountries, () => ({ items: [netherlands] }))
  answer(getTargets, () => ({ items: [] }))
  answer(quoteByPlan, () => ({ ...aQuote({ quotePoints: 250, quoteTunnelCredit: 0 }), planRevision: 1 }))
})
const open = (onCreated: (name: string) => void = () => {}) =>
  show(<NewAccountChoice onCreated={onCreated} />)

test('the first plan is chosen, and only its name and location are asked', async () => {
  answerPlans([anOffer()])
  answer(newByPlan, () => anAccount())
  const onCreated = vi.fn()
  open(onCreated)
  await retype('Name', 'ali')
  expect(screen.queryByLabelText('VPN type')).toBeNull()
  await user.selectOptions(screen.getByLabelText('Location'), 'Netherlands')
  await waitFor(() => expect(isDisabled('Create account')).toBe(false))
  await press('Create account')
  await waitFor(() => expect(onCreated).toHaveBeenCalledWith('ali'))
  expect(bodiesTo(newByPlan)).toMatchObject([
    { accountName: 'ali', countryId: 528, quotedPoints: 250, quotedPlanRevision: 1 },
  ])
})

test('custom has the fields of an account without a plan, and keeps the name', async () => {
  answerPlans([
    anOffer({ planWays: [{ ...anOffer().planWays[0], countryId: 276, countryName: 'Germany' } as never] }),
  ])
  open()
  await retype('Name', 'ali')
  expect(screen.queryByLabelText('Location')).toBeNull()
  await user.click(screen.getByRole('radio', { name: /Custom/ }))
  expect(await screen.findByLabelText('VPN type')).toBeTruthy()
  expect(fieldValue('Name')).toBe('ali')
})

test('without plans there is the form alone; where custom is switched off, a sentence', async () => {
  answerPlans([])
  const { unmount } = open()
  expect(await screen.findByLabelText('VPN type')).toBeTruthy()
  expect(screen.queryByRole('radio')).toBeNull()
  unmount()
  answerPlans([], false)
  open()
  expect(await screen.findByText(/No plan is on offer/)).toBeTruthy()
  expect(screen.queryByLabelText('VPN type')).toBeNull()
})

test('plans that cannot be read leave the form without them, and a retry', async () => {
  answer(getPlans, () => noAnswer())
  open()
  expect((await screen.findAllByText('The plans could not be read.')).length).toBeGreaterThan(0)
  expect(screen.getByLabelText('VPN type')).toBeTruthy()
  answerPlans([anOffer()])
  await press('Try again')
  expect(await screen.findByRole('radio', { name: /One month/ })).toBeTruthy()
})
