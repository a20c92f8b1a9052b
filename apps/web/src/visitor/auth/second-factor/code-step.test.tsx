import { signIn } from '@kelid/contract'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { isDisabled, press, retype } from '../../../../test/actions.ts'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { closeSession, sessionStore } from '../../../lib/session.ts'
import { SignInScreen } from '../../screens/sign-in-screen.tsx'

afterEach(() => act(closeSession))

const email = 'boss@example.com'
const password = 'Quiet-Harbour-7'
const lazyTimeout = { timeout: 20_000 }

test('the code replaces the form and has the focus', async () => {
  answer(signIn, ({ secondFactorCode }) =>
    secondFactorCode === '123456' ? { token: 't', userLevel: 7 } : refuse('SECOND_FACTOR_REQUIRED'),
  )
  show(<SignInScreen />)
  await retype('E-mail', email)
  await retype('Password', password)
  await press('Log in')
  const code = await screen.findByLabelText<HTMLInputElement>('Code', {}, lazyTimeout)
  await waitFor(() => expect(document.activeElement).toBe(code))
  expect([code.autocomplete, code.inputMode, code.dir]).toEqual(['one-time-code', 'numeric', 'ltr'])
  expect(screen.getByText(email).dir).toBe('ltr')
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(isDisabled('Log in')).toBe(true)
  await retype('Code', '۱۲۳۴۵۶')
  await press('Log in')
  await waitFor(() => expect(sessionStore.get()).toEqual({ token: 't', userLevel: 7 }))
  expect(callsTo(signIn).at(-1)?.body).toMatchObject({ email, password, secondFactorCode: '123456' })
})
