import { getAnyAccount, getAnyAccounts, getUserDetail } from '@kelid/contract'

export const showingAccount = [getAnyAccount, getAnyAccounts, getUserDetail]
