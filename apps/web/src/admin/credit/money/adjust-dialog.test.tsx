import { adjustUserCredit, adjustUserTunnelCredit, getUserDetail, settleKey } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { answer, callsTo, noAnswer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { aUser, aUserDetail } from '../../../../test/users.ts'
import { AdjustDialog } from './adjust-dialog.tsx'

const user = aUser({ userEmail: `sara@kelid.test`, userDebt: 12.5 })
const close = vi.fn()
const open = (unit: 'points' | 'tunnelCredit' | 'dollars' = 'points', owner = user) =>
  show(<AdjustDialog user={owner} unit={unit} onClose={close} />)

const fill = async (amount: string, reason = 'paid in cash', label = 'Points to give') => {
  await userEvent.type(await screen.findByLabelText(label), amount)
  await userEvent.type(screen.getByLabelText('Reason'), reason)
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('nothing is sent without an amount or a reason, or above the balance', async () => {
  open('tunnelCredit')
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /Give|Take/ })
  await fill('-41', ' ', 'Tunnel credit to give')
  expect(button().disabled).toBe(true)
  expect(screen.getByText('The user does not have that much tunnel credit.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Reason'), 'x')
  expect(button().disabled).toBe(true)
  await userEvent.clear(screen.getByLabelText('Tunnel credit to give'))
  await userEvent.type(screen.getByLabelText('Tunnel credit to give'), '1.5')
  await userEvent.tab()
  expect(screen.getByText('A whole number of points other than 0, at most 1,000,000,000')).toBeTruthy()
  expect(callsTo(adjustUserTunnelCredit)).toEqual([])
})

const giveAndClose = async (owner: typeof user, amount = '9') => {
  const view = open('points', owner)
  await fill(amount)
  await press('Give points')
  return view
}
const unknownOutcome = /not known whether this was done/

test('a missing answer is reported, and all attempts of one dialog share a key', async () => {
  answer(adjustUserCredit, noAnswer)
  await giveAndClose(aUser({ userEmail: 'kept@kelid.test' }))
  expect(await screen.findAllByText(unknownOutcome)).toBeTruthy()
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
  const view = await giveAndClose(someone)
  await screen.findAllByText(unknownOutcome)
  // This refusal comes before the server looks at the key, so it says nothing about the first attempt.
  answer(adjustUserCredit, () => refuse('BUSY'))
  await press('Give points')
  await screen.findAllByText(/busy/)
  view.unmount()
  answer(settleKey, () => refuse('UNAVAILABLE'))
  const blocked = open('points', someone)
  expect(await screen.findAllByText(/cannot be checked now/)).toBeTruthy()
  await fill('9')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Give points' }).disabled).toBe(true)
  blocked.unmount()
  answer(settleKey, () => ({ isDone: false }))
  answer(adjustUserCredit, () => aUser())
  open('points', someone)
  expect(await screen.findByText(/It was not done and will not be/)).toBeTruthy()
  await fill('9')
  await press('Give points')
  await screen.findByText('+9 points for not-done@kelid.test.')
  expect(callsTo(adjustUserCredit)).toHaveLength(3)
})

test('another amount after a missing answer is not added to the first', async () => {
  answer(adjustUserCredit, noAnswer)
  answer(getUserDetail, () => aUserDetail({ userCredit: 1_209 }))
  await giveAndClose(aUser({ userEmail: 'other@kelid.test' }))
  await screen.findAllByText(unknownOutcome)
  answer(adjustUserCredit, () => refuse('KEY_REUSED'))
  await userEvent.type(screen.getByLabelText('Points to give'), '0')
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
