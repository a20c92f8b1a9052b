/** Fictitious people; example.com, .net and .org are reserved. */
export const administrator = 'admin@example.com'
export const assistant = 'leila.support@example.com'

export interface Reseller {
  readonly email: string
  readonly sells: number
  /** Days ago. */
  readonly joined: number
  readonly topUp: number
  readonly rate?: number
  /** Dollars. A reseller with a limit buys on debt first and repays a part later. */
  readonly debtLimit?: number
  /** Days ago; later actions are skipped. */
  readonly suspended?: number
}

export const resellers: readonly Reseller[] = [
  { email: 'reza.karimi@example.com', sells: 100, joined: 205, topUp: 25_000, rate: 120 },
  { email: 'negar.moradi@example.org', sells: 52, joined: 196, topUp: 12_000, debtLimit: 180 },
  { email: 'parsnet.shop@example.com', sells: 45, joined: 190, topUp: 15_000, rate: 150 },
  { email: 'sina_ahmadi@example.net', sells: 36, joined: 171, topUp: 10_000 },
  { email: 'mahsa.vpn@example.com', sells: 32, joined: 160, topUp: 8_000 },
  { email: 'omid.store@example.org', sells: 26, joined: 142, topUp: 6_000, debtLimit: 60 },
  { email: 'kian.tehrani@example.net', sells: 20, joined: 120, topUp: 6_000 },
  { email: 'shirin-online@example.com', sells: 15, joined: 96, topUp: 4_000 },
  { email: 'daniel.carter@example.com', sells: 13, joined: 88, topUp: 5_000, rate: 110 },
  { email: 'laleh.rahimi@example.org', sells: 9, joined: 61, topUp: 3_000, debtLimit: 25.5, suspended: 5 },
  { email: 'emily.novak@example.net', sells: 5, joined: 33, topUp: 2_000 },
  { email: 'arash.new@example.com', sells: 0, joined: 1, topUp: 500 },
]

export const shownLogins: readonly { email: string; who: string }[] = [
  { email: administrator, who: 'administrator' },
  { email: 'reza.karimi@example.com', who: 'the largest reseller' },
  { email: 'negar.moradi@example.org', who: 'a reseller who buys on debt' },
  { email: 'arash.new@example.com', who: 'a reseller who has just joined' },
]

const customers =
  'ali maryam hossein fatemeh amir zahra mehdi sara navid parisa babak elham farhad golnaz hamid yasmin kaveh ladan milad nasrin peyman roya saeed taraneh vahid ziba john anna tom kate'.split(
    ' ',
  )
const things = ['phone', 'home', 'laptop', 'office', 'family', 'tablet', 'shop', 'tv']

export const customerName = (pick: <T>(items: readonly T[]) => T, number: number): string =>
  `${pick(customers)}_${pick(things)}${number % 4 === 0 ? `_${number}` : ''}`
