import { getStatement } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, noAnswer, refuse } from '../../../../test/answers.ts'
import { anEntry } from '../../../../test/entries.ts'
import { show } from '../../../../test/show.tsx'
import { Entries } from './entries.tsx'
import { Statement } from './statement.tsx'

test('the statement shows the total count, not the number of loaded entries', async () => {
  answer(getStatement, () => ({ items: [anEntry()], nextCursor: 'more', total: 1_340 }))
  const view = show(<Statement title="Statement" />)
  expect(await screen.findByText('1,340 transactions')).toBeTruthy()
  view.unmount()
  show(<Statement title="Statement" />, { language: 'fa' })
  expect(await screen.findByText('۱٬۳۴۰ گردش')).toBeTruthy()
})

test("a failed read is announced at the top, with the server's reason if there is one", async () => {
  answer(getStatement, () => noAnswer())
  const view = show(<Statement title="Statement" />)
  expect(await screen.findAllByText('The statement could not be read')).toHaveLength(2)
  view.unmount()
  answer(getStatement, () => refuse('UNAVAILABLE'))
  show(<Statement title="Statement" />)
  const [top] = await screen.findAllByRole('alert')
  expect(await within(top as HTMLElement).findByText(/cannot reach its database/)).toBeTruthy()
})

test('a failed later page is announced and can be retried', async () => {
  answer(getStatement, ({ cursor }) =>
    cursor ? noAnswer() : { items: [anEntry()], nextCursor: 'more', total: 2 },
  )
  show(<Statement title="Statement" />)
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(screen.getAllByText('The statement could not be read')).toHaveLength(2))
  answer(getStatement, () => ({ items: [anEntry({ entryId: '0' })], nextCursor: null, total: 2 }))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getAllByText('ali_phone')).toHaveLength(2))
})

test('a purchase is translated from its fields', () => {
  show(<Entries entries={[anEntry({ entryDays: 1 })]} title="" />)
  expect(screen.getByText('1 day of trojan')).toBeTruthy()
  show(<Entries entries={[anEntry({})]} title="" />, { language: 'fa' })
  expect(screen.getByText('۳۰ روز trojan')).toBeTruthy()
})

test('an entry shows a relative date, and the exact time on a press', async () => {
  const entry = anEntry({ entryDate: '2020-12-01T08:00:00.000Z' })
  const view = show(<Entries entries={[entry]} title="" />)
  await userEvent.click(screen.getByRole('button', { name: /days ago/ }))
  expect(screen.getByText(/^Dec 1, 2020, /)).toBeTruthy()
  view.unmount()
  show(<Entries entries={[entry]} title="" />, { language: 'fa' })
  await userEvent.click(screen.getByRole('button', { name: /روز پیش/ }))
  expect(screen.getByText(/۱۱ آذر ۱۳۹۹/)).toBeTruthy()
})

test('debt purchases are translated; unknown purchases and free texts stay as they are', () => {
  const nothingBought = { entryDays: null, entryVPNType: null }
  const entries = [
    anEntry({ entryId: '1', entryMovement: 'debt', entryReason: 'points bought on debt', ...nothingBought }),
    anEntry({ entryId: '2', entryReason: '30 days of wireguard', ...nothingBought }),
    anEntry({
      entryId: '3',
      entryMovement: 'adjustment',
      entryReason: '30 days of trojan',
      ...nothingBought,
    }),
  ]
  show(<Entries entries={entries} title="" />, { language: 'fa' })
  expect(screen.getByText('خرید امتیاز به‌صورت نسیه')).toBeTruthy()
  expect(screen.getByText('30 days of wireguard')).toBeTruthy()
  expect(screen.getByText('30 days of trojan')).toBeTruthy()
})
