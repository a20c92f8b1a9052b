import type { Access } from '@kelid/contract'
import { paths } from '../lib/paths.ts'
import type { Namespace } from '../lib/words.ts'
import { type Area, areas } from './areas.ts'

/** An address and what is there. Whoever may not open it is led to signing in, or to the next row of the same address. */
export interface Route {
  readonly path: string
  readonly area: Area
  readonly access: Access
  /** The words of its heading while it loads. */
  readonly title: string
  /** Its file in the area's folder of screens. */
  readonly screen: `${string}-screen`
  /** Its own words in place of its area's, where it needs none of those. */
  readonly words?: Namespace
  /** What it says beyond them. */
  readonly alsoWords?: readonly Namespace[]
  /** Useful before any script arrives: the page holds the whole screen. */
  readonly isPrerendered?: true
}

/** The namespaces a screen's words are in. */
export const wordsOf = ({ area, words = area, alsoWords = [] }: Route): readonly Namespace[] => [
  ...areas[area],
  words,
  ...alsoWords,
]

const forVisitors = { area: 'visitor', access: 'anyone' } as const
const forResellers = { area: 'reseller', access: 'user' } as const
const withCredit = { ...forResellers, alsoWords: ['reseller/credit'] } as const
const withPassword = { ...forVisitors, alsoWords: ['ui/password'], isPrerendered: true } as const

/** Every screen there is: the router, the guard, the built pages, the service worker and the tests read this table. */
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
  { ...withCredit, path: paths.dashboard, title: 'overview.title', screen: 'dashboard-screen' },
  { ...withCredit, path: paths.accounts, title: 'accounts.title', screen: 'accounts-screen' },
  { ...forResellers, path: paths.newAccount, title: 'accounts.create', screen: 'new-account-screen' },
  { ...forResellers, path: paths.account, title: 'accounts.one', screen: 'account-screen' },
  { ...withCredit, path: paths.statement, title: 'statement.title', screen: 'statement-screen' },
  // Its own door says who may not enter, and why; the screens behind it are in the area's table.
  {
    area: 'admin',
    access: 'anyone',
    path: `${paths.admin}*`,
    title: 'door.title',
    screen: 'admin-screen',
    words: 'admin/door',
  },
] as const satisfies readonly Route[]

export const routes: readonly Route[] = table

/** The screens of an area: the router must have a file for each. */
export type ScreenOf<A extends Area> = Extract<(typeof table)[number], { area: A }>['screen']
