// @vitest-environment jsdom

import { act, screen } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { show, useTestApi } from '../../test/show.tsx'
import { closeSession, openSession } from '../lib/session.ts'
import { paths } from '../screens/paths.ts'
import { canonicalPath } from './canonical-path.ts'
import { Guard } from './guard.tsx'

useTestApi()
afterEach(() => act(closeSession))

const guarded = (
  <Routes>
    <Route
      path={paths.dashboard}
      element={
        <Guard>
          <h1>Mine</h1>
        </Guard>
      }
    />
    <Route path={paths.signIn} element={<h1>Log in</h1>} />
  </Routes>
)

test('without a session a protected address leads to signing in', () => {
  for (const at of ['/dashboard/', '/dashboard']) {
    const view = show(guarded, { at })
    expect(screen.getByRole('heading').textContent).toBe('Log in')
    view.unmount()
  }
})

test('with a session it renders, and leaves the moment the session ends, in this tab or another', () => {
  openSession('a-token')
  expect(JSON.parse(localStorage.getItem('kelid.session') ?? '')).toEqual({ token: 'a-token' })
  show(guarded, { at: '/dashboard/' })
  expect(screen.getByRole('heading').textContent).toBe('Mine')
  act(() => {
    localStorage.removeItem('kelid.session')
    window.dispatchEvent(new StorageEvent('storage', { key: 'kelid.session' }))
  })
  expect(screen.getByRole('heading').textContent).toBe('Log in')
})

test('both forms of an address answer; the one with the slash is shown', () => {
  expect(canonicalPath('/settings')).toBe('/settings/')
  expect(canonicalPath('/settings/login')).toBe('/settings/login/')
  expect(canonicalPath('/dashboard/vpn/accounts/add')).toBe('/dashboard/vpn/accounts/add/')
  for (const same of ['/', '/settings/', '/nowhere', '/settings/login/check/09121234567'])
    expect(canonicalPath(same)).toBe(same)
})
