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
import { answer, callsTo, pageOf, refuse } from '../../../test/answers.ts'
import { anEntry } from '../../../test/entries.ts'
import { show } from '../../../test/show.tsx'
import { anyonesAccount, aUserDetail } from '../../../test/users.ts'
import { adminPaths, personPath } from '../paths.ts'
import { PersonScreen } from './person-screen.tsx'

const open = () =>
  show(
    <Routes>
      <Route path={adminPaths.person} element={<PersonScreen />} />
    </Routes>,
    { at: personPath('sara@kelid.test') },
  )
beforeEach(() => {
  answer(getUserDetail, () => aUserDetail({ userDebt: 4, userDebtSince: '2026-11-01T08:00:00.000Z' }))
  answer(getAnyAccounts, () => pageOf([anyonesAccount()]))
  answer(getUserSessions, () => ({ items: [] }))
  const entry = { ...anEntry(), userEmail: 'sara@kelid.test', entryByEmail: 'admin@kelid.test' }
  answer(getUserStatement, () => pageOf([entry]))
})

test('a concurrent change of an account is shown without a reload', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  open()
  const row = async () => (await screen.findByRole('link', { name: 'ali_phone' })).closest('tr')
  expect((await row())?.textContent).toContain('Active')
  const disabled = anyonesAccount({ accountEnabled: false, accountState: 'disabled' })
  answer(getAnyAccounts, () => pageOf([disabled]))
  vi.advanceTimersByTime(15_000)
  vi.useRealTimers()
  await waitFor(async () => expect((await row())?.textContent).toContain('Disabled'))
})

test('the page shows balances and transactions, and filters accounts by state', async () => {
  open()
  for (const text of ['$4.00', '30 days of trojan', 'admin@kelid.test'])
    expect(await screen.findByText(text)).toBeTruthy()
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
