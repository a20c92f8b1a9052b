import {
  getAnyAccounts,
  getUserDetail,
  getUserSessions,
  getUserStatement,
  getUserStatementFile,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { answer, callsTo, refuse } from '../../../test/answers.ts'
import { anEntry } from '../../../test/entries.ts'
import { show } from '../../../test/show.tsx'
import { anyonesAccount, aUserDetail } from '../../../test/users.ts'
import { adminPaths, personPath } from '../paths.ts'
import { PersonScreen } from './person-screen.tsx'

const open = (language: 'en' | 'fa' = 'en', more = '') =>
  show(
    <Routes>
      <Route path={adminPaths.person} element={<PersonScreen />} />
    </Routes>,
    { language, at: personPath('sara@kelid.test') + more },
  )
beforeEach(() => {
  answer(getUserDetail, () => aUserDetail({ userDebt: 4, userDebtSince: '2026-11-01T08:00:00.000Z' }))
  answer(getAnyAccounts, () => ({ items: [anyonesAccount()], nextCursor: null, total: 1 }))
  answer(getUserSessions, () => ({ items: [] }))
  answer(getUserStatement, () => ({
    items: [{ ...anEntry(), userEmail: 'sara@kelid.test', entryByEmail: 'admin@kelid.test' }],
    nextCursor: null,
    total: 1,
  }))
})

test('the page shows balances, accounts, sessions and transactions', async () => {
  const view = open()
  expect(await screen.findByRole('heading', { level: 1, name: 'sara@kelid.test' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Balances' })).toBeTruthy()
  expect(screen.getByText('$4.00')).toBeTruthy()
  const link = await screen.findByRole('link', { name: 'ali_phone' })
  expect(link.getAttribute('href')).toContain('/admin/management/accounts/11111111')
  expect(await screen.findByText('admin@kelid.test')).toBeTruthy()
  expect(screen.getByText('30 days of trojan')).toBeTruthy()
  view.unmount()
  open('fa')
  expect(await screen.findByRole('heading', { name: 'موجودی' })).toBeTruthy()
  expect(await screen.findByText('۳۰ روز trojan')).toBeTruthy()
})

test('a concurrent change of an account is shown without a reload', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  open()
  const row = async () => (await screen.findByRole('link', { name: 'ali_phone' })).closest('tr')
  expect((await row())?.textContent).toContain('Active')
  answer(getAnyAccounts, () => ({
    items: [anyonesAccount({ accountEnabled: false, accountState: 'disabled' })],
    nextCursor: null,
    total: 1,
  }))
  vi.advanceTimersByTime(15_000)
  vi.useRealTimers()
  await waitFor(async () => expect((await row())?.textContent).toContain('Disabled'))
})

test('accounts are filtered by state, with counts', async () => {
  open()
  await userEvent.selectOptions(await screen.findByLabelText('State'), 'Disabled (1)')
  await waitFor(() =>
    expect(callsTo(getAnyAccounts).at(-1)?.body).toMatchObject({
      userEmail: 'sara@kelid.test',
      state: 'disabled',
    }),
  )
})

test('the transactions can be downloaded', async () => {
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  URL.createObjectURL = () => 'blob:'
  answer(getUserStatementFile, () => ({ fileName: 'sara.csv', csv: 'a', isComplete: false }))
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Download CSV' }))
  expect(await screen.findByText(/contains only the newest transactions/)).toBeTruthy()
  expect(save).toHaveBeenCalledOnce()
  save.mockRestore()
})

test('an unknown e-mail is reported with a link to all users', async () => {
  answer(getUserDetail, () => refuse('RESOURCE_NOT_FOUND'))
  open()
  expect(await screen.findByText('There is no user with this e-mail.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'To all users' }).getAttribute('href')).toBe(adminPaths.people)
})
