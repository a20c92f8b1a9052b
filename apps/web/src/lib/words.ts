/** i18next namespaces are folders. `app` is on every page; a nested folder holds the words of one screen. */
export const namespaces = [
  'app',
  'calls',
  'shared',
  'ui/appearance',
  'ui/password',
  'visitor',
  'visitor/home',
  'visitor/auth/second-factor',
  'reseller',
  'reseller/accounts/new',
  'reseller/auth',
  'reseller/credit',
  'admin',
  'admin/entry',
  'admin/audit',
  'admin/dashboard',
  'admin/plans',
  'admin/second-factor',
  'admin/settings',
  'admin/upgrades',
] as const
export type Namespace = (typeof namespaces)[number]
