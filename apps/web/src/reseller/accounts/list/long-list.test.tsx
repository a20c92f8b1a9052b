import { type Account, getAccount, getUserAccounts, type SentAccount } from '@kelid/contract'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anAccount, manyAccounts } from '../../../../test/accounts.ts'
import { answer, callsTo, pageOf, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { emitLiveEvent } from '../../../shared/events/live-events.ts'
import { useReadPages } from '../../../shared/reads/read-pages.ts'
import { useLiveAccounts } from './use-live-accounts.ts'

const pageOptions = { size: 100, idOf: ({ accountUUID }: Account) => accountUUID }

/** jsdom needs a minute for 700 real rows, so these are plain text. */
function Names() {
  const list = useReadPages(getUserAccounts, {}, pageOptions)
  useLiveAccounts()
  return (
    <>
      <p data-testid="count">{list.items.length}</p>
      <p data-testid="rows">
        {list.items.map(({ accountName, accountState }) => `${accountName}:${accountState}`).join(' ')}
      </p>
      <button type="button" onClick={list.fetchNextPage}>
        more
      </button>
    </>
  )
}
const rows = () => screen.getByTestId('rows').textContent?.split(' ') ?? []
const hasCount = (count: number) =>
  waitFor(() => expect(screen.getByTestId('count').textContent).toBe(String(count)))

async function showSevenPages(accounts: readonly SentAccount[]) {
  answer(getUserAccounts, (body) => pageOf(accounts, body))
  const view = show(<Names />)
  for (const count of [100, 200, 300, 400, 500, 600]) {
    await hasCount(count)
    act(() => {
      // Scrolling asks more than once before the first answer arrives.
      screen.getByText('more').click()
      screen.getByText('more').click()
    })
  }
  await hasCount(700)
  expect(callsTo(getUserAccounts).map(({ body }) => body.limit)).toEqual(Array(7).fill(100))
  return view
}

test('a refresh of a long list is one request, and every row stays', async () => {
  const accounts = manyAccounts(700)
  const { client } = await showSevenPages(accounts)
  accounts[0] = anAccount({ ...accounts[0], accountState: 'disabled' })
  accounts.unshift(anAccount({ accountUUID: 'new', accountName: 'newest' }))
  await act(() => client.invalidateQueries({ queryKey: [getUserAccounts.path] }))
  await hasCount(701)
  expect(callsTo(getUserAccounts)).toHaveLength(8)
  expect(callsTo(getUserAccounts).at(-1)?.body).toMatchObject({ limit: 200 })
  expect(rows().slice(0, 3)).toEqual(['newest:active', 'customer_0:disabled', 'customer_1:active'])
  expect(rows().at(-1)).toBe('customer_699:active')
  expect(new Set(rows()).size).toBe(701)
})

test('a changed row far down is replaced, and a deleted one disappears', async () => {
  const accounts = manyAccounts(700)
  await showSevenPages(accounts)
  const [changed, removed] = [accounts[600] as SentAccount, accounts[650] as SentAccount]
  answer(getAccount, ({ accountUUID }) => {
    if (accountUUID === removed.accountUUID) refuse('RESOURCE_NOT_FOUND')
    return anAccount({ ...changed, accountState: 'expired' })
  })
  act(() => {
    for (const { accountUUID } of [changed, removed, accounts[3] as SentAccount])
      emitLiveEvent({ type: 'account', accountUUID })
  })
  await hasCount(699)
  await waitFor(() => expect(rows()[600]).toBe('customer_600:expired'))
  expect(rows()).not.toContain('customer_650:active')
  expect(callsTo(getUserAccounts)).toHaveLength(7)
  expect(callsTo(getAccount)).toHaveLength(2)
})

test('many changes restart the list, which is read again on scroll', async () => {
  const accounts = manyAccounts(700)
  await showSevenPages(accounts)
  act(() => {
    for (const { accountUUID } of accounts.slice(300, 400)) emitLiveEvent({ type: 'account', accountUUID })
  })
  await hasCount(100)
  expect(callsTo(getAccount)).toHaveLength(0)
})
