import { getStatement } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { press } from '../../../../test/actions.ts'
import { answer, noAnswer } from '../../../../test/answers.ts'
import { anEntry } from '../../../../test/entries.ts'
import { show } from '../../../../test/show.tsx'
import { Entries } from './entries.tsx'
import { Statement } from './statement.tsx'

test('the statement shows the total count, not the number of loaded entries', async () => {
  answer(getStatement, () => ({ items: [anEntry()], nextCursor: 'more', total: 1_340 }))
  show(<Statement title="Statement" />)
  expect(await screen.findByText('1,340 transactions')).toBeTruthy()
})

test('a failed later page is announced and can be retried', async () => {
  answer(getStatement, ({ cursor }) =>
    cursor ? noAnswer() : { items: [anEntry()], nextCursor: 'more', total: 2 },
  )
  show(<Statement title="Statement" />)
  await press('Show more')
  await waitFor(() => expect(screen.getAllByText('The statement could not be read')).toHaveLength(2))
  answer(getStatement, () => ({ items: [anEntry({ entryId: '0' })], nextCursor: null, total: 2 }))
  await press('Try again')
  await waitFor(() => expect(screen.getAllByText('ali_phone')).toHaveLength(2))
})

test('a purchase is translated from its fields', () => {
  show(<Entries entries={[anEntry({ entryDays: 1 })]} title="" />)
  expect(screen.getByText('1 day of trojan')).toBeTruthy()
  show(<Entries entries={[anEntry({})]} title="" />, { language: 'fa' })
  expect(screen.getByText('۳۰ روز trojan')).toBeTruthy()
  show(<Entries entries={[anEntry({ entryWays: 2 })]} title="" />)
  expect(screen.getByText('30 days of trojan + 2 further ways')).toBeTruthy()
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
