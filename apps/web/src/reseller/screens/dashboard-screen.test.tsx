import { day, getStatement, getUserAccounts } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answerBalances, manyAccounts } from '../../../test/accounts.ts'
import { hrefOf, user } from '../../../test/actions.ts'
import { answer } from '../../../test/answers.ts'
import { anEntry } from '../../../test/entries.ts'
import { show } from '../../../test/show.tsx'
import { paths } from '../../lib/paths.ts'
import { DashboardScreen } from './dashboard-screen.tsx'

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
