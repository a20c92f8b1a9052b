import type { Access } from '@kelid/contract'
import { paths } from '../lib/paths.ts'
import type { Namespace } from '../lib/words.ts'
import { type Area, areas } from './areas.ts'

/** Users without access go to sign-in, or to the next row with the same path. */
export interface Route {
  readonly path: string
  readonly area: Area
  readonly access: Access
  readonly title: string
  readonly screen: `${string}-screen`
  /** Replaces the area's namespace. */
  readonly words?: Namespace
  /** Added to the area's namespace. */
  readonly alsoWords?: readonly Namespace[]
  /** The page contains the whole screen, which is useful before any script loads. */
  readonly isPrerendered?: true
}

export const wordsOf = ({ area, words = area, alsoWords = [] }: Route): readonly Namespace[] => [
  ...areas[area],
  words,
  ...alsoWords,
]

const forVisitors = { area: 'visitor', access: 'anyone' } as const
const forResellers = { area: 'reseller', access: 'user' } as const
const withCredit = { ...forResellers, alsoWords: ['reseller/credit'] } as const
const withPassword = { ...forVisitors, alsoWords: ['ui/password'], isPrerendered: true } as const

/** The router, the guard, the build, the service worker and the tests read this table. */
const table = [
  {
    ...forVisitors,
    path: paths.home,
    title: 'home.title',
    screen: 'home-screen',
    words: 'visitor/home',
    isPrerendered: true,
  },
  { ...withPassword, path: paths.signIn, title: 'auth.signInTitle', screen: 'sign-in-screen' },
  { ...withPassword, path: paths.signUp, title: 'auth.signUpTitle', screen: 'sign-up-screen' },
  { ...forVisitors, path: paths.smsCheck, title: 'sms.title', screen: 'sms-check-screen' },
  {
    ...forResellers,
    path: paths.settings,
    title: 'settings.title',
    screen: 'settings-screen',
    words: 'reseller/auth',
    alsoWords: ['ui/appearance', 'ui/password'],
  },
  {
    ...forVisitors,
    path: paths.settings,
    title: 'settings.title',
    screen: 'settings-screen',
    alsoWords: ['ui/appearance'],
  },
  {
    ...forResellers,
    path: paths.dashboard,
    title: 'overview.title',
    screen: 'dashboard-screen',
    alsoWords: ['reseller/credit', 'reseller/accounts/overview'],
  },
  { ...withCredit, path: paths.accounts, title: 'accounts.title', screen: 'accounts-screen' },
  {
    ...forResellers,
    path: paths.newAccount,
    title: 'accounts.create',
    screen: 'new-account-screen',
    alsoWords: ['reseller/accounts/new'],
  },
  { ...forResellers, path: paths.account, title: 'accounts.one', screen: 'account-screen' },
  { ...withCredit, path: paths.statement, title: 'statement.title', screen: 'statement-screen' },
  // Its own guard explains who may not enter.
  {
    area: 'admin',
    access: 'anyone',
    path: `${paths.admin}*`,
    title: 'entry.title',
    screen: 'admin-screen',
    words: 'admin/entry',
  },
] as const satisfies readonly Route[]

export const routes: readonly Route[] = table

export type ScreenOf<A extends Area> = Extract<(typeof table)[number], { area: A }>['screen']
