import {
  type Account,
  type bulkRefusals,
  clientLabels,
  deleteBulk,
  extendBulk,
  getUserAccounts,
  quoteBulk,
  setEnabledBulk,
} from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { anAccount, answerAccounts, answerBalances, aQuote, manyAccounts } from '../../../../test/accounts.ts'
import { bodiesTo, lastBodyTo, openDialog, press, user } from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { everyAccount } from './account-filter.ts'
import { AccountList } from './account-list.tsx'

// jsdom has no layout, and a virtual list renders nothing without one; here it renders ten rows.
vi.mock('virtua', () => ({
  WindowVirtualizer: ({
    data,
    children,
  }: {
    data: Account[]
    children: (one: Account, index: number) => ReactNode
  }) => data.slice(0, 10).map(children),
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
const tick = (name: string) => user.click(screen.getByRole('checkbox', { name: `Select ${name}` }))
/** The dialog loads when the first account is ticked. */
async function bulkDialog() {
  const dialog = await openDialog()
  await waitFor(() => expect(dialog.getAllByRole('button').length).toBeGreaterThan(1))
  return dialog
}

test('a row shows its state, its usage, and when the account was online', async () => {
  const usageTotal = { up: 200_000_000, down: 1_000_000_000 }
  const seen = { accountLastSeenDate: '2020-12-20T10:00:00.000Z' }
  answerAccounts([
    anAccount({ usageTotal, accountOnline: true, accountLastSeenDate: new Date().toISOString() }),
    anAccount({ accountUUID: 'b', accountName: 'sara', accountState: 'expired', ...seen }),
    anAccount({ accountUUID: 'c', accountName: 'omid', accountState: 'abused', accountAbuse: true }),
  ])
  show(<List />)
  expect(await screen.findByText('3 accounts')).toBeTruthy()
  const states = [...document.querySelectorAll<HTMLElement>('[role=cell] [data-state]')]
  expect(states.map(({ dataset, textContent }) => [dataset.state, textContent])).toEqual([
    ['good', 'enabled'],
    ['bad', 'Expired'],
    ['bad', 'disabled · abused'],
  ])
  expect(row('ali_phone').textContent).toMatch(/1\.1 GB Online now$/)
  expect(row('sara').textContent).toMatch(/0 byte Seen [\d,]+ days ago$/)
  expect(row('omid').textContent).toMatch(/Not connected yet$/)
  await user.click(within(row('ali_phone')).getByRole('button', { name: '12 days left' }))
  expect(within(row('ali_phone')).getByRole('button', { name: /^Jan 10, 2027, / })).toBeTruthy()
})

test('the list is a table for screen readers, with the full row count', async () => {
  answer(getUserAccounts, () => ({ items: [anAccount()], nextCursor: null, total: 900 }))
  show(<List />)
  const table = await screen.findByRole('table', { name: 'VPN accounts' })
  expect(table.getAttribute('aria-rowcount')).toBe('901')
  expect(row('ali_phone').getAttribute('aria-rowindex')).toBe('2')
  const cells = within(row('ali_phone')).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'ali_phone',
    'enabled',
    'Netherlands',
    'trojan',
    'January 10, 2027 12 days left',
    '0 byte Not connected yet',
  ])
})

test('a search is sent in Latin digits, and one of 36 characters shows an error instead', async () => {
  answerAccounts(manyAccounts(3))
  show(<List />)
  await screen.findByText('3 accounts')
  const search = screen.getByLabelText('Search by name')
  await user.type(search, 'ali_۷')
  await waitFor(() => expect(lastBodyTo(getUserAccounts)).toMatchObject({ search: 'ali_7' }))
  expect(search).toHaveProperty('value', 'ali_۷')
  await user.clear(search)
  await user.paste('x'.repeat(35))
  await waitFor(() => expect(lastBodyTo(getUserAccounts)).toMatchObject({ search: 'x'.repeat(35) }))
  await user.paste('x')
  expect(await screen.findByText('At most 35 characters')).toBeTruthy()
  await waitFor(() => expect(lastBodyTo(getUserAccounts)).not.toHaveProperty('search'))
})

test('a tick renders only its own row', async () => {
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

const aBulk = (
  accountUUIDs: readonly string[],
  refusalOf: (accountUUID: string) => (typeof bulkRefusals)[number] | null = () => null,
) => {
  const accounts = accountUUIDs.map((accountUUID) => {
    const accountRefusal = refusalOf(accountUUID)
    return {
      accountUUID,
      accountRefusal,
      quotePoints: 300,
      quoteTunnelCredit: 30,
      quoteDaysLost: 0,
      accountDurationAfter: accountRefusal ? null : 42,
      accountExpireDate: accountRefusal ? null : '2027-02-09T08:00:00.000Z',
    }
  })
  const payable = accounts.filter(({ accountRefusal }) => !accountRefusal).length
  const { quotePoints, quoteTunnelCredit, accountDurationAfter, accountExpireDate, ...rest } = aQuote()
  const charge = { quotePoints: payable * 300, quoteTunnelCredit: payable * 30, quoteDollars: 9.3 }
  return { ...rest, ...charge, quoteRenewal: 'extend' as const, accounts }
}
const one = (accountUUID: string) => accountUUID.endsWith('1')

async function openRenewal(count: number) {
  show(<List />)
  await screen.findByText(`${count} accounts`)
  await user.click(screen.getByRole('checkbox', { name: `Select all ${count} shown` }))
  await press('Renew')
  return bulkDialog()
}
const closeDialog = async () =>
  user.click((await bulkDialog()).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
const confirm = async (name: string) => user.click((await bulkDialog()).getByRole('button', { name }))

test('several accounts are renewed in one call, with one price, each new date and the debt', async () => {
  answerAccounts(manyAccounts(3))
  answerBalances()
  const debt = { quoteDebt: 2.5, userDebtAfter: 4.5 }
  answer(quoteBulk, ({ accountUUIDs }) => ({ ...aBulk(accountUUIDs), ...debt }))
  answer(extendBulk, ({ accountUUIDs }) => ({ ...aBulk(accountUUIDs), ...debt }))
  const dialog = await openRenewal(3)
  expect(await dialog.findByText('The days are added to the time that is left.')).toBeTruthy()
  expect(await dialog.findByText('$9.30')).toBeTruthy()
  expect(dialog.getByText('900 points')).toBeTruthy()
  expect(dialog.getByText('Becomes debt').nextSibling?.textContent).toBe('$2.50')
  expect(dialog.getByText('Debt afterwards').nextSibling?.textContent).toBe('$4.50')
  const dates = dialog.getAllByRole('button', { name: 'February 9, 2027' })
  expect(dates).toHaveLength(3)
  await user.click(dates[0] as HTMLElement)
  expect(dates[0]?.textContent).toMatch(/^Feb 9, 2027, \d+:00/)
  expect(callsTo(quoteBulk)).toHaveLength(1)
  await confirm('Renew')
  expect(await screen.findByText('3 accounts are done.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('3 selected')).toBeNull())
  expect(callsTo(extendBulk)).toMatchObject([
    {
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      body: { quotedPoints: 900, quotedTunnelCredit: 90, quotedDebt: 2.5, quotedRenewal: 'extend' },
    },
  ])
})

test('the button is disabled if no account can be renewed', async () => {
  answerAccounts(manyAccounts(2))
  answerBalances(0)
  answer(quoteBulk, ({ accountUUIDs }) => aBulk(accountUUIDs, () => 'INSUFFICIENT_CREDIT'))
  const dialog = await openRenewal(2)
  expect(await dialog.findByText('2 accounts are left out:')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Renew' })).toHaveProperty('disabled', true)
})

test('of more than 200 accounts the first 200 are changed, and the others stay ticked', async () => {
  answerAccounts(manyAccounts(201))
  answer(setEnabledBulk, ({ accountUUIDs }) => ({
    items: accountUUIDs.map((accountUUID) => ({ accountUUID, accountRefusal: null })),
  }))
  show(<List />)
  await screen.findByText('201 accounts')
  await user.click(screen.getByRole('checkbox', { name: 'Select all 201 shown' }))
  await press('Disable')
  const dialog = await bulkDialog()
  expect(dialog.getByText('At most 200 at a time: 1 more stays selected.')).toBeTruthy()
  await confirm('Disable')
  expect(await screen.findByText('1 selected')).toBeTruthy()
  expect(callsTo(setEnabledBulk)[0]?.body.accountUUIDs).toHaveLength(200)
})

const topNotice = (severity: string) => document.querySelector(`[data-severity=${severity}]`)?.textContent

test.each(['Enable', 'Disable', 'Delete'])('a failed bulk "%s" is announced at the top', async (act) => {
  answerAccounts(manyAccounts(1))
  answer(setEnabledBulk, () => refuse('BUSY'))
  answer(deleteBulk, () => refuse('BUSY'))
  show(<List />)
  await screen.findByText('1 account')
  await tick('customer_0')
  await press(act)
  await confirm(act)
  await waitFor(() => expect(topNotice('error')).toContain('The server is busy'))
})

test('a bulk renewal without an answer keeps its key, and accounts that it omits are announced and stay ticked', async () => {
  answerAccounts(manyAccounts(2))
  answerBalances()
  answer(quoteBulk, ({ accountUUIDs }) => aBulk(accountUUIDs))
  answer(extendBulk, () => noAnswer())
  await openRenewal(2)
  await confirm('Renew')
  await waitFor(() => expect(topNotice('error')).toContain('No answer from the server'))
  answer(extendBulk, ({ accountUUIDs }) =>
    aBulk(accountUUIDs, (uuid) => (one(uuid) ? 'ACCOUNT_ABUSED' : null)),
  )
  await confirm('Renew')
  await waitFor(() => expect(topNotice('warning')).toContain('1 account was not changed'))
  const [first, retry] = callsTo(extendBulk)
  expect(retry?.key).toBe(first?.key)
  await closeDialog()
  expect(await screen.findByText('1 selected')).toBeTruthy()
})

test('an account that cannot be enabled stays ticked, the others are done', async () => {
  answerAccounts(manyAccounts(2))
  answer(setEnabledBulk, ({ accountUUIDs }) => ({
    items: accountUUIDs.map((accountUUID) => ({
      accountUUID,
      accountRefusal: one(accountUUID) ? ('ACCOUNT_ABUSED' as const) : null,
    })),
  }))
  show(<List />)
  await screen.findByText('2 accounts')
  await tick('customer_0')
  await tick('customer_1')
  await press('Enable')
  await confirm('Enable')
  expect(await (await bulkDialog()).findByText(/stopped for abuse/)).toBeTruthy()
  expect(bodiesTo(setEnabledBulk)).toMatchObject([{ accountEnabled: true }])
  await closeDialog()
  expect(await screen.findByText('1 selected')).toBeTruthy()
})
