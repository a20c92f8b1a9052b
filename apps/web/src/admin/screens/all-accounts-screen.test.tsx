import { getAnyAccounts } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hrefOf, lastBodyTo } from '../../../test/actions.ts'
import { answer, pageOf } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { anyonesAccount } from '../../../test/users.ts'
import { AllAccountsScreen } from './all-accounts-screen.tsx'

const account = anyonesAccount({
  accountName: 'ali_home',
  accountState: 'abused',
  usageTotal: { up: 200_000_000, down: 1_000_000_000 },
  accountOnline: true,
})

test('accounts of a state are listed with links to each, its owner and its server', async () => {
  answer(getAnyAccounts, () => pageOf([account]))
  show(<AllAccountsScreen />, { at: '/?state=abused' })
  await screen.findByRole('link', { name: 'ali_home' })
  expect(hrefOf('ali_home')).toBe(`/admin/management/accounts/${account.accountUUID}/`)
  expect(screen.getByRole('link', { name: 'sara@kelid.test' })).toBeTruthy()
  for (const name of ['Abused', '1.1 GB', 'Online now'])
    expect(screen.getByRole('cell', { name })).toBeTruthy()
  expect(lastBodyTo(getAnyAccounts)).toMatchObject({ state: 'abused' })
})
