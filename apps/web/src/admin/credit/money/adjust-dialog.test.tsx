import {
  adjustUserCredit,
  adjustUserTunnelCredit,
  getUserDetail,
  settleKey,
  type User,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { isDisabled, press, retype, user } from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { aUser, aUserDetail } from '../../../../test/users.ts'
import { AdjustDialog } from './adjust-dialog.tsx'

const close = vi.fn()
const open = (unit: 'points' | 'tunnelCredit' = 'points', owner = aUser()) =>
  show(<AdjustDialog user={owner} unit={unit} onClose={close} />)

const fill = async (amount = '9') => {
  await retype('Points to give', amount)
  await retype('Reason', 'paid in cash')
}
const fillAndGive = async (amount?: string) => {
  await fill(amount)
  await press('Give points')
}

test('an amount above the balance or without a reason is not sent, and a double click sends once', async () => {
  open('tunnelCredit')
  await retype('Tunnel credit to give', '-41')
  await retype('Reason', ' ')
  expect(isDisabled(/Give|Take/)).toBe(true)
  expect(screen.getByText('The user does not have that much tunnel credit.')).toBeTruthy()
  await retype('Reason', 'x')
  expect(isDisabled(/Give|Take/)).toBe(true)
  await retype('Tunnel credit to give', '1.5')
  await user.tab()
  expect(screen.getByText('A whole number of points other than 0, at most 1,000,000,000')).toBeTruthy()
  expect(callsTo(adjustUserTunnelCredit)).toEqual([])
  answer(adjustUserTunnelCredit, () => aUser())
  await retype('Tunnel credit to give', '5')
  await user.dblClick(screen.getByRole('button', { name: /Give/ }))
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
  expect(callsTo(adjustUserTunnelCredit)).toHaveLength(1)
})

const giveTo = async (owner: User) => {
  const view = open('points', owner)
  await fillAndGive()
  return view
}
const unknownOutcome = /not known whether this was done/

test('a missing answer is reported, and all attempts of one dialog share a key', async () => {
  answer(adjustUserCredit, noAnswer)
  await giveTo(aUser({ userEmail: 'kept@kelid.test' }))
  expect(await screen.findAllByText(unknownOutcome)).toHaveLength(2)
  answer(adjustUserCredit, () => refuse('OUTCOME_UNKNOWN'))
  await press('Give points')
  await waitFor(() => expect(callsTo(adjustUserCredit)).toHaveLength(2))
  expect(await screen.findAllByText(unknownOutcome)).toBeTruthy()
  answer(adjustUserCredit, () => aUser())
  await press('Give points')
  await screen.findByText('+9 points for kept@kelid.test.')
  expect(new Set(callsTo(adjustUserCredit).map(({ key }) => key)).size).toBe(1)
})

test('a new dialog reports that an adjustment was not made, and sends nothing while that is unknown', async () => {
  const someone = aUser({ userEmail: 'not-done@kelid.test' })
  answer(adjustUserCredit, noAnswer)
  const view = await giveTo(someone)
  await screen.findAllByText(unknownOutcome)
  // This refusal comes before the server looks at the key, so it says nothing about the first attempt.
  answer(adjustUserCredit, () => refuse('BUSY'))
  await press('Give points')
  await screen.findAllByText(/busy/)
  view.unmount()
  answer(settleKey, () => refuse('UNAVAILABLE'))
  const blocked = open('points', someone)
  expect(await screen.findAllByText(/cannot be checked now/)).toBeTruthy()
  await fill()
  expect(isDisabled('Give points')).toBe(true)
  blocked.unmount()
  answer(settleKey, () => ({ isDone: false }))
  answer(adjustUserCredit, () => aUser())
  open('points', someone)
  expect(await screen.findByText(/It was not done and will not be/)).toBeTruthy()
  await fillAndGive()
  await screen.findByText('+9 points for not-done@kelid.test.')
  expect(callsTo(adjustUserCredit)).toHaveLength(3)
})

test('a new dialog reports that an unanswered adjustment was made, with the new balance', async () => {
  const someone = aUser({ userEmail: 'done@kelid.test' })
  answer(adjustUserCredit, noAnswer)
  const view = await giveTo(someone)
  await screen.findAllByText(unknownOutcome)
  view.unmount()
  answer(settleKey, () => ({ isDone: true }))
  answer(getUserDetail, () => aUserDetail({ userCredit: 1_209 }))
  open('points', someone)
  expect(await screen.findByText(/but it was done/)).toBeTruthy()
  expect(await screen.findByText('1,209')).toBeTruthy()
})

test('another amount after a missing answer is not added to the first', async () => {
  answer(adjustUserCredit, noAnswer)
  answer(getUserDetail, () => aUserDetail({ userCredit: 1_209 }))
  await giveTo(aUser({ userEmail: 'other@kelid.test' }))
  await screen.findAllByText(unknownOutcome)
  answer(adjustUserCredit, () => refuse('KEY_REUSED'))
  await retype('Points to give', '90')
  await press('Give points')
  expect(await screen.findAllByText(/The first attempt succeeded after all/)).toBeTruthy()
  expect(await screen.findByText('1,209')).toBeTruthy()
  answer(adjustUserCredit, () => aUser())
  await press('Give points')
  await screen.findByText('+90 points for other@kelid.test.')
  const [first, second, third] = callsTo(adjustUserCredit).map(({ key }) => key)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})
