import { lazyScreen } from '../lib/lazy-screen.tsx'
import { paths } from '../screens/paths.ts'

/** One by one: whoever opens one account does not wait for the list of all. The service worker fetches the rest later. */
export const DashboardScreen = lazyScreen(
  async () => (await import('../screens/dashboard-screen.tsx')).DashboardScreen,
)
export const AccountsScreen = lazyScreen(
  async () => (await import('../screens/accounts-screen.tsx')).AccountsScreen,
)
export const AccountScreen = lazyScreen(
  async () => (await import('../screens/account-screen.tsx')).AccountScreen,
)
export const NewAccountScreen = lazyScreen(
  async () => (await import('../screens/new-account-screen.tsx')).NewAccountScreen,
)
export const StatementScreen = lazyScreen(
  async () => (await import('../screens/statement-screen.tsx')).StatementScreen,
)

/** In this order: an address is the first that it begins with. */
const byAddress = [
  [paths.newAccount, NewAccountScreen],
  [`${paths.accounts}.`, AccountScreen],
  [paths.accounts, AccountsScreen],
  [paths.statement, StatementScreen],
  [paths.dashboard, DashboardScreen],
] as const

export const preloadDashboardScreen = (pathname: string): Promise<unknown> | undefined =>
  byAddress.find(([start]) => new RegExp(`^${start}`).test(pathname))?.[1].preload()
