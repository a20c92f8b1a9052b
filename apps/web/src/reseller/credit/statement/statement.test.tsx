import { getStatement } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, noAnswer, refuse } from '../../../../test/answers.ts'
import { anEntry } from '../../../../test/entries.ts'
import { show } from '../../../../test/show.tsx'
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
