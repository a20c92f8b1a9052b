// @vitest-environment jsdom

import { getUser } from '@kelid/contract'
import { afterEach, expect, test } from 'vitest'
import { answer, callsTo } from '../../test/answers.ts'
import '../../test/setup.ts'
import { closeSession, openSession, sessionStore } from '../lib/session.ts'
import { read, Unreachable } from './api.ts'

afterEach(closeSession)

test.each([
  ['another user', () => openSession('another')],
  ['a signed-out page', closeSession],
])('a reply to an ended session does not reach %s', async (_, change) => {
  openSession('one')
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  answer(getUser, async () => {
    await gate
    return { userEmail: 'reza@example.com', userLevel: 1, userPhone: null, userContact: '' }
  })
  const reading = read(getUser, {})
  await expect.poll(() => callsTo(getUser).length).toBe(1)
  change()
  const now = sessionStore.get()
  release()
  await expect(reading).rejects.toThrow(Unreachable)
  expect(sessionStore.get()).toBe(now)
})
