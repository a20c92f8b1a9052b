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
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anAccount, aQuote } from '../../test/accounts.ts'
import { answer } from '../../test/answers.ts'
import { holdTimers, tick, until } from '../../test/clock.ts'
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
  answer(getUser, () => ({ userEmail: 'admin@kelid.test', userLevel: 6, userPhone: null }))
  answer(getServer, () => aServer())
  answer(getTunnel, () => aTunnel())
  answer(quoteAccount, () => aQuote())
})
afterEach(() => {
  vi.useRealTimers()
  closeSession()
  configStore.set(ownOrigin)
})

type User = ReturnType<typeof userEvent.setup>

interface Redirect {
  readonly Screen: ComponentType
  readonly path: string
  readonly at?: string
  readonly to: string
  readonly afterMs: number
  readonly succeed: () => void
  readonly submit: (user: User) => Promise<void>
}

const answerAndHoldTimers = <C extends Call>(call: C, result: Parameters<typeof answer<C>>[1]) =>
  answer(call, (body) => {
    holdTimers()
    return result(body)
  })
const type = async (user: User, texts: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(texts)) {
    const field = await screen.findByLabelText(label)
    await user.clear(field)
    await user.type(field, text)
  }
}
const press = async (user: User, name: string) => user.click(await screen.findByRole('button', { name }))
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
    succeed: () => answerAndHoldTimers(signIn, () => ({ token: 'a'.repeat(43) })),
    submit: async (user) => {
      await type(user, credentials)
      await press(user, 'Log in')
    },
  },
  {
    Screen: SignUpScreen,
    path: paths.signUp,
    to: paths.signIn,
    afterMs: 2_000,
    succeed: () => answerAndHoldTimers(signUp, () => undefined),
    submit: async (user) => {
      await type(user, credentials)
      await press(user, 'Sign up')
    },
  },
  {
    Screen: SmsCheckScreen,
    path: paths.smsCheck,
    at: paths.smsCheck.replace(':phone', '09121234567'),
    to: paths.dashboard,
    afterMs: 3_000,
    succeed: () => {
      configStore.set({ ...ownOrigin, smsEnabled: true })
      answerAndHoldTimers(checkOtp, () => ({ secret: 'a'.repeat(43) }))
    },
    submit: async (user) => {
      await type(user, { Code: '1234' })
      await press(user, 'Log in')
    },
  },
  {
    Screen: NewAccountScreen,
    path: paths.newAccount,
    to: paths.accounts,
    afterMs: 2_000,
    succeed: () => answerAndHoldTimers(newAccount, () => anAccount()),
    submit: async (user) => {
      await type(user, { Name: 'ali_phone' })
      await user.selectOptions(screen.getByLabelText('VPN type'), 'hysteria2-direct')
      const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create account' })
      await until(() => !button.disabled)
      await user.click(button)
    },
  },
  {
    Screen: AddServerScreen,
    path: adminPaths.addServer,
    to: adminPaths.servers,
    afterMs: 2_000,
    succeed: () => answerAndHoldTimers(addServer, () => aServer()),
    submit: async (user) => {
      await type(user, { ...hostFields, 'Server version': '1.8.4', 'VPN version': '2.0' })
      await user.selectOptions(screen.getByLabelText('Server type'), 'hysteria')
      await press(user, 'Create')
    },
  },
  {
    Screen: AddTunnelScreen,
    path: adminPaths.addTunnel,
    to: adminPaths.tunnels,
    afterMs: 2_000,
    succeed: () => answerAndHoldTimers(addTunnel, () => aTunnel()),
    submit: async (user) => {
      await type(user, { ...hostFields, 'Tunnel version': '1.0' })
      await user.selectOptions(screen.getByLabelText('Tunnel type'), 'ssh')
      await press(user, 'Create')
    },
  },
  {
    Screen: ChangeServerScreen,
    path: adminPaths.changeServer,
    at: changeServerPath(serverUUID),
    to: adminPaths.servers,
    afterMs: 2_000,
    succeed: () => answerAndHoldTimers(changeServer, () => aServer()),
    submit: async (user) => {
      await type(user, { 'IPv4 address': '192.0.2.11' })
      await press(user, 'Change')
    },
  },
  {
    Screen: ChangeTunnelScreen,
    path: adminPaths.changeTunnel,
    at: changeTunnelPath(tunnelUUID),
    to: adminPaths.tunnels,
    afterMs: 2_000,
    succeed: () => answerAndHoldTimers(changeTunnel, () => aTunnel()),
    submit: async (user) => {
      await type(user, { 'IPv4 address': '198.51.100.8' })
      await press(user, 'Change')
    },
  },
]

test.each(redirects)(
  'a success at $path leads to $to after $afterMs ms',
  async ({ Screen, path, at = path, to, afterMs, ...rest }) => {
    rest.succeed()
    show(
      <Routes>
        <Route path={path} element={<Screen />} />
        <Route path={to} element={<p>arrived</p>} />
      </Routes>,
      { at },
    )
    const hasArrived = () => screen.queryByText('arrived') !== null
    await rest.submit(userEvent.setup({ delay: null }))
    await until(() => noticeStore.get()?.severity === 'success')
    tick(afterMs - 1)
    expect(hasArrived()).toBe(false)
    tick(1)
    expect(hasArrived()).toBe(true)
  },
)
