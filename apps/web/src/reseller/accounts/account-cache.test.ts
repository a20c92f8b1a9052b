import { type Account, getAccount, getUserAccounts } from '@kelid/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { anAccount } from '../../../test/accounts.ts'
import { onePage, type Pages } from '../../shared/reads/pages.ts'
import { keyOf } from '../../shared/reads/query.ts'
import { putAccount } from './account-cache.ts'

const account = anAccount() as Account
const listKey = [getUserAccounts.path, 'pages', {}]
const accountKey = keyOf(getAccount, { accountUUID: account.accountUUID })

test("links go to the account's own screen if it is open, and never into a list", () => {
  const client = new QueryClient()
  client.setQueryData(listKey, onePage({ items: [account] }))
  putAccount(client, account)
  expect(client.getQueryData<Pages<Account>>(listKey)?.pages[0]?.items).toEqual([
    { ...account, accountQRString: '', accountSubscriptionPath: '' },
  ])
  expect(client.getQueryData(accountKey)).toBeUndefined()
  client.setQueryData(accountKey, { ...account, accountName: 'old' })
  putAccount(client, account)
  expect(client.getQueryData(accountKey)).toEqual(account)
})
