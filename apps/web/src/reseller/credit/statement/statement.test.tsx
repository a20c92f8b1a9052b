// @vitest-environment jsdom

import { getStatement } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, noAnswer, refuse } from '../../../../test/answers.ts'
import { anEntry } from '../../../../test/entries.ts'
import { show, useTestApi } from '../../../../test/show.tsx'
import { Statement } from './statement.tsx'

useTestApi()

test('it says how many movements there are, not how many were fetched', async () => {
  answer(getStatement, () => ({ items: [anEntry()], nextCursor: 'more', total: 1_340 }))
  const view = show(<Statement />)
  expect(await screen.findByText('1,340 movements')).toBeTruthy()
  view.unmount()
  show(<Statement />, { language: 'fa' })
  expect(await screen.findByText('۱٬۳۴۰ گردش')).toBeTruthy()
})

test('a failure is told at the top too: what the server said, or that it could not be read', async () => {
  answer(getStatement, () => noAnswer())
  const view = show(<Statement />)
  expect(await screen.findAllByText('The statement could not be read')).toHaveLength(2)
  view.unmount()
  answer(getStatement, () => refuse('UNAVAILABLE'))
  show(<Statement />)
  const [top] = await screen.findAllByRole('alert')
  expect(await within(top as HTMLElement).findByText(/cannot reach its database/)).toBeTruthy()
})
