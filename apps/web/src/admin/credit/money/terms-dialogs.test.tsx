import { defaultSettings, getSettings, getUserDetail, setUserDebtLimit } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { isDisabled, lastBodyTo, press, retype, user } from '../../../../test/actions.ts'
import { answer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { aUser, aUserDetail } from '../../../../test/users.ts'
import { DebtLimitDialog, RateDialog } from './terms-dialogs.tsx'

beforeEach(() => answer(getSettings, () => defaultSettings))

test('the rate dialog names the default rate', async () => {
  show(<RateDialog user={aUser()} onClose={vi.fn()} />)
  expect(await screen.findByText('Leave it empty for the default rate, which is 100.')).toBeTruthy()
})

test('a limit below the debt shows a warning', async () => {
  show(<DebtLimitDialog user={aUser({ userDebt: 20 })} onClose={vi.fn()} />)
  await retype('Debt limit in dollars', '10')
  expect(screen.getByText(/The debt is already higher/)).toBeTruthy()
})

test('an invalid limit shows an error and is not sent', async () => {
  show(<DebtLimitDialog user={aUser()} onClose={vi.fn()} />)
  await retype('Debt limit in dollars', '1.005')
  await user.tab()
  expect(screen.getByText('Dollars with at most two decimals, at most 1,000,000')).toBeTruthy()
  expect(isDisabled('Save')).toBe(true)
})

test('nothing is left to save if another administrator saved the same value', async () => {
  answer(setUserDebtLimit, () => refuse('CHANGED_MEANWHILE'))
  answer(getUserDetail, () => aUserDetail({ userDebtLimit: 40 }))
  show(<DebtLimitDialog user={aUser()} onClose={vi.fn()} />)
  await retype('Debt limit in dollars', '40')
  await press('Save')
  expect(await screen.findByText('Previously')).toBeTruthy()
  expect(lastBodyTo(setUserDebtLimit)).toMatchObject({ value: 40, basedOn: 25 })
  expect(screen.queryByText('After')).toBeNull()
  expect(isDisabled('Save')).toBe(true)
})
