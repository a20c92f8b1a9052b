// @vitest-environment jsdom

import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show, useTestApi } from '../../../test/show.tsx'
import { SettingsScreen } from './settings-screen.tsx'

useTestApi()

test('signed out it offers to log in, and no way to the accounts', () => {
  show(<SettingsScreen />)
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/settings/login/')
  expect(screen.queryByRole('link', { name: 'VPN accounts' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull()
})
