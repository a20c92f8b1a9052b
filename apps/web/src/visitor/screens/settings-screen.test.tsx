import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../../test/show.tsx'
import { SettingsScreen } from './settings-screen.tsx'

test('a visitor sees a link to log in and none to the accounts', () => {
  show(<SettingsScreen />)
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/settings/login/')
  expect(screen.queryByRole('link', { name: 'VPN accounts' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull()
})
