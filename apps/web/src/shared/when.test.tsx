import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { show } from '../../test/show.tsx'
import { When } from './when.tsx'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

test('a date is relative, and a press or key shows the exact time', async () => {
  const date = inDays(3)
  show(<When date={date} />)
  const exact = new Date(date).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
  const when = screen.getByRole('button', { name: 'in 3 days' })
  await userEvent.click(when)
  expect(when.textContent).toBe(exact)
  await userEvent.click(when)
  expect(when.textContent).toBe('in 3 days')
  await userEvent.tab()
  await userEvent.tab()
  expect(document.activeElement).toBe(when)
  await userEvent.keyboard('{Enter}')
  expect(when.textContent).toBe(exact)
  await userEvent.keyboard(' ')
  expect(when.textContent).toBe('in 3 days')
})

test('dates use the Persian calendar and digits, also within a sentence', async () => {
  const { container } = show(
    <When date="2020-03-20T12:00:00.000Z" sentence={(when) => `دیده شد: ${when}.`} />,
    {
      language: 'fa',
    },
  )
  await userEvent.click(screen.getByRole('button', { name: /روز پیش/ }))
  expect(container.textContent).toMatch(/^دیده شد: .*۱ فروردین ۱۳۹۹.*\.$/)
})
