import { changePassword, clientMessages, getSessions, getUser, revokeSession, signOut } from '@kelid/contract'
import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answer, api, callsTo, noAnswer } from '../../../test/answers.ts'
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
  answer(getUser, () => ({ userEmail: 'reza@example.com', userLevel: 1, userPhone: null }))
  answer(getSessions, () => ({ items: [session] }))
  api.use(http.get('*/config.json', () => HttpResponse.json({ brandContact: 'javascript:alert(1)' })))
})
afterEach(() => act(closeSession))

test('the language picker of a signed-in user is hidden', () => {
  openSession('t')
  show(<SettingsScreen />)
  expect(document.querySelector('[hidden] select')).toBeTruthy()
})

test('failed reads of user and sessions are shown in place and at the top', async () => {
  openSession('t')
  answer(getUser, () => noAnswer())
  const first = show(<SettingsScreen />)
  await waitFor(() => expect(screen.getAllByText(clientMessages.fetchingUser)).toHaveLength(2))
  first.unmount()
  answer(getUser, () => ({ userEmail: 'reza@example.com', userLevel: 1, userPhone: null }))
  answer(getSessions, () => noAnswer())
  show(<SettingsScreen />)
  await waitFor(() => expect(screen.getAllByText('Your sessions could not be read')).toHaveLength(2))
})

test('logging out forgets the token even if the server cannot be reached', async () => {
  openSession('t')
  answer(signOut, () => noAnswer())
  show(<SettingsScreen />)
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(sessionStore.get()).toBeNull())
  expect(localStorage.getItem('kelid.session')).toBeNull()
})

test('a password that is too long names the maximum, for the old password that of sign-in', async () => {
  openSession('t')
  show(<SettingsScreen />)
  const paste = async (label: string, length: number) => {
    const field = screen.getByLabelText(label)
    await userEvent.click(field)
    await userEvent.paste(`Aa1-${'x'.repeat(length - 4)}`)
    await userEvent.tab()
    return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
  }
  expect(await paste('Current password', 40)).toBe('')
  expect(await paste('New password', 40)).toBe('At most 35 characters')
})

test('another session can be ended; a contact that is not an address is text, never a link', async () => {
  openSession('t')
  answer(revokeSession, () => undefined)
  show(<SettingsScreen />)
  await userEvent.click(await screen.findByRole('button', { name: 'Log out Chrome · Android' }))
  await waitFor(() => expect(callsTo(revokeSession)[0]?.body).toMatchObject({ sessionId: session.sessionId }))
  await userEvent.click(screen.getByRole('button', { name: /days ago/ }))
  expect(screen.getByText(/last seen/).textContent).toMatch(/last seen Jan 1, 2026, /)
  const contact = await screen.findByText('javascript:alert(1)')
  expect(contact.closest('a')).toBeNull()
})

test('a new password equal to the current one shows an error and is not sent', async () => {
  answer(changePassword, () => null)
  openSession('t')
  show(<SettingsScreen />)
  await userEvent.type(screen.getByLabelText('Current password'), 'Abi-Asman-88')
  await userEvent.type(screen.getByLabelText('New password'), 'Abi-Asman-88')
  await userEvent.tab()
  expect(screen.getByText('A password other than the current one')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Change password' })).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByLabelText('New password'), '9')
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  expect(callsTo(changePassword)).toHaveLength(1)
})
