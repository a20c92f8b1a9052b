// @vitest-environment jsdom
import {
  type Account,
  clientLabels,
  clientMessages,
  deleteAccount,
  extendDuration,
  getUserAccounts,
  quoteAccount,
  setEnabled,
} from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { anAccount, answerAccounts, answerBalances, aQuote, manyAccounts } from '../../../../test/accounts.ts'
import { answer, askedFor, noAnswer, refuse } from '../../../../test/answers.ts'
import { show, useTestApi } from '../../../../test/show.tsx'
import { everyAccount } from './account-filter.ts'
import { AccountList } from './account-list.tsx'

useTestApi()

// jsdom has no layout, and a virtual list without one shows nothing.
vi.mock('virtua', () => ({
  WindowVirtualizer: ({
    data,
    children,
  }: {
    data: Account[]
    children: (one: Account, index: number) => ReactNode
  }) => data.map(children),
}))

const bold = ({ accountName }: Account) => <b>{accountName}</b>

function List({ nameOf = bold }) {
  const [filter, setFilter] = useState(everyAccount)
  return (
    <AccountList
      filter={filter}
      onFilter={setFilter}
      nameOf={nameOf}
      empty={<p>{clientLabels.noAccounts}</p>}
    />
  )
}

beforeAll(() => import('../purchase/bulk-dialog.tsx'))

const row = (name: string) => screen.getByText(name).closest('[role=row]') as HTMLElement
const tick = (name: string) => userEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }))
/** Fetched when the first account is ticked, and filled after its frame. */
async function dialog() {
  const shown = within(await screen.findByRole('dialog', {}, { timeout: 30_000 }))
  await waitFor(() => expect(shown.getAllByRole('button').length).toBeGreaterThan(1))
  return shown
}

test('says how many there are, in words and with their state', async () => {
  answerAccounts([
    anAccount(),
    anAccount({ accountUUID: 'b', accountName: 'sara', accountState: 'expired' }),
    anAccount({ accountUUID: 'c', accountName: 'omid', accountState: 'abused', accountAbuse: true }),
  ])
  show(<List />)
  expect(await screen.findByText('3 accounts')).toBeTruthy()
  const [active, expired, abused] = ['ali_phone', 'sara', 'omid'].map(row) as [HTMLElement, ...HTMLElement[]]
  expect(
    [active, expired, abused].map((one) => one?.querySelector('[data-state]')?.getAttribute('data-state')),
  ).toEqual(['good', 'bad', 'bad'])
  expect(within(active).getByText('enabled')).toBeTruthy()
  expect(within(expired as HTMLElement).getByText('Expired')).toBeTruthy()
  expect(within(abused as HTMLElement).getByText('disabled · abused')).toBeTruthy()
  expect(screen.getAllByText('enabled')).toHaveLength(1)
  await userEvent.click(within(active).getByRole('button', { name: '12 days left' }))
  expect(within(active).getByRole('button', { name: /^Jan 10, 2027, / })).toBeTruthy()
})

test('is a table to whoever cannot see it, of as many rows as there are', async () => {
  answer(getUserAccounts, () => ({ items: [anAccount()], nextCursor: null, total: 900 }))
  show(<List />)
  const table = await screen.findByRole('table', { name: 'VPN accounts' })
  expect(table.getAttribute('aria-rowcount')).toBe('901')
  const heads = within(table)
    .getAllByRole('columnheader')
    .map((head) => head.textContent)
  expect(heads).toEqual(['Name', 'State', 'Location', 'VPN type', 'Expires', 'Days'])
  expect(row('ali_phone').getAttribute('aria-rowindex')).toBe('2')
  const cells = within(row('ali_phone')).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'ali_phone',
    'enabled',
    'Netherlands',
    'trojan',
    'January 10, 2027',
    '12 days left',
  ])
})

test('no accounts is an empty list, also when a server says it with a refusal', async () => {
  answerAccounts([])
  const first = show(<List />)
  expect(await screen.findByText(clientLabels.noAccounts)).toBeTruthy()
  first.unmount()
  answer(getUserAccounts, () => refuse('RESOURCE_NOT_FOUND'))
  show(<List />)
  expect(await screen.findByText(clientLabels.noAccounts)).toBeTruthy()
  expect(screen.queryByText(clientMessages.fetchingAccounts)).toBeNull()
})

test('a failure says so, above and in place, and can be tried again', async () => {
  answer(getUserAccounts, () => noAnswer())
  show(<List />)
  expect(await screen.findAllByText(clientMessages.fetchingAccounts)).toHaveLength(2)
  answerAccounts([anAccount()])
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('ali_phone')).toBeTruthy()
})

test('a search takes 35 characters; one more is told so and not asked', async () => {
  answerAccounts(manyAccounts(3))
  show(<List />)
  await screen.findByText('3 accounts')
  const search = screen.getByLabelText('Search by name')
  await userEvent.click(search)
  await userEvent.paste('x'.repeat(35))
  await waitFor(() =>
    expect(askedFor(getUserAccounts).at(-1)?.body).toMatchObject({ search: 'x'.repeat(35) }),
  )
  await userEvent.paste('x')
  expect(await screen.findByText('At most 35 characters')).toBeTruthy()
  await waitFor(() => expect(askedFor(getUserAccounts).at(-1)?.body).not.toHaveProperty('search'))
})

