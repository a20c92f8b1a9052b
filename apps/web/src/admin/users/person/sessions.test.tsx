import { endUserSessions, getUserSessions } from '@kelid/contract'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, callsTo } from '../../../../test/answers.ts'
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

test('ending one session or all sessions needs a confirmation', async () => {
  answer(getUserSessions, () => ({ items: [session(1), session(2)] }))
  answer(endUserSessions, () => undefined)
  show(<Sessions userEmail="sara@kelid.test" />)
  expect(await screen.findByText('2 entries')).toBeTruthy()
  await press('End the session from 198.51.100.2')
  await press('End')
  await screen.findByText('Ended.')
  expect(callsTo(endUserSessions)[0]?.body.sessionId).toBe(session(2).sessionId)
  await press('End all')
  await screen.findByText('The user must sign in again there.')
  await userEvent.click(screen.getAllByRole('button', { name: 'End all' }).at(-1) as HTMLElement)
  await screen.findByText('Ended.')
  expect(callsTo(endUserSessions)[1]?.body).not.toHaveProperty('sessionId')
})

test('ending the own session shows a warning, in Persian too', async () => {
  answer(getUserSessions, () => ({ items: [session(1, true)] }))
  show(<Sessions userEmail="sara@kelid.test" />, { language: 'fa' })
  await press('پایان همه')
  expect(await screen.findByText(/میان آن‌هاست: باید دوباره وارد شوید/)).toBeTruthy()
  await press('انصراف')
  await press('پایان نشست 198.51.100.1')
  expect(await screen.findByText('این نشست خود شماست: باید دوباره وارد شوید.')).toBeTruthy()
})

test('a user without sessions is reported', async () => {
  answer(getUserSessions, () => ({ items: [] }))
  show(<Sessions userEmail="sara@kelid.test" />)
  expect(await screen.findByText('Not signed in anywhere.')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
