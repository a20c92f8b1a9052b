import { changePassword, getSessions, getUser, revokeSession, setContact, signOut } from '@kelid/contract'
import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fieldValue, isDisabled, press, retype, user } from '../../../test/actions.ts'
import { answer, api, callsTo, noAnswer, refuse } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { closeSession, openSession, sessionStore } from '../../lib/session.ts'
import { SettingsScreen } from './settings-screen.tsx'

const session = {
  sessionId: '3f1f3f9e-6f5b-4c9e-9a53-0b8f6c2b7a11',
  sessionCreatedDate: '2026-01-01T00:00:00.000Z',
  sessionLastSeenDate: '2026-01-01T00:00:00.000Z',
  sessionUserAgent: 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36',
  sessionAddress: '198.51.100.7',
  sessionIsCurrent: false,
}
beforeEach(() => {
  answer(getUser, () => ({ userEmail: 'reza@example.com', userLevel: 1, userPhone: null, userContact: '' }))
  answer(getSessions, () => ({ items: [session] }))
  api.use(http.get('*/config.json', () => HttpResponse.json({ brandContact: 'javascript:alert(1)' })))
  openSession('t')
})
afterEach(() => act(closeSession))

test('the language picker of a signed-in user is hidden', () => {
  show(<SettingsScreen />)
  expect(document.querySelector('[hidden] select')).toBeTruthy()
})

test('logging out forgets the token even if the server cannot be reached', async () => {
  answer(signOut, () => noAnswer())
  show(<SettingsScreen />)
  await press('Log out')
  await waitFor(() => expect(sessionStore.get()).toBeNull())
  expect(localStorage.getItem('kelid.session')).toBeNull()
})

test('a password that is too long names the maximum, for the old password that of sign-in', async () => {
  show(<SettingsScreen />)
  const paste = async (label: string, length: number) => {
    const field = screen.getByLabelText(label)
    await user.click(field)
    await user.paste(`Aa1-${'x'.repeat(length - 4)}`)
    await user.tab()
    return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
  }
  expect(await paste('Current password', 40)).toBe('')
  expect(await paste('New password', 40)).toBe('At most 35 characters')
})

test('another session can be ended; a contact that is not an address is text, never a link', async () => {
  answer(revokeSession, () => undefined)
  show(<SettingsScreen />)
  await press('Log out Chrome · Android')
  await waitFor(() => expect(callsTo(revokeSession)[0]?.body).toMatchObject({ sessionId: session.sessionId }))
  await press(/days ago/)
  expect(screen.getByText(/last seen/).textContent).toMatch(/last seen Jan 1, 2026, /)
  const contact = await screen.findByText('javascript:alert(1)')
  expect(contact.closest('a')).toBeNull()
})

test('the contact for customers is saved, and a text that is too long is refused with the reason', async () => {
  let userContact = '@before'
  answer(getUser, () => ({ userEmail: 'reza@example.com', userLevel: 1, userPhone: null, userContact }))
  answer(setContact, () => {
    userContact = '@after'
    return { userContact }
  })
  show(<SettingsScreen />)
  await screen.findByLabelText('How they reach you')
  expect(fieldValue('How they reach you')).toBe('@before')
  expect(isDisabled('Save contact')).toBe(true)
  await retype('How they reach you', 'x'.repeat(101))
  await user.tab()
  expect(await screen.findByText('Plain text, at most 100 characters')).toBeTruthy()
  expect(isDisabled('Save contact')).toBe(true)
  await retype('How they reach you', '@after')
  await press('Save contact')
  await screen.findByText('Contact saved. Your customers see it at once.')
  await waitFor(() => expect(isDisabled('Save contact')).toBe(true))
  expect(callsTo(setContact).map(({ body }) => body)).toMatchObject([{ userContact: '@after' }])
})

test('a server that knows no contact of resellers gets no field for it', async () => {
  answer(getUser, () => ({ userEmail: 'reza@example.com', userLevel: 1, userPhone: null }) as never)
  show(<SettingsScreen />)
  await screen.findByText('reza@example.com')
  expect(screen.queryByLabelText('How they reach you')).toBeNull()
})

test('a new password that equals the current one is not sent, and a refused one is kept', async () => {
  show(<SettingsScreen />)
  await retype('Current password', 'Abi-Asman-88')
  await retype('New password', 'Abi-Asman-88')
  await user.tab()
  expect(screen.getByText('A password other than the current one')).toBeTruthy()
  expect(isDisabled('Change password')).toBe(true)
  await retype('New password', 'Abi-Asman-889')
  answer(changePassword, () => refuse('WRONG_CREDENTIALS'))
  await press('Change password')
  expect(await screen.findAllByText(/password is wrong/)).not.toHaveLength(0)
  expect(fieldValue('New password')).toBe('Abi-Asman-889')
  answer(changePassword, () => null)
  await press('Change password')
  await waitFor(() => expect(fieldValue('Current password')).toBe(''))
  expect(callsTo(changePassword)).toHaveLength(2)
})
