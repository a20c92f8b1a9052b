import { getUser, type Language } from '@kelid/contract'
import { act, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { answer, noAnswer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { closeSession, openSession } from '../../../lib/session.ts'
import { Guard } from './guard.tsx'

afterEach(() => act(closeSession))

const open = (language: Language = 'en') => show(<Guard>the books</Guard>, { language })
const somebody = { userEmail: 'a@kelid.test', userPhone: null }

test('an administrator enters', async () => {
  openSession('t')
  answer(getUser, () => ({ ...somebody, userLevel: 6 }))
  open()
  expect(await screen.findByText('the books')).toBeTruthy()
})

test('a user of level 5 is refused with a reason', async () => {
  openSession('t')
  answer(getUser, () => ({ ...somebody, userLevel: 5 }))
  open()
  expect(await screen.findByRole('heading', { name: 'ADMIN ACCESS DENIED' })).toBeTruthy()
  expect(screen.getByText('Access Denied - Admin privileges required')).toBeTruthy()
  expect(await screen.findByText('Access denied. Admin privileges required.')).toBeTruthy()
  expect(screen.queryByText('the books')).toBeNull()
})

test('without a session nothing is requested, and a link to sign-in is shown', async () => {
  open()
  expect(screen.getByRole('heading', { name: 'ADMIN ACCESS DENIED' })).toBeTruthy()
  expect((await screen.findAllByText('Please login to access management')).length).toBe(2)
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy()
})

test('the guard is translated into Persian', async () => {
  open('fa')
  expect(screen.getByRole('link', { name: 'ورود' })).toBeTruthy()
})

test('a refusal and a missing answer show different messages', async () => {
  openSession('t')
  answer(getUser, () => refuse('BUSY'))
  open()
  expect((await screen.findAllByText('Failed to verify admin privileges')).length).toBe(2)
})

test('a missing answer is reported', async () => {
  openSession('t')
  answer(getUser, noAnswer)
  open()
  expect((await screen.findAllByText('Error verifying admin privileges')).length).toBe(2)
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
