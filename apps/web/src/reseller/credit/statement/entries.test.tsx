import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { anEntry } from '../../../../test/entries.ts'
import { show } from '../../../../test/show.tsx'
import { Entries } from './entries.tsx'

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
