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
  { path: adminPaths.dashboard, title: 'menu.dashboard', screen: 'dashboard-screen' },
  { path: adminPaths.accounts, title: 'allAccounts.title', screen: 'all-accounts-screen' },
  { path: adminPaths.audit, title: 'menu.audit', screen: 'audit-screen' },
  { path: adminPaths.security, title: 'menu.security', screen: 'security-screen' },
]
