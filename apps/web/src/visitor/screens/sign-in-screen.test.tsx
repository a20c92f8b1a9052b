import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../test/show.tsx'
import { AppRoutes } from '../../app/router.tsx'
import { configStore, ownOrigin } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'

/** Lazy screens load slowly in tests. */
const lazyTimeout = { timeout: 20_000 }
afterEach(() => act(() => configStore.set(ownOrigin)))

test('with an SMS gateway, a phone number leads to the code page', async () => {
  configStore.set({ ...ownOrigin, smsEnabled: true })
  await act(async () => void show(<AppRoutes />, { at: paths.signIn }))
  const phone = await screen.findByLabelText('Phone number', {}, lazyTimeout)
  const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Continue with a code' })
  await userEvent.type(phone, '۰۹۱۲')
  expect(next.disabled).toBe(true)
  await userEvent.type(phone, '۱۲۳۴۵۶۷')
  await act(() => userEvent.click(next))
  expect(await screen.findByRole('heading', { name: 'Enter the code' }, lazyTimeout)).toBeTruthy()
  expect(screen.getByText('09121234567')).toBeTruthy()
})

test('without an SMS gateway, the form is not offered', async () => {
  await act(async () => void show(<AppRoutes />, { at: paths.signIn }))
  await screen.findByLabelText('Password', {}, lazyTimeout)
  expect(screen.queryByLabelText('Phone number')).toBeNull()
})
