import { type Language, signIn, signUp } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { isDisabled, press, retype, user } from '../../../test/actions.ts'
import { answer, callsTo, noAnswer, refuse } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { CredentialsForm } from './credentials-form.tsx'

const form = (call: typeof signIn | typeof signUp) => (
  <CredentialsForm
    callOf={() => call}
    submitLabel="Go"
    onSubmit={async (values, { act }) => {
      await act(call, values)
    }}
  />
)
const email = (language: Language = 'en') =>
  screen.getByLabelText<HTMLInputElement>({ en: 'E-mail', fa: 'ایمیل' }[language])
const password = (language: Language = 'en') =>
  screen.getByLabelText<HTMLInputElement>({ en: 'Password', fa: 'گذرواژه' }[language])
const good = 'Quiet-Harbour-7'

test('the button is disabled until both fields follow the rules of the contract', async () => {
  show(form(signUp))
  expect(isDisabled('Go')).toBe(true)
  await retype('E-mail', 'name@example.com')
  expect(isDisabled('Go')).toBe(true)
  for (const bad of ['Sh0rt-x', 'no-digits-Here', 'n0-upper-case', 'N0-LOWER-CASE', 'N0specialHere']) {
    await retype('Password', bad)
    expect(isDisabled('Go'), bad).toBe(true)
  }
  await retype('Password', good)
  expect(isDisabled('Go')).toBe(false)
})

const noteOf = (input: HTMLInputElement) =>
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent

test.each([
  ['sign-up', signUp, 'en', 36, 'At most 35 characters'],
  ['sign-up', signUp, 'fa', 36, 'حداکثر ۳۵ نویسه'],
  ['sign-in', signIn, 'en', 51, 'At most 50 characters'],
  ['sign-in', signIn, 'fa', 51, 'حداکثر ۵۰ نویسه'],
] as const)(
  'at %s in %s a text that is too long names the maximum',
  async (_, call, language, length, reason) => {
    show(form(call), { language })
    const [first, second] = [email(language), password(language)]
    await user.click(first)
    await user.paste(`${'n'.repeat(length - '@example.com'.length)}@example.com`)
    await user.click(second)
    await user.paste(`${good}${'x'.repeat(length - good.length)}`)
    await user.tab()
    expect([noteOf(first), noteOf(second)]).toEqual([reason, reason])
  },
)

test('two presses make one call', async () => {
  let release = () => {}
  answer(signIn, async () => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return { token: 't' }
  })
  show(form(signIn))
  await user.type(email(), ' name@example.com ')
  await retype('Password', good)
  await user.dblClick(screen.getByRole('button', { name: 'Go' }))
  await user.type(password(), '{Enter}')
  await waitFor(() => expect(callsTo(signIn)).toHaveLength(1))
  expect(isDisabled('Go')).toBe(true)
  expect(callsTo(signIn)[0]?.body).toMatchObject({
    client: 'web',
    clientVersion: '1.0',
    email: 'name@example.com',
  })
  release()
})

test('after a refusal or a missing answer the input is kept and the button is enabled', async () => {
  show(form(signIn), { language: 'en' })
  await retype('E-mail', 'name@example.com')
  await retype('Password', good)
  answer(signIn, () => refuse('WRONG_CREDENTIALS'))
  await press('Go')
  expect((await screen.findByRole('alert')).textContent).toContain('The e-mail or the password is wrong')
  expect([email().value, password().value, isDisabled('Go')]).toEqual(['name@example.com', good, false])
  answer(signIn, () => noAnswer())
  await press('Go')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('No answer from the server'))
  expect([email().value, password().value, isDisabled('Go')]).toEqual(['name@example.com', good, false])
})
