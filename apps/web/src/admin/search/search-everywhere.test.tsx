import { type Finding, type Language, searchEverywhere } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { answer, callsTo, noAnswer } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { SearchEverywhere } from './search-everywhere.tsx'

const findings: Finding[] = [
  { kind: 'user', id: 'ali@kelid.test', title: 'ali@kelid.test', detail: '' },
  { kind: 'account', id: 'a-1', title: 'ali_home', detail: 'sara@kelid.test' },
  { kind: 'server', id: 's-1', title: 'ali-1', detail: 'ali.example.com 192.0.2.1' },
]

const Where = () => <p>{`at ${useLocation().pathname}`}</p>

function open(items: Finding[] = findings, language: Language = 'en') {
  answer(searchEverywhere, () => ({ items }))
  return show(
    <>
      <Where />
      <input aria-label="elsewhere" />
      <SearchEverywhere pathOf={({ kind, id }) => `/${kind}/${id}`} />
    </>,
    { language },
  )
}
const field = () => screen.findByRole('searchbox')

test('a slash opens the search, arrows move through the results, and Enter opens one and closes the search', async () => {
  open()
  await userEvent.keyboard('/')
  expect(await field()).toBe(document.activeElement)
  await userEvent.keyboard('ali')
  expect(await screen.findByText('3 found')).toBeTruthy()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('ali_home')
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(document.activeElement).toBe(await field())
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}')
  expect(screen.getByText('at /server/s-1')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('keys typed before the field exists are kept, and dropped when the search is closed', async () => {
  open()
  await userEvent.keyboard('/ali 1')
  expect(await field()).toHaveProperty('value', 'ali 1')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.keyboard('x/y')
  expect(await field()).toHaveProperty('value', 'y')
})

test('Enter opens the first result, but never one of an older search', async () => {
  open()
  await userEvent.click(screen.getByRole('button', { name: 'Search everywhere' }))
  await userEvent.type(await field(), 'ali{Enter}')
  expect(screen.getByText('at /')).toBeTruthy()
  await screen.findByText('3 found')
  await userEvent.keyboard('{Enter}')
  expect(screen.getByText('at /user/ali@kelid.test')).toBeTruthy()
})

test('a slash typed into a field stays text', async () => {
  open()
  await userEvent.type(screen.getByLabelText('elsewhere'), 'a/b')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect((screen.getByLabelText('elsewhere') as HTMLInputElement).value).toBe('a/b')
})

test('a result shows its kind and owner, and typing sends one request', async () => {
  open()
  await userEvent.keyboard('/')
  await userEvent.type(await field(), 'ali')
  const link = await screen.findByRole('link', { name: /Account ali_home sara@kelid.test/ })
  expect(link.getAttribute('href')).toBe('/account/a-1')
  expect(callsTo(searchEverywhere)).toHaveLength(1)
})

test('invisible characters around a link are removed', async () => {
  open()
  await userEvent.keyboard('/')
  const box = await field()
  box.focus()
  await userEvent.paste('\u200e https://x.test/sub/AAAAAAAAAAAAAAAAAAAAAA\u202c ')
  await screen.findByText('3 found')
  expect(callsTo(searchEverywhere)[0]?.body.search).toBe('https://x.test/sub/AAAAAAAAAAAAAAAAAAAAAA')
})

test('no results, a search that is too long, and a missing answer are reported', async () => {
  open([])
  await userEvent.keyboard('/')
  await userEvent.type(await field(), 'zzz')
  expect(await screen.findByText(/Nothing was found/)).toBeTruthy()
  await userEvent.clear(await field())
  await userEvent.paste('x'.repeat(501))
  expect(await screen.findByText('At most 500 characters')).toBeTruthy()
  await userEvent.clear(await field())
  answer(searchEverywhere, noAnswer)
  await userEvent.type(await field(), 'yyy')
  expect(await screen.findAllByText('The search failed.')).toBeTruthy()
})
