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
const words = {
  en: {
    email: 'E-mail',
    password: 'Password',
    signIn: 'Log in',
    code: 'Code',
    back: 'Back to e-mail and password',
  },
  fa: { email: 'ایمیل', password: 'گذرواژه', signIn: 'ورود', code: 'کد', back: 'بازگشت به ایمیل و گذرواژه' },
} as const
type Words = (typeof words)[keyof typeof words]

beforeEach(() => {
  answer(signIn, ({ secondFactorCode }) => {
    if (secondFactorCode === undefined) refuse('SECOND_FACTOR_REQUIRED')
    if (secondFactorCode !== '123456') refuse('WRONG_CODE')
    return { token: 't', userLevel: 7 }
  })
})

async function typePassword(say: Words) {
  await userEvent.type(screen.getByLabelText(say.email), email)
  await userEvent.type(screen.getByLabelText(say.password), password)
  await userEvent.click(screen.getByRole('button', { name: say.signIn }))
  return screen.findByLabelText<HTMLInputElement>(say.code, {}, lazyTimeout)
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test.each(['en', 'fa'] as const)('in %s the code replaces the form and has the focus', async (language) => {
  const say = words[language]
  show(<SignInScreen />, { language })
  const code = await typePassword(say)
  await waitFor(() => expect(document.activeElement).toBe(code))
  expect([code.autocomplete, code.inputMode, code.dir]).toEqual(['one-time-code', 'numeric', 'ltr'])
  expect(screen.getByText(email).dir).toBe('ltr')
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(button(say.signIn).disabled).toBe(true)
  await userEvent.type(code, '۱۲۳۴۵۶')
  await userEvent.click(button(say.signIn))
  await waitFor(() => expect(sessionStore.get()).toEqual({ token: 't', userLevel: 7 }))
  expect(callsTo(signIn).at(-1)?.body).toMatchObject({ email, password, secondFactorCode: '123456' })
})

test('a wrong code can be corrected; going back restores e-mail and password', async () => {
  show(<SignInScreen />)
  const code = await typePassword(words.en)
  await userEvent.type(code, '000000{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('The code is wrong or no longer valid')
  expect([code.value, button('Log in').disabled]).toEqual(['000000', false])
  await userEvent.click(button(words.en.back))
  expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe(email)
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe(password)
  await waitFor(() => expect(button('Log in').disabled).toBe(false))
  expect(sessionStore.get()).toBeNull()
})
