import { getUserSessions } from '@kelid/contract'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { Sessions } from './sessions.tsx'

const session = (n: number, isCurrent = false) => ({
  sessionId: `44444444-4444-4444-8444-44444444444${n}`,
  sessionCreatedDate: '2026-11-01T08:00:00.000Z',
  sessionLastSeenDate: '2026-11-02T08:00:00.000Z',
  sessionUserAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  sessionAddress: `198.51.100.${n}`,
  sessionIsCurrent: isCurrent,
})
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('ending the own session shows a warning, in Persian too', async () => {
  answer(getUserSessions, () => ({ items: [session(1, true)] }))
  show(<Sessions userEmail="sara@kelid.test" />, { language: 'fa' })
  await press('پایان همه')
  expect(await screen.findByText(/میان آن‌هاست: باید دوباره وارد شوید/)).toBeTruthy()
  await press('انصراف')
  await press('پایان نشست 198.51.100.1')
  expect(await screen.findByText('این نشست خود شماست: باید دوباره وارد شوید.')).toBeTruthy()
})
