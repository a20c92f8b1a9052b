import { type AccountState, encodePart, type VpnType } from '@kelid/contract'
import { cleanText } from './plain-text.ts'

export interface SubscriptionAccount {
  accountName: string
  accountVPNType: VpnType
  /** A UUID: clients differ in how they decode anything but [0-9a-f-] here. */
  secret: string
  /** The IPv4 the client connects to: the tunnel's when there is one, else the server's. */
  address: string
  port: number
  /** The TLS name. */
  serverName: string
  /** SHA-256 of the product's own authority where that signs for the server, in hexadecimal; null: apps trust it anyway. */
  authorityFingerprint: string | null
  accountExpireDate: Date
  accountState: AccountState
}

/** The job that marks accounts as expired may be behind the clock; nobody should see "active, expired a minute ago". */
export const stateAt = (account: SubscriptionAccount, now: Date): AccountState =>
  account.accountState === 'active' && account.accountExpireDate <= now ? 'expired' : account.accountState

export const nameOf = (account: SubscriptionAccount): string => cleanText(account.accountName) || 'VPN'

const builders: Record<VpnType, (account: SubscriptionAccount) => string> = {
  trojan: ({ secret, address, port, serverName, authorityFingerprint }) =>
    `trojan://${secret}@${address}:${port}?security=tls&sni=${encodePart(serverName)}` +
    `&type=tcp&headerType=none&alpn=http%2F1.1&fp=chrome&allowInsecure=0${pin('pcs', authorityFingerprint)}`,
  'hysteria2-direct': ({ secret, address, port, serverName, authorityFingerprint }) =>
    `hysteria2://${secret}@${address}:${port}/?sni=${encodePart(serverName)}&insecure=0` +
    pin('pinSHA256', authorityFingerprint),
}

/** Whom to trust, for apps that take it from a link; those that do not check as ever, and refuse. */
const pin = (name: string, fingerprint: string | null): string =>
  fingerprint ? `&${name}=${fingerprint}` : ''

export const linkOf = (account: SubscriptionAccount): string =>
  `${builders[account.accountVPNType](account)}#${encodePart(nameOf(account))}`
