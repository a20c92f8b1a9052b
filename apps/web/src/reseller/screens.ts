/** The list is separate, so that only users who enter the area download it. */
export const screens = {
  'account-screen': () => import('./screens/account-screen.tsx'),
  'accounts-screen': () => import('./screens/accounts-screen.tsx'),
  'dashboard-screen': () => import('./screens/dashboard-screen.tsx'),
  'new-account-screen': () => import('./screens/new-account-screen.tsx'),
  'settings-screen': () => import('./screens/settings-screen.tsx'),
  'statement-screen': () => import('./screens/statement-screen.tsx'),
}
