import { getUserSessions } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { press } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { Sessions } from './sessions.tsx'

const ownSession = {
  sessionId: '44444444-4444-4444-8444-444444444441',
  sessionCreatedDate: '2026-11-01T08:00:00.000Z',
  sessionLastSeenDate: '2026-11-02T08:00:00.000Z',
  sessionUserAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  sessionAddress: '198.51.100.1',
  sessionIsCurrent: true,
}

test('ending the own session shows a warning, in Persian too', async () => {
  answer(getUserSessions, () => ({ items: [ownSession] }))
  show(<Sessions userEmail="sara@kelid.test" />, { language: 'fa' })
  await press('پایان همه')
  expect(await screen.findByText(/میان آن‌هاست: باید دوباره وارد شوید/)).toBeTruthy()
  await press('انصراف')
  await press('پایان نشست 198.51.100.1')
  expect(await screen.findByText('این نشست خود شماست: باید دوباره وارد شوید.')).toBeTruthy()
})
