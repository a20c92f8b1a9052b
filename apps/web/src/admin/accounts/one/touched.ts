import { getAnyAccount, getAnyAccounts, getUserDetail } from '@kelid/contract'

export const accountReads = [getAnyAccount, getAnyAccounts, getUserDetail]
