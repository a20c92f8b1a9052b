import {
  getAnyAccounts,
  getUserDetail,
  getUserSessions,
  getUserStatement,
  getUserStatementFile,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { lastBodyTo, press, user } from '../../../test/actions.ts'
import { answer, pageOf } from '../../../test/answers.ts'
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
  await user.selectOptions(await screen.findByLabelText('State'), 'Disabled (1)')
  const filtered = { userEmail: 'sara@kelid.test', state: 'disabled' }
  await waitFor(() => expect(lastBodyTo(getAnyAccounts)).toMatchObject(filtered))
})

test('the transactions can be downloaded', async () => {
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  URL.createObjectURL = () => 'blob:'
  answer(getUserStatementFile, () => ({ fileName: 'sara.csv', csv: 'a', isComplete: false }))
  open()
  await press('Download CSV')
  expect(await screen.findByText(/contains only the newest transactions/)).toBeTruthy()
  expect(save).toHaveBeenCalledOnce()
  save.mockRestore()
})
