import { signIn } from '@kelid/contract'
import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { closeSession, sessionStore } from '../../../lib/session.ts'
import { SignInScreen } from '../../screens/sign-in-screen.tsx'

afterEach(() => act(closeSession))

const email = 'boss@example.com'
const password = 'Quiet-Harbour-7'
const lazyTimeout = { timeout: 20_000 }
beforeEach(() => {
  answer(signIn, ({ secondFactorCode }) => {
    if (secondFactorCode === undefined) refuse('SECOND_FACTOR_REQUIRED')
    if (secondFactorCode !== '123456') refuse('WRONG_CODE')
    return { token: 't', userLevel: 7 }
  })
})

test('the code replaces the form and has the focus', async () => {
  show(<SignInScreen />)
  await userEvent.type(screen.getByLabelText('E-mail'), email)
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
  const code = await screen.findByLabelText<HTMLInputElement>('Code', {}, lazyTimeout)
  await waitFor(() => expect(document.activeElement).toBe(code))
  expect([code.autocomplete, code.inputMode, code.dir]).toEqual(['one-time-code', 'numeric', 'ltr'])
  expect(screen.getByText(email).dir).toBe('ltr')
  expect(screen.getByRole('alert').textContent).toBe('')
  const logIn = screen.getByRole('button', { name: 'Log in' })
  expect(logIn).toHaveProperty('disabled', true)
  await userEvent.type(code, '۱۲۳۴۵۶')
  await userEvent.click(logIn)
  await waitFor(() => expect(sessionStore.get()).toEqual({ token: 't', userLevel: 7 }))
  expect(callsTo(signIn).at(-1)?.body).toMatchObject({ email, password, secondFactorCode: '123456' })
})
