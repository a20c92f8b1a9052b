import { getAnyAccount, getAnyAccounts, getUserDetail } from '@kelid/contract'

/** Whatever shows an account to an administrator. */
export const showingAccount = [getAnyAccount, getAnyAccounts, getUserDetail]
