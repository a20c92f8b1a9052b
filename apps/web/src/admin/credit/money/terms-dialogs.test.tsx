// @vitest-environment jsdom

import {
  defaultSettings,
  getSettings,
  getUserDetail,
  getUsers,
  setUserDebtLimit,
  setUserRate,
} from '@kelid/contract'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { answer, askedFor, refuse } from '../../../../test/answers.ts'
import { show, useTestApi } from '../../../../test/show.tsx'
import { aUser, aUserDetail } from '../../../../test/users.ts'
import { adminPaths } from '../../paths.ts'
import { MoneyScreen } from '../../screens/money-screen.tsx'
import { DebtLimitDialog, RateDialog } from './terms-dialogs.tsx'

useTestApi()
beforeEach(() => answer(getSettings, () => defaultSettings))

const retype = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  if (text) await userEvent.type(field, text)
}

test('a rate of their own is removed by emptying the field, and the default is named', async () => {
  answer(setUserRate, () => aUser())
  show(<RateDialog user={aUser({ userCustomCreditRate: 120 })} onClose={vi.fn()} />)
  expect(await screen.findByText('Leave it empty for the default rate, which is 100.')).toBeTruthy()
  await retype('Points per dollar', '')
  expect(screen.getByText('120 (their own)')).toBeTruthy()
  expect(screen.getByText('100 (default)')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The rate of sara@kelid.test was changed.')).toBeTruthy()
  expect(askedFor(setUserRate)[0]?.body).toMatchObject({ userCustomCreditRate: null, basedOn: 120 })
})

test('in Persian', async () => {
  answer(setUserRate, () => aUser())
  show(<RateDialog user={aUser()} onClose={vi.fn()} />, { language: 'fa' })
  await retype('امتیاز هر دلار', '۱۵۰')
  expect(await screen.findByText('۱۵۰ (اختصاصی)')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'ذخیره' }))
  expect(await screen.findByText('نرخ sara@kelid.test تغییر کرد.')).toBeTruthy()
  expect(askedFor(setUserRate)[0]?.body).toMatchObject({ userCustomCreditRate: 150, basedOn: null })
})

test('a limit below the debt is warned of, and somebody else who was first is shown', async () => {
  const user = aUser({ userDebt: 20 })
  answer(setUserDebtLimit, () => refuse('CHANGED_MEANWHILE'))
  answer(getUserDetail, () => aUserDetail({ userDebtLimit: 70 }))
  show(<DebtLimitDialog user={user} onClose={vi.fn()} />)
  await retype('Debt limit in dollars', '10')
  expect(screen.getByText(/The debt is already higher/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('$70.00')).toBeTruthy()
  expect(screen.getByText('$25.00')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Debt limit in dollars').value).toBe('10')
})

test('after somebody else was first the list behind says what it is now', async () => {
  let userDebtLimit = 25
  answer(getUsers, () => ({ items: [aUser({ userDebtLimit })], nextCursor: null, total: 1 }))
  answer(getUserDetail, () => aUserDetail({ userDebtLimit }))
  answer(setUserDebtLimit, () => refuse('CHANGED_MEANWHILE'))
  show(<MoneyScreen />, { at: adminPaths.debt })
  await userEvent.click(await screen.findByRole('button', { name: 'Limit of sara@kelid.test' }))
  await retype('Debt limit in dollars', '10')
  userDebtLimit = 70
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('You saw')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByRole('cell', { name: '$70.00' })).toBeTruthy()
})

test('a limit that breaks the rule says so and is not sent', async () => {
  show(<DebtLimitDialog user={aUser()} onClose={vi.fn()} />)
  await retype('Debt limit in dollars', '1.005')
  await userEvent.tab()
  expect(screen.getByText('Dollars with at most two decimals, at most 1,000,000')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
})
