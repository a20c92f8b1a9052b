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
  /** Its file in the area's folder. */
  readonly screen: `screens/${string}-screen.tsx`
  /** What it says beyond its area's words. */
  readonly alsoWords?: readonly Namespace[]
  /** Useful before any script arrives: the page holds the whole screen. */
  readonly isPrerendered?: true
}

/** The namespaces a screen's words are in. */
export const wordsOf = ({ area, alsoWords = [] }: Route): readonly Namespace[] => [
  ...areas[area].words,
  ...alsoWords,
]

/** Every screen there is: the router, the guard, the built pages, the service worker and the tests read this table. */
export const routes: readonly Route[] = [
  {
    path: paths.home,
    area: 'visitor',
    access: 'anyone',
    title: 'home.title',
    screen: 'screens/home-screen.tsx',
    isPrerendered: true,
  },
  {
    path: paths.signIn,
    area: 'visitor',
    access: 'anyone',
    title: 'auth.signInTitle',
    screen: 'screens/sign-in-screen.tsx',
    isPrerendered: true,
  },
  {
    path: paths.signUp,
    area: 'visitor',
    access: 'anyone',
    title: 'auth.signUpTitle',
    screen: 'screens/sign-up-screen.tsx',
    isPrerendered: true,
  },
  {
    path: paths.smsCheck,
    area: 'visitor',
    access: 'anyone',
    title: 'sms.title',
    screen: 'screens/sms-check-screen.tsx',
  },
  {
    path: paths.settings,
    area: 'reseller',
    access: 'user',
    title: 'settings.title',
    screen: 'screens/settings-screen.tsx',
  },
  {
    path: paths.settings,
    area: 'visitor',
    access: 'anyone',
    title: 'settings.title',
    screen: 'screens/settings-screen.tsx',
    alsoWords: ['shared'],
  },
  {
    path: paths.dashboard,
    area: 'reseller',
    access: 'user',
    title: 'overview.title',
    screen: 'screens/dashboard-screen.tsx',
  },
  {
    path: paths.accounts,
    area: 'reseller',
    access: 'user',
    title: 'accounts.title',
    screen: 'screens/accounts-screen.tsx',
  },
  {
    path: paths.newAccount,
    area: 'reseller',
    access: 'user',
    title: 'accounts.create',
    screen: 'screens/new-account-screen.tsx',
  },
  {
    path: paths.account,
    area: 'reseller',
    access: 'user',
    title: 'accounts.one',
    screen: 'screens/account-screen.tsx',
  },
  {
    path: paths.statement,
    area: 'reseller',
    access: 'user',
    title: 'statement.title',
    screen: 'screens/statement-screen.tsx',
  },
]
