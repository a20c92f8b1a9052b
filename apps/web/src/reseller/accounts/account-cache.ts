import { type Account, getAccount, getUserAccounts, type Listing, limits } from '@kelid/contract'
import type { QueryClient } from '@tanstack/react-query'
import type { Pages as PagesOf } from '../../shared/reads/pages.ts'
import { keyOf } from '../../shared/reads/query.ts'

type Pages = PagesOf<Account>

const lists = { queryKey: [getUserAccounts.path, 'pages'] }

const changePages = (client: QueryClient, change: (page: Listing<Account>) => Listing<Account>) =>
  client.setQueriesData<Pages>(lists, (before) => before && { ...before, pages: before.pages.map(change) })

/** Lists are copied to the device, and only an opened account may leave its VPN key there. */
const withoutLinks = (account: Account): Account => ({
  ...account,
  accountQRString: '',
  accountSubscriptionPath: '',
})

export function putAccount(client: QueryClient, account: Account): void {
  const isSame = ({ accountUUID }: Account) => accountUUID === account.accountUUID
  const queryKey = keyOf(getAccount, { accountUUID: account.accountUUID })
  // A running read would restore the old account.
  void client.cancelQueries({ queryKey })
  if (client.getQueryState(queryKey)) client.setQueryData(queryKey, account)
  const listed = withoutLinks(account)
  changePages(client, (page) =>
    page.items.some(isSame)
      ? { ...page, items: page.items.map((one) => (isSame(one) ? listed : one)) }
      : page,
  )
}

export function dropAccount(client: QueryClient, accountUUID: string): void {
  client.removeQueries({ queryKey: keyOf(getAccount, { accountUUID }), type: 'inactive' })
  changePages(client, (page) => {
    const items = page.items.filter((one) => one.accountUUID !== accountUUID)
    return { ...page, items, ...(page.total !== undefined && { total: page.total - 1 }) }
  })
}

export function knownAccount(client: QueryClient, accountUUID: string): Account | undefined {
  for (const [, pages] of client.getQueriesData<Pages>(lists))
    for (const page of pages?.pages ?? []) {
      const account = page.items.find((one) => one.accountUUID === accountUUID)
      if (account) return account
    }
  return undefined
}

/** A refresh does not read this part of the list. */
export const isFarDown = (client: QueryClient, accountUUID: string): boolean =>
  client.getQueriesData<Pages>(lists).some(([, pages]) =>
    pages?.pages
      .flatMap(({ items }) => items)
      .slice(limits.pageMax)
      .some((one) => one.accountUUID === accountUUID),
  )
