import { randomBytes, randomInt } from 'node:crypto'
import {
  adjustUserCredit,
  adjustUserTunnelCredit,
  newAccount,
  type SentAccount,
  setUserLevel,
  signIn,
  signUp,
} from '@kelid/contract'
import { type Body, bearer, type CallServer, callAt } from './call.ts'
import { testedProduct } from './product/tested-product.ts'

export const randomAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

export const newPerson = () => ({
  email: `r${randomBytes(6).toString('hex')}@kelid.test`,
  password: `Aa1-${randomBytes(6).toString('base64url')}`,
})

export const asAdmin = (): CallServer => callAt(testedProduct().url, bearer(testedProduct().adminToken))

export interface Reseller {
  readonly email: string
  readonly password: string
  readonly token: string
  readonly call: CallServer
  /** Creates an account over HTTP. */
  account(change?: Partial<Body<typeof newAccount>>): Promise<SentAccount>
  /** Opens another session of the same user. */
  again(): Promise<{ token: string; call: CallServer }>
}

const directAccount = {
  accountName: 'ali_phone',
  accountVPNType: 'hysteria2-direct',
  accountTunnelEnabled: false,
  accountTunnelType: '',
  accountDuration: 30,
} as const

export const tunnelledAccount = {
  accountName: 'sara_home',
  accountVPNType: 'trojan',
  accountTunnelEnabled: true,
  accountTunnelType: 'wstunnel',
  accountDuration: 30,
} as const

/** A new user with credit and tunnel credit, signed in over HTTP. */
export async function newReseller({ credit = 10_000, tunnelCredit = 500 } = {}): Promise<Reseller> {
  const { url } = testedProduct()
  const person = newPerson()
  const from = { 'x-forwarded-for': randomAddress() }
  const visitor = callAt(url, from)
  await visitor(signUp, person)
  const admin = asAdmin()
  const gift = { userEmail: person.email, reason: 'paid in crypto' }
  if (credit > 0) await admin(adjustUserCredit, { ...gift, amount: credit })
  if (tunnelCredit > 0) await admin(adjustUserTunnelCredit, { ...gift, amount: tunnelCredit })
  const again = async () => {
    const { token } = await visitor(signIn, person)
    return { token, call: callAt(url, { ...from, ...bearer(token) }) }
  }
  const { token, call } = await again()
  return {
    ...person,
    token,
    call,
    account: (change = {}) => call(newAccount, { ...directAccount, ...change }),
    again,
  }
}

export async function newAdministrator(): Promise<Reseller> {
  const person = await newReseller({ credit: 0, tunnelCredit: 0 })
  await asAdmin()(setUserLevel, { userEmail: person.email, value: 6 })
  // A new level ends every session.
  return { ...person, ...(await person.again()) }
}
