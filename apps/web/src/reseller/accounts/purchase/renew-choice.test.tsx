import { getPlans, quoteAccount, quoteByPlan, renewByPlan } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { anAccount, answerBalances, aQuote } from '../../../../test/accounts.ts'
import { bodiesTo, isDisabled, press, user } from '../../../../test/actions.ts'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { anOffer, answerPlans } from '../../../../test/plans.ts'
import { show } from '../../../../test/show.tsx'
import { RenewChoice } from './renew-choice.tsx'

const plan = anOffer()
const { planUUID } = plan
const account = anAccount({ accountPlan: { planUUID, planName: 'One month' } })
beforeEach(() => {
  answerBalances()
  answer(quoteAccount, () => aQuote({ quoteRenewal: 'extend' }))
  answer(quoteByPlan, () => ({ ...aQuote({ quotePoints: 250 }), planRevision: 3 }))
})

const open = (one = account, onClose = () => {}) => show(<RenewChoice account={one} onClose={onClose} />)
const isChosen = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name }).checked

test('the plan that sold the account is chosen, and the renewal names its revision', async () => {
  answerPlans([
    anOffer({ planUUID: '88888888-8888-4888-8888-888888888888', planName: 'Other', accountDuration: 60 }),
    plan,
  ])
  answer(renewByPlan, () => account)
  const onClose = vi.fn()
  open(account, onClose)
  await screen.findByRole('radio', { name: /One month/ })
  expect(isChosen(/One month/)).toBe(true)
  expect(screen.getByText('30 days · 50 GB · 2 devices')).toBeTruthy()
  await waitFor(() => expect(isDisabled('Renew')).toBe(false))
  await user.dblClick(screen.getByRole('button', { name: 'Renew' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(bodiesTo(renewByPlan)).toEqual([
    {
      ...{ accountUUID: account.accountUUID, planUUID },
      ...{ quotedPoints: 250, quotedTunnelCredit: 30, quotedDebt: 0, quotedPlanRevision: 3 },
    },
  ])
})

test('an account of no plan begins with custom, if that is allowed', async () => {
  answerPlans([plan])
  const { unmount } = open(anAccount())
  expect(await screen.findByLabelText('Days')).toBeTruthy()
  expect(isChosen(/Custom/)).toBe(true)
  unmount()
  answerPlans([plan], false)
  open(anAccount())
  await screen.findByRole('radio', { name: /One month/ })
  expect(screen.queryByRole('radio', { name: /Custom/ })).toBeNull()
  expect(screen.queryByLabelText('Days')).toBeNull()
})

test('without a plan that fits, and with a server that knows none, there is no choice', async () => {
  answerPlans([])
  const { unmount } = open()
  expect(await screen.findByLabelText('Days')).toBeTruthy()
  expect(screen.queryByRole('radio')).toBeNull()
  unmount()
  answer(getPlans, () => refuse('RESOURCE_NOT_FOUND'))
  open()
  expect(await screen.findByLabelText('Days')).toBeTruthy()
  expect(screen.queryByRole('alert', { name: /./ })).toBeNull()
})

test('a plan that ended meanwhile is explained, and the plans are read again', async () => {
  answerPlans([plan])
  answer(renewByPlan, () => {
    answerPlans([])
    return refuse('PLAN_NOT_SOLD')
  })
  open()
  await screen.findByRole('radio', { name: /One month/ })
  await waitFor(() => expect(isDisabled('Renew')).toBe(false))
  await press('Renew')
  expect((await screen.findAllByText(/not on offer any more/)).length).toBeGreaterThan(0)
  await waitFor(() => expect(screen.queryByRole('radio')).toBeNull())
  expect(callsTo(getPlans).length).toBeGreaterThan(1)
})
