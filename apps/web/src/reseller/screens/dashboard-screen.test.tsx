import { clientMessages, day, getStatement, getUserAccounts } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answerBalances, manyAccounts } from '../../../test/accounts.ts'
import { answer, noAnswer, refuse } from '../../../test/answers.ts'
import { anEntry } from '../../../test/entries.ts'
import { show } from '../../../test/show.tsx'
import { noticeStore } from '../../lib/notices.ts'
import { paths } from '../../lib/paths.ts'
import { DashboardScreen } from './dashboard-screen.tsx'

function notices(): string[] {
  const texts: string[] = []
  noticeStore.subscribe(() => {
    const text = noticeStore.get()?.text
    if (text) texts.push(text)
  })
  return texts
}

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
  const soon = (await screen.findByRole('heading', { name: 'Expiring soon' })).closest(
    'section',
  ) as HTMLElement
  const more = await within(soon).findByRole('link', { name: '12 accounts' })
  expect(more.getAttribute('href')).toBe(`${paths.accounts}?state=expiring&sort=accountExpireDate`)
  expect(await screen.findByText('340 transactions')).toBeTruthy()
  expect((await screen.findByRole('link', { name: 'Active' })).getAttribute('href')).toBe(
    `${paths.accounts}?state=active`,
  )
  const [first] = within(soon).getAllByRole('button')
  const year = new Date().getFullYear()
  await userEvent.click(first as HTMLElement)
  expect(first?.textContent).toMatch(new RegExp(`, ${year}|, ${year + 1}`))
})

test("failed reads are announced at the top, with the server's reason", async () => {
  answerBalances()
  const texts = notices()
  answer(getUserAccounts, () => noAnswer())
  answer(getStatement, () => refuse('BUSY'))
  show(<DashboardScreen />)
  expect(await screen.findByText('The statement could not be read')).toBeTruthy()
  expect(await screen.findAllByText(clientMessages.fetchingAccounts)).not.toHaveLength(0)
  await waitFor(() =>
    expect(texts).toEqual(
      expect.arrayContaining([clientMessages.fetchingAccounts, 'The server is busy; try again in a moment']),
    ),
  )
})
