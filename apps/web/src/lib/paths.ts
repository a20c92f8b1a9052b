/** Routes match with and without the trailing slash; links have it. */
export const paths = {
  home: '/',
  settings: '/settings/',
  signIn: '/settings/login/',
  signUp: '/settings/signup/',
  smsCheck: '/settings/login/check/:phone',
  dashboard: '/dashboard/',
  accounts: '/dashboard/vpn/accounts/',
  newAccount: '/dashboard/vpn/accounts/add/',
  account: '/dashboard/vpn/accounts/:accountUUID',
  statement: '/dashboard/statement/',
  admin: '/admin/',
} as const

export const accountPath = (accountUUID: string): string => paths.account.replace(':accountUUID', accountUUID)

export const smsCheckPath = (phone: string): string =>
  paths.smsCheck.replace(':phone', encodeURIComponent(phone))
