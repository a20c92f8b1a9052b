import { getUser } from '@kelid/contract'
import { act, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { answer, noAnswer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { closeSession, openSession } from '../../../lib/session.ts'
import { Guard } from './guard.tsx'

afterEach(() => act(closeSession))

test.each([
  ['a refusal', () => refuse('BUSY'), 'Failed to verify admin privileges'],
  ['a missing answer', noAnswer, 'Error verifying admin privileges'],
])('%s is reported and can be retried', async (_, respond, text) => {
  openSession('t')
  answer(getUser, respond)
  show(<Guard>the books</Guard>)
  expect(await screen.findAllByText(text)).toHaveLength(2)
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(screen.queryByText('the books')).toBeNull()
})
