import { type AccountState, encodePart, type HostHealth, type Language, type VpnType } from '@kelid/contract'
import { countryOf } from '../countries/countries.ts'
import { type Connection, formsOf } from '../vpn-types/vpn-types.ts'
import { cleanText } from './plain-text.ts'

export interface SubscriptionAccount extends Connection {
  accountName: string
  accountVPNType: VpnType
  accountExpireDate: Date
  /** In Mbit/s; null: no limit. */
  speedLimit: number | null
  accountState: AccountState
  /** In bytes of the present period; null: no limit. */
  data: { bytes: number; used: number } | null
  /** Of the server; 0 for none. */
  countryId: number
  /** '' unless the host where the account comes in has an IPv6 address. */
  address6: string
}

/** One of an account's ways, where it comes in and where it goes out. */
export interface Way extends SubscriptionAccount {
  health: HostHealth
}

export interface FileFacts {
  /** PEM of our CA if it issued the certificate of a server. */
  authority: string | null
  /** A page that apps fetch to see which ways work; it answers 204. */
  checkUrl: string
}

/** Several ways of an account are named by country and type. */
export function nameWays(ways: readonly Way[], language: Language): Way[] {
  if (ways.length === 1) return [...ways]
  const times = new Map<string, number>()
  return ways.map((way) => {
    const { countryName } = countryOf(way.countryId, language)
    const name = [nameOf(way), countryName, formsOf(way.accountVPNType).label].filter(Boolean).join(' ')
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return { ...way, accountName: time === 1 ? name : `${name} ${time}` }
  })
}

export const typesOf = (ways: readonly SubscriptionAccount[]): VpnType[] =>
  ways.map(({ accountVPNType }) => accountVPNType)

/** A way by each address, IPv4 first. */
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
