import { day, getSales, getStatement, getUserAccounts, gigabyte } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answerBalances, manyAccounts } from '../../../test/accounts.ts'
import { hrefOf, user } from '../../../test/actions.ts'
import { answer, refuse } from '../../../test/answers.ts'
import { anEntry } from '../../../test/entries.ts'
import { show } from '../../../test/show.tsx'
import { paths } from '../../lib/paths.ts'
import { DashboardScreen } from './dashboard-screen.tsx'

const noSales = { salesByPlan: [], pointsPerDay: null, pointsPerGB: null }

test('each list shows its count and a link, and a press shows the exact expiry', async () => {
  answerBalances()
  const expiring = manyAccounts(5).map((account, n) => ({
    ...account,
    accountExpireDate: new Date(Date.now() + (n + 1.5) * day).toISOString(),
  }))
  answer(getUserAccounts, ({ state }) =>
    state === 'expiring'
      ? { items: expiring, nextCursor: 'more', total: 12 }
      : { items: [], nextCursor: null, total: state === 'active' ? 40 : 0 },
  )
  answer(getStatement, () => ({ items: [anEntry()], nextCursor: 'more', total: 340 }))
  answer(getSales, () => noSales)
  show(<DashboardScreen />)
  const more = await screen.findByRole('link', { name: '12 accounts' })
  const soon = more.closest('section') as HTMLElement
  expect(within(soon).getByRole('heading', { name: 'Expiring soon' })).toBeTruthy()
  expect(more.getAttribute('href')).toBe(`${paths.accounts}?state=expiring&sort=accountExpireDate`)
  expect(await screen.findByText('340 transactions')).toBeTruthy()
  expect(hrefOf('Active')).toBe(`${paths.accounts}?state=active`)
  const [first] = within(soon).getAllByRole('button')
  const year = new Date().getFullYear()
  await user.click(first as HTMLElement)
  expect(first?.textContent).toMatch(new RegExp(`, ${year}|, ${year + 1}`))
})

function answerOthers() {
  answerBalances()
  answer(getStatement, () => ({ items: [anEntry()], nextCursor: null, total: 1 }))
}

test('accounts that end by their data are listed beside those that end by their days', async () => {
  answerOthers()
  answer(getSales, () => noSales)
  const [account, other] = manyAccounts(2)
  answer(getUserAccounts, ({ state }) =>
    state === 'lowData' && account && other
      ? {
          items: [
            { ...account, accountDataLimit: 10, accountDataUsed: 9 * gigabyte },
            { ...other, accountDataLimit: null, accountDataUsed: 0 },
          ],
          nextCursor: null,
          total: 8,
        }
      : { items: [], nextCursor: null, total: 0 },
  )
  show(<DashboardScreen />)
  const more = await screen.findByRole('link', { name: '8 accounts are running low on data' })
  expect(more.getAttribute('href')).toBe(`${paths.accounts}?state=lowData`)
  const soon = more.closest('section') as HTMLElement
  expect(
    within(soon)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([`${account?.accountName}\u20681 GB\u2069 left`])
})

test('sales are shown by plan, with what a day and a GB cost', async () => {
  answerOthers()
  answer(getUserAccounts, () => ({ items: [], nextCursor: null, total: 0 }))
  answer(getSales, () => ({
    salesByPlan: [
      { planName: 'Month', purchases: 12, points: 5_400 },
      { planName: null, purchases: 3, points: 400 },
    ],
    pointsPerDay: 15.5 / 1.5,
    pointsPerGB: null,
  }))
  show(<DashboardScreen />)
  const table = await screen.findByRole('table', { name: 'Sold in the last 30 days' })
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Month125,400', 'Without a plan3400'])
  expect(screen.getByText('A day cost 10.33 points on average.')).toBeTruthy()
  expect(screen.queryByText(/A GB cost/)).toBe(null)
})

test('a server without sales has no such section', async () => {
  answerOthers()
  answer(getUserAccounts, () => ({ items: [], nextCursor: null, total: 0 }))
  answer(getSales, () => refuse('RESOURCE_NOT_FOUND'))
  show(<DashboardScreen />)
  expect(await screen.findByText('1 transaction')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Sold in the last 30 days' })).toBe(null)
})
