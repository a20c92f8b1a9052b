// @vitest-environment jsdom

import { getUser } from '@kelid/contract'
import { afterEach, expect, test } from 'vitest'
import { answer, askedFor } from '../../test/answers.ts'
import { useTestApi } from '../../test/show.tsx'
import { closeSession, openSession, sessionStore } from '../lib/session.ts'
import { read, Unreachable } from './api.ts'

useTestApi()
afterEach(closeSession)

test.each([
  ['somebody else', () => openSession('another')],
  ['nobody', closeSession],
])('what was asked in one session is not told to %s, who came after it', async (_, change) => {
  openSession('one')
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  answer(getUser, async () => {
    await gate
    return { userEmail: 'reza@example.com', userLevel: 1, userPhone: null }
  })
  const reading = read(getUser, {})
  await expect.poll(() => askedFor(getUser).length).toBe(1)
  change()
  const now = sessionStore.get()
  letGo()
  await expect(reading).rejects.toThrow(Unreachable)
  expect(sessionStore.get()).toBe(now)
})
