import { usualHello, vpnTypes } from '@kelid/contract'
import { noQuic } from '../hosts/quic.ts'
import type { Way } from './links.ts'
import { type SubscriptionReply, type SubscriptionRequest, subscriptionReply } from './reply.ts'

export const pageUrl = 'https://vpn.example.com/sub/7Zq1x0cQmJc9aK3wT5r8Vg'
export const now = new Date('2026-03-05T10:00:00Z')
export const day = 86_400_000

export const trojan: Way = {
  accountName: 'ali-phone',
  accountVPNType: 'trojan',
  secret: '4b8f0d1e-6a55-4a0e-9c1b-2f7d3c5e8a90',
  address: '203.0.113.24',
  address6: '',
  port: 443,
  serverName: 'de1.example.com',
  authorityFingerprint: null,
  hello: usualHello,
  reality: null,
  quic: noQuic,
  accountExpireDate: new Date('2026-03-08T14:30:00Z'),
  accountState: 'active',
  data: null,
  speedLimit: null,
  countryId: 276,
  health: 'up',
}

export const hysteria: Way = { ...trojan, accountVPNType: 'hysteria2-direct', port: 8443 }

export const vless: Way = {
  ...trojan,
  accountVPNType: 'vless-reality',
  reality: { publicKey: 'IXVqT6KyIY1MzahSaEetHamFgfxVpM5NvkqO53Do0XM', shortId: '0123456789abcdef' },
}

export const ofEveryType = vpnTypes.map((accountVPNType) => ({ ...vless, accountVPNType }))

export const ask = (request: Partial<SubscriptionRequest> = {}): SubscriptionReply =>
  subscriptionReply({
    account: trojan,
    ways: [{ ...trojan, ...request.account }],
    authority: null,
    checkUrl: 'https://check.example.com/204',
    brand: { name: 'Kelid', contact: 'help@example.com' },
    userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/140',
    accept: 'text/html,application/xhtml+xml',
    language: 'en',
    pageUrl,
    now,
    usage: null,
    devices: null,
    ...request,
  })

export const askAs = (userAgent: string, request: Partial<SubscriptionRequest> = {}): SubscriptionReply =>
  ask({ userAgent, accept: '*/*', ...request })