test('search and state go to the server, with Latin digits', async () => {
  answerAccounts(manyAccounts(3))
  show(<List />)
  await screen.findByText('3 accounts')
  answerAccounts([])
  await userEvent.type(screen.getByLabelText('Search by name'), 'ali_۷')
  await userEvent.selectOptions(screen.getByLabelText('State'), 'expired')
  await waitFor(() =>
    expect(askedFor(getUserAccounts).at(-1)?.body).toMatchObject({ search: 'ali_7', state: 'expired' }),
  )
  expect(await screen.findByText(/No account matches/)).toBeTruthy()
  expect(screen.getByLabelText('Search by name')).toHaveProperty('value', 'ali_۷')
  answerAccounts(manyAccounts(3))
  await userEvent.click(screen.getByRole('button', { name: 'Show all accounts' }))
  expect(await screen.findByText('3 accounts')).toBeTruthy()
  expect(screen.getByLabelText('Search by name')).toHaveProperty('value', '')
})

test('a tick is a matter of its own row, not of the whole list', async () => {
  answerAccounts(manyAccounts(3))
  const nameOf = vi.fn(bold)
  show(<List nameOf={nameOf} />)
  await screen.findByText('3 accounts')
  nameOf.mockClear()
  await tick('customer_1')
  expect(await screen.findByText('1 selected')).toBeTruthy()
  expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(1)
  expect(nameOf).not.toHaveBeenCalled()
})

test('several are renewed for one price; the one that fails is named and keeps its key', async () => {
  answerAccounts(manyAccounts(3))
  answerBalances()
  answer(quoteAccount, () => aQuote({ quoteRenewal: 'extend', quotePoints: 300, quoteDollars: 3.1 }))
  let isDown = true
  answer(extendDuration, ({ accountUUID }) => {
    if (isDown && accountUUID.endsWith('1')) noAnswer()
    return anAccount({ accountUUID })
  })
  show(<List />)
  await screen.findByText('3 accounts')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 3 shown' }))
  expect(await screen.findByText('3 selected')).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: 'Renew' }))
  expect(await (await dialog()).findByText('$9.30')).toBeTruthy()
  expect((await dialog()).getByText('900 points')).toBeTruthy()
  await userEvent.click((await dialog()).getByRole('button', { name: 'Renew' }))
  expect(await (await dialog()).findByText('1 account was not changed:')).toBeTruthy()
  expect((await dialog()).getByText('customer_1')).toBeTruthy()
  expect((await dialog()).getByText('2 accounts are done.')).toBeTruthy()
  isDown = false
  await userEvent.click((await dialog()).getByRole('button', { name: 'Try 1 again' }))
  expect(await screen.findByText('3 accounts are done.')).toBeTruthy()
  const keys = askedFor(extendDuration)
  expect(keys).toHaveLength(4)
  expect(new Set(keys.map(({ key }) => key)).size).toBe(3)
  await waitFor(() => expect(screen.queryByText('3 selected')).toBeNull())
})

test('those whose price is refused are left out by name', async () => {
  answerAccounts(manyAccounts(2))
  answerBalances(100)
  answer(quoteAccount, ({ accountUUID }) =>
    aQuote({ quoteRenewal: 'extend', quoteRefusal: accountUUID?.endsWith('1') ? 'ACCOUNT_ABUSED' : null }),
  )
  answer(extendDuration, ({ accountUUID }) => anAccount({ accountUUID }))
  show(<List />)
  await screen.findByText('2 accounts')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all 2 shown' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Renew' }))
  expect(await (await dialog()).findByText('1 account is left out:')).toBeTruthy()
  expect((await dialog()).getByText('300 points')).toBeTruthy()
  expect((await dialog()).getByText(/Your credit may not cover all of them/)).toBeTruthy()
  await userEvent.click((await dialog()).getByRole('button', { name: 'Renew' }))
  await waitFor(() => expect(askedFor(extendDuration)).toHaveLength(1))
})

test('deleting several asks once and takes them off the list', async () => {
  const accounts = manyAccounts(3)
  answerAccounts(accounts)
  answer(deleteAccount, ({ accountUUID }) => {
    const index = accounts.findIndex((one) => one.accountUUID === accountUUID)
    accounts.splice(index, 1)
    return undefined
  })
  show(<List />)
  await screen.findByText('3 accounts')
  await tick('customer_0')
  await tick('customer_2')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(askedFor(deleteAccount)).toHaveLength(0)
  await userEvent.click((await dialog()).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('1 account')).toBeTruthy()
  expect(screen.getByText('customer_1')).toBeTruthy()
})

test('one refused while disabling stays ticked, the others are done', async () => {
  answerAccounts(manyAccounts(2))
  answer(setEnabled, ({ accountUUID, accountEnabled }) => {
    if (accountUUID.endsWith('0')) refuse('ACCOUNT_ABUSED')
    return anAccount({ accountUUID, accountEnabled })
  })
  show(<List />)
  await screen.findByText('2 accounts')
  await tick('customer_0')
  await tick('customer_1')
  await userEvent.click(await screen.findByRole('button', { name: 'Disable' }))
  await userEvent.click((await dialog()).getByRole('button', { name: 'Disable' }))
  expect(await (await dialog()).findByText(/stopped for abuse/)).toBeTruthy()
  await userEvent.click((await dialog()).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  expect(await screen.findByText('1 selected')).toBeTruthy()
})
