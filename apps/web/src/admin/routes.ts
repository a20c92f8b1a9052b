import { adminPaths } from './paths.ts'

/** A screen of this area: its address, the words of its heading while it loads, its file in the folder of screens. */
export interface AdminRoute {
  readonly path: string
  readonly title: string
  readonly screen: `${string}-screen`
}

/** Every screen behind the door of the administration: its router, the build and the tests read this table. */
export const adminRoutes: readonly AdminRoute[] = [
  { path: adminPaths.home, title: 'admin.title', screen: 'landing-screen' },
  { path: adminPaths.people, title: 'menu.people', screen: 'people-screen' },
  { path: adminPaths.person, title: 'menu.people', screen: 'person-screen' },
  { path: adminPaths.account, title: 'adminAccounts.one', screen: 'account-screen' },
  { path: adminPaths.credit, title: 'menu.credit', screen: 'money-screen' },
  { path: adminPaths.tunnelCredit, title: 'menu.tunnelCredit', screen: 'money-screen' },
  { path: adminPaths.debt, title: 'menu.debt', screen: 'money-screen' },
  { path: adminPaths.prices, title: 'menu.prices', screen: 'prices-screen' },
]
