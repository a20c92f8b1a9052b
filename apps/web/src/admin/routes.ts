import type { Namespace } from '../lib/words.ts'
import { adminPaths } from './paths.ts'

interface Row {
  readonly path: string
  readonly title: string
  readonly screen: `${string}-screen`
  /** Added to the area's namespace. */
  readonly alsoWords?: readonly Namespace[]
}

/** The router, the build and the tests read this table. */
const table = [
  { path: adminPaths.home, title: 'admin.title', screen: 'landing-screen' },
  {
    path: adminPaths.dashboard,
    title: 'menu.dashboard',
    screen: 'dashboard-screen',
    alsoWords: ['admin/dashboard'],
  },
  { path: adminPaths.accounts, title: 'allAccounts.title', screen: 'all-accounts-screen' },
  { path: adminPaths.audit, title: 'menu.audit', screen: 'audit-screen', alsoWords: ['admin/audit'] },
  {
    path: adminPaths.security,
    title: 'menu.security',
    screen: 'security-screen',
    alsoWords: ['admin/second-factor'],
  },
  { path: adminPaths.vpn, title: 'servers.title', screen: 'servers-screen' },
  { path: adminPaths.servers, title: 'servers.title', screen: 'servers-screen' },
  { path: adminPaths.managedServers, title: 'servers.title', screen: 'servers-screen' },
  { path: adminPaths.addServer, title: 'servers.add', screen: 'add-server-screen' },
  {
    path: adminPaths.server,
    title: 'servers.one',
    screen: 'server-screen',
  },
  { path: adminPaths.changeServer, title: 'servers.change', screen: 'change-server-screen' },
  { path: adminPaths.tunnels, title: 'tunnels.title', screen: 'tunnels-screen' },
  { path: adminPaths.managedTunnels, title: 'tunnels.title', screen: 'tunnels-screen' },
  { path: adminPaths.addTunnel, title: 'tunnels.add', screen: 'add-tunnel-screen' },
  {
    path: adminPaths.tunnel,
    title: 'tunnels.one',
    screen: 'tunnel-screen',
  },
  { path: adminPaths.changeTunnel, title: 'tunnels.change', screen: 'change-tunnel-screen' },
  { path: adminPaths.machine, title: 'machines.one', screen: 'machine-screen' },
  { path: adminPaths.compensations, title: 'compensations.title', screen: 'compensations-screen' },
  { path: adminPaths.people, title: 'menu.people', screen: 'people-screen' },
  { path: adminPaths.person, title: 'menu.people', screen: 'person-screen' },
  { path: adminPaths.account, title: 'adminAccounts.one', screen: 'account-screen' },
  { path: adminPaths.credit, title: 'menu.credit', screen: 'money-screen', alsoWords: ['admin/settings'] },
  {
    path: adminPaths.tunnelCredit,
    title: 'menu.tunnelCredit',
    screen: 'money-screen',
    alsoWords: ['admin/settings'],
  },
  { path: adminPaths.debt, title: 'menu.debt', screen: 'money-screen', alsoWords: ['admin/settings'] },
  { path: adminPaths.ledger, title: 'ledger.title', screen: 'ledger-screen' },
  { path: adminPaths.data, title: 'menu.data', screen: 'data-screen', alsoWords: ['admin/sales'] },
  { path: adminPaths.prices, title: 'menu.prices', screen: 'prices-screen', alsoWords: ['admin/settings'] },
  { path: adminPaths.plans, title: 'menu.plans', screen: 'plans-screen', alsoWords: ['admin/plans'] },
  {
    path: adminPaths.upgrades,
    title: 'upgrades.title',
    screen: 'upgrades-screen',
    alsoWords: ['admin/upgrades'],
  },
  {
    path: adminPaths.network,
    title: 'menu.network',
    screen: 'network-screen',
    alsoWords: ['admin/settings'],
  },
] as const satisfies readonly Row[]

export type AdminRoute = Row & { readonly screen: (typeof table)[number]['screen'] }

export const adminRoutes: readonly AdminRoute[] = table
