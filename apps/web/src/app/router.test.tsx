import { getStatement } from '@kelid/contract'
import { act, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { answer, api } from '../../test/answers.ts'
import { show } from '../../test/show.tsx'
import { paths } from '../lib/paths.ts'
import { closeSession, openSession } from '../lib/session.ts'
import { canonicalPath } from './canonical-path.ts'
import { AppRoutes } from './router.tsx'
import { routes } from './routes.ts'

afterEach(() => act(closeSession))
/** Lazy screens load slowly in tests. */
const lazyTimeout = { timeout: 20_000 }
const heading = (name: string) => screen.findByRole('heading', { name }, lazyTimeout)
const open = (at: string) => act(async () => show(<AppRoutes />, { at }))

test.each(routes.filter(({ access }) => access !== 'anyone').map(({ path }) => path))(
  '%s is not shown without a session',
  async (path) => {
    await open(path)
    await heading(path === paths.settings ? 'Settings' : 'Log in')
    expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull()
  },
)

test('a session opens the screen, and its end in any tab closes it', async () => {
  answer(getStatement, () => ({ items: [], nextCursor: null }))
  api.use(http.get('*/api/v1/events', () => HttpResponse.error()))
  openSession('a-token')
  expect(JSON.parse(localStorage.getItem('kelid.session') ?? '')).toEqual({ token: 'a-token' })
  await open(paths.statement)
  await heading('Statement')
  act(() => {
    localStorage.removeItem('kelid.session')
    window.dispatchEvent(new StorageEvent('storage', { key: 'kelid.session' }))
  })
  await heading('Log in')
})

test('both forms of an address match, and the one with the slash is shown', () => {
  expect(canonicalPath('/settings')).toBe('/settings/')
  expect(canonicalPath('/settings/login')).toBe('/settings/login/')
  expect(canonicalPath('/dashboard/vpn/accounts/add')).toBe('/dashboard/vpn/accounts/add/')
  for (const same of ['/', '/settings/', '/nowhere', '/settings/login/check/09121234567'])
    expect(canonicalPath(same)).toBe(same)
})
