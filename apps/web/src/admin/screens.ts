import type { ComponentType } from 'react'
import type { AdminRoute } from './routes.ts'

/** The list is separate from the table, so that only users who enter the area download it. */
export const screens: Record<AdminRoute['screen'], () => Promise<Record<string, ComponentType>>> = {
  'account-screen': () => import('./screens/account-screen.tsx'),
  'add-server-screen': () => import('./screens/add-server-screen.tsx'),
  'add-tunnel-screen': () => import('./screens/add-tunnel-screen.tsx'),
  'all-accounts-screen': () => import('./screens/all-accounts-screen.tsx'),
  'audit-screen': () => import('./screens/audit-screen.tsx'),
  'change-server-screen': () => import('./screens/change-server-screen.tsx'),
  'change-tunnel-screen': () => import('./screens/change-tunnel-screen.tsx'),
  'compensations-screen': () => import('./screens/compensations-screen.tsx'),
  'dashboard-screen': () => import('./screens/dashboard-screen.tsx'),
  'data-screen': () => import('./screens/data-screen.tsx'),
  'landing-screen': () => import('./screens/landing-screen.tsx'),
  'ledger-screen': () => import('./screens/ledger-screen.tsx'),
  'machine-screen': () => import('./screens/machine-screen.tsx'),
  'money-screen': () => import('./screens/money-screen.tsx'),
  'network-screen': () => import('./screens/network-screen.tsx'),
  'people-screen': () => import('./screens/people-screen.tsx'),
  'person-screen': () => import('./screens/person-screen.tsx'),
  'plans-screen': () => import('./screens/plans-screen.tsx'),
  'prices-screen': () => import('./screens/prices-screen.tsx'),
  'security-screen': () => import('./screens/security-screen.tsx'),
  'server-screen': () => import('./screens/server-screen.tsx'),
  'servers-screen': () => import('./screens/servers-screen.tsx'),
  'tunnel-screen': () => import('./screens/tunnel-screen.tsx'),
  'tunnels-screen': () => import('./screens/tunnels-screen.tsx'),
  'upgrades-screen': () => import('./screens/upgrades-screen.tsx'),
}
