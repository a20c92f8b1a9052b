import {
  addServer,
  addTunnel,
  type Call,
  changeServer,
  changeTunnel,
  checkOtp,
  getCountries,
  getServer,
  getSshKey,
  getTunnel,
  getUser,
  newAccount,
  quoteAccount,
  signIn,
  signUp,
} from '@kelid/contract'
import { act, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anAccount, aQuote } from '../../test/accounts.ts'
import { isDisabled, press, retype, user } from '../../test/actions.ts'
import { answer } from '../../test/answers.ts'
import { aServer, aTunnel, germany, serverUUID, tunnelUUID } from '../../test/hosts.ts'
import { show } from '../../test/show.tsx'
import { adminPaths, changeServerPath, changeTunnelPath } from '../admin/paths.ts'
import { AddServerScreen } from '../admin/screens/add-server-screen.tsx'
import { AddTunnelScreen } from '../admin/screens/add-tunnel-screen.tsx'
import { ChangeServerScreen } from '../admin/screens/change-server-screen.tsx'
import { ChangeTunnelScreen } from '../admin/screens/change-tunnel-screen.tsx'
import { configStore, ownOrigin } from '../lib/config.ts'
import { noticeStore } from '../lib/notices.ts'
import { paths } from '../lib/paths.ts'
import { closeSession } from '../lib/session.ts'
import { NewAccountScreen } from '../reseller/screens/new-account-screen.tsx'
import { SignInScreen } from '../visitor/screens/sign-in-screen.tsx'
import { SignUpScreen } from '../visitor/screens/sign-up-screen.tsx'
import { SmsCheckScreen } from '../visitor/screens/sms-check-screen.tsx'

beforeEach(() => {
  answer(getCountries, () => ({ items: [germany] }))
  answer(getSshKey, () => ({ sshKey: 'ssh-ed25519 AAAAC3Nz kelid', sshKeyFingerprint: 'SHA256:abc' }))
  answer(getUser, () => ({ userEmail: 'admin@kelid.test', userLevel: 6, userPhone: null, userContact: '' }))
  answer(getServer, () => aServer())
  answer(getTunnel, () => aTunnel())
  answer(quoteAccount, () => aQuote())
})
afterEach(() => {
  vi.useRealTimers()
  closeSession()
  configStore.set(ownOrigin)
})

const tick = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))

/** Polls with setImmediate, which fake timers do not hold. */
async function until(isTrue: () => boolean) {
  while (!isTrue()) await act(() => new Promise<void>((resolve) => setImmediate(resolve)))
}

interface Redirect {
  readonly Screen: ComponentType
  readonly path: string
  readonly at?: string
  readonly to: string
  readonly afterMs: number
  readonly call: Call
  readonly result: unknown
  readonly texts: Readonly<Record<string, string>>
  readonly choice?: readonly [label: string, option: string]
  readonly button: string
}

const credentials = { 'E-mail': 'sara@kelid.test', Password: 'Quiet-Harbour-7' }
const hostFields = {
  Name: 'fra-1',
  'IPv4 address': '192.0.2.10',
  URL: 'fra1.example.com',
  Port: '443',
  'Maximum accounts': '500',
}

const redirects: readonly Redirect[] = [
  {
    Screen: SignInScreen,
    path: paths.signIn,
    to: paths.dashboard,
    afterMs: 1_000,
    call: signIn,
    result: { token: 'a'.repeat(43) },
    texts: credentials,
    button: 'Log in',
  },
  {
    Screen: SignUpScreen,
    path: paths.signUp,
    to: paths.signIn,
    afterMs: 2_000,
    call: signUp,
    result: undefined,
    texts: credentials,
    button: 'Sign up',
  },
  {
    Screen: SmsCheckScreen,
    path: paths.smsCheck,
    to: paths.dashboard,
    afterMs: 3_000,
    at: paths.smsCheck.replace(':phone', '09121234567'),
    call: checkOtp,
    result: { secret: 'a'.repeat(43) },
    texts: { Code: '1234' },
    button: 'Log in',
  },
  {
    Screen: NewAccountScreen,
    path: paths.newAccount,
    to: paths.accounts,
    afterMs: 2_000,
    call: newAccount,
    result: anAccount(),
    texts: { Name: 'ali_phone' },
    choice: ['VPN type', 'hysteria2-direct'],
    button: 'Create account',
  },
  {
    Screen: AddServerScreen,
    path: adminPaths.addServer,
    to: adminPaths.servers,
    afterMs: 2_000,
    call: addServer,
    result: aServer(),
    texts: { ...hostFields, 'Server version': '1.8.4', 'VPN version': '2.0' },
    choice: ['Server type', 'hysteria'],
    button: 'Create',
  },
  {
    Screen: AddTunnelScreen,
    path: adminPaths.addTunnel,
    to: adminPaths.tunnels,
    afterMs: 2_000,
    call: addTunnel,
    result: aTunnel(),
    texts: { ...hostFields, 'Tunnel version': '1.0' },
    choice: ['Tunnel type', 'ssh'],
    button: 'Create',
  },
  {
    Screen: ChangeServerScreen,
    path: adminPaths.changeServer,
    to: adminPaths.servers,
    afterMs: 2_000,
    at: changeServerPath(serverUUID),
    call: changeServer,
    result: aServer(),
    texts: { 'IPv4 address': '192.0.2.11' },
    button: 'Change',
  },
  {
    Screen: ChangeTunnelScreen,
    path: adminPaths.changeTunnel,
    to: adminPaths.tunnels,
    afterMs: 2_000,
    at: changeTunnelPath(tunnelUUID),
    call: changeTunnel,
    result: aTunnel(),
    texts: { 'IPv4 address': '198.51.100.8' },
    button: 'Change',
  },
]

test.each(redirects)(
  'a success at $path leads to $to after $afterMs ms',
  async ({ Screen, path, at = path, to, afterMs, call, result, texts, choice, button }) => {
    configStore.set({ ...ownOrigin, smsEnabled: true })
    answer(call, () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      return result as never
    })
    show(
      <Routes>
        <Route path={path} element={<Screen />} />
        <Route path={to} element={<p>arrived</p>} />
      </Routes>,
      { at },
    )
    for (const [label, text] of Object.entries(texts)) await retype(label, text)
    if (choice) await user.selectOptions(screen.getByLabelText(choice[0]), choice[1])
    await screen.findByRole('button', { name: button })
    await until(() => !isDisabled(button))
    await press(button)
    await until(() => noticeStore.get()?.severity === 'success')
    const hasArrived = () => screen.queryByText('arrived') !== null
    tick(afterMs - 1)
    expect(hasArrived()).toBe(false)
    tick(1)
    expect(hasArrived()).toBe(true)
  },
)
