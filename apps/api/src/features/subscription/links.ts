import { type AccountState, encodePart, type VpnType } from '@kelid/contract'
import { type Connection, formsOf } from '../vpn-types/vpn-types.ts'
import { cleanText } from './plain-text.ts'

export interface SubscriptionAccount extends Connection {
  accountName: string
  accountVPNType: VpnType
  accountExpireDate: Date
  accountState: AccountState
  /** '' unless the host where the account comes in has an IPv6 address. */
  address6: string
}

/** The account by each address, IPv4 first. */
export const entriesOf = (account: SubscriptionAccount): SubscriptionAccount[] => {
  const { address6: address } = account
  return [account, ...(address ? [{ ...account, address, accountName: `${nameOf(account)} IPv6` }] : [])]
}

/** The job that marks accounts as expired may be late. */
export const stateAt = (account: SubscriptionAccount, now: Date): AccountState =>
  account.accountState === 'active' && account.accountExpireDate <= now ? 'expired' : account.accountState

export const nameOf = (account: SubscriptionAccount): string => cleanText(account.accountName) || 'VPN'

export const linkOf = (account: SubscriptionAccount): string =>
  `${formsOf(account.accountVPNType).link(account)}#${encodePart(nameOf(account))}`
