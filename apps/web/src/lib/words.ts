/**
 * Each folder of these has words of its own, a namespace to i18next. `app` is what every page has; a folder in another has
 * what one screen says and the others need not carry.
 */
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
  'reseller/auth',
  'reseller/credit',
  'admin',
  'admin/door',
] as const
export type Namespace = (typeof namespaces)[number]
