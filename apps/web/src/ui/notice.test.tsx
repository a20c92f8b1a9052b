import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../../test/show.tsx'
import { notify } from '../lib/notices.ts'
import { Dialog } from '../shared/dialogs/dialog.tsx'

afterEach(() => vi.useRealTimers())

const say = (...args: Parameters<typeof notify>) => act(() => notify(...args))

test('an auto-hide notice disappears after six seconds and has no close button', () => {
  vi.useFakeTimers()
  show(null)
  say('Saved', 'success', true)
  expect(screen.getByText('Saved')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  act(() => vi.advanceTimersByTime(5_999))
  expect(screen.queryByText('Saved')).toBeTruthy()
  act(() => vi.advanceTimersByTime(1))
  expect(screen.queryByText('Saved')).toBeNull()
})

test('any other notice stays until its close button is pressed', async () => {
  show(null)
  say('The server failed', 'error', false)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText('The server failed')).toBeNull()
})

test('errors are announced at once, the rest politely, each with its severity in words', () => {
  show(null, { language: 'fa' })
  say('الف', 'error', false)
  expect(within(screen.getByRole('alert')).getByText('الف')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toContain('خطا')
  say('ب', 'warning')
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(screen.getByRole('status').textContent).toContain('هشدار: ب')
})

test('a new notice replaces the old one, whose timer does not remove it', () => {
  vi.useFakeTimers()
  show(null)
  say('first', 'info')
  act(() => vi.advanceTimersByTime(4_000))
  say('second', 'info')
  act(() => vi.advanceTimersByTime(4_000))
  expect(screen.queryByText('first')).toBeNull()
  expect(screen.getByText('second')).toBeTruthy()
})

test('above an open dialog the notice is rendered inside it, and outlives it', async () => {
  const view = show(
    <Dialog title="Renew" onClose={() => {}}>
      days
    </Dialog>,
  )
  say('Not enough credit', 'error', false)
  expect(within(screen.getByRole('dialog')).getByText('Not enough credit')).toBeTruthy()
  act(() => document.querySelector('dialog')?.close())
  expect(await screen.findByText('Not enough credit')).toBeTruthy()
  expect(document.querySelector('dialog')?.textContent).not.toContain('Not enough credit')
  view.unmount()
})
