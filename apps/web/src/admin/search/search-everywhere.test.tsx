import { type Finding, type Language, searchEverywhere } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { bodiesTo, hrefOf, press, user } from '../../../test/actions.ts'
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
  await user.keyboard('/')
  expect(await field()).toBe(document.activeElement)
  await user.keyboard('ali')
  expect(await screen.findByText('3 found')).toBeTruthy()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('ali_home')
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(document.activeElement).toBe(await field())
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}')
  expect(screen.getByText('at /server/s-1')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('keys typed before the field exists are kept, and dropped when the search is closed', async () => {
  open()
  await user.keyboard('/ali 1')
  expect(await field()).toHaveProperty('value', 'ali 1')
  await press('Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('x/y')
  expect(await field()).toHaveProperty('value', 'y')
})

test('Enter opens the first result, but never one of an older search', async () => {
  open()
  await press('Search everywhere')
  await user.type(await field(), 'ali{Enter}')
  expect(screen.getByText('at /')).toBeTruthy()
  await screen.findByText('3 found')
  await user.keyboard('{Enter}')
  expect(screen.getByText('at /user/ali@kelid.test')).toBeTruthy()
})

test('a slash typed into a field stays text', async () => {
  open()
  await user.type(screen.getByLabelText('elsewhere'), 'a/b')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect((screen.getByLabelText('elsewhere') as HTMLInputElement).value).toBe('a/b')
})

test('a result shows its kind and owner, and typing sends one request', async () => {
  open()
  await user.keyboard('/')
  await user.type(await field(), 'ali')
  await screen.findByText('3 found')
  expect(hrefOf(/Account ali_home sara@kelid.test/)).toBe('/account/a-1')
  expect(callsTo(searchEverywhere)).toHaveLength(1)
})

test('invisible characters around a link are removed', async () => {
  open()
  await user.keyboard('/')
  await user.click(await field())
  await user.paste('\u200e https://x.test/sub/AAAAAAAAAAAAAAAAAAAAAA\u202c ')
  await screen.findByText('3 found')
  expect(bodiesTo(searchEverywhere)).toEqual([{ search: 'https://x.test/sub/AAAAAAAAAAAAAAAAAAAAAA' }])
})

test('no results, a search that is too long, and a missing answer are reported', async () => {
  open([])
  await user.keyboard('/')
  await user.type(await field(), 'zzz')
  expect(await screen.findByText(/Nothing was found/)).toBeTruthy()
  await user.clear(await field())
  await user.paste('x'.repeat(501))
  expect(await screen.findByText('At most 500 characters')).toBeTruthy()
  await user.clear(await field())
  answer(searchEverywhere, noAnswer)
  await user.type(await field(), 'yyy')
  expect(await screen.findAllByText('The search failed.')).toBeTruthy()
})
