import { getAnyAccounts } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, callsTo, pageOf } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { anyonesAccount } from '../../../test/users.ts'
import { AllAccountsScreen } from './all-accounts-screen.tsx'

const account = anyonesAccount({
  accountName: 'ali_home',
  accountState: 'abused',
  usageTotal: { up: 200_000_000, down: 1_000_000_000 },
  accountOnline: true,
})

function open() {
  answer(getAnyAccounts, ({ search }) => pageOf(search ? [] : [account]))
  show(<AllAccountsScreen />, { at: '/?state=abused' })
}

test('accounts of a state are listed with links to each, its owner and its server', async () => {
  open()
  const link = await screen.findByRole('link', { name: 'ali_home' })
  expect(link.getAttribute('href')).toBe(`/admin/management/accounts/${account.accountUUID}/`)
  expect(screen.getByRole('link', { name: 'sara@kelid.test' })).toBeTruthy()
  expect(screen.getByRole('cell', { name: 'Abused' })).toBeTruthy()
  expect(screen.getByRole('cell', { name: '1.2 GB' })).toBeTruthy()
  expect(screen.getByRole('cell', { name: 'Online now' })).toBeTruthy()
  expect(callsTo(getAnyAccounts).at(-1)?.body).toMatchObject({ state: 'abused' })
})

test('a search without matches offers to show all', async () => {
  open()
  await screen.findByRole('link', { name: 'ali_home' })
  await userEvent.type(screen.getByRole('searchbox'), 'zz')
  await userEvent.click(await screen.findByRole('button', { name: 'Show all' }))
  await waitFor(() => expect(callsTo(getAnyAccounts).at(-1)?.body).not.toHaveProperty('state'))
  expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('')
})
