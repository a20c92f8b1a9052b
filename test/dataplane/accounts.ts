import {
  adjustUserCredit,
  adjustUserTunnelCredit,
  getAccount,
  newAccount,
  type SentAccount,
} from '@kelid/contract'
import { until } from './commands.ts'
import { type Customer, openCustomer, type Way } from './customer.ts'
import type { Host } from './host.ts'
import { added } from './installation.ts'
import { page } from './pages.ts'
import { administrator, call, origin } from './product.ts'
import { memo } from './stage.ts'

export type Account = SentAccount
/** How customers come in: directly, and by each kind of tunnel. */
export const ways = ['hysteria2', 'ssh', 'wstunnel'] as const
export type Kind = (typeof ways)[number]

export const url = 'http://page.example:8080/'

const credit = memo(async () => {
  const whom = { userEmail: administrator.email, amount: 1_000_000, reason: 'to sell something' }
  await call(adjustUserCredit, whom)
  await call(adjustUserTunnelCredit, whom)
})

let count = 0

/** One more account, sold by the API and let in by its server. */
export async function sell(kind: Kind): Promise<Account> {
  const account = await sellAsSoonAsPossible(kind)
  await applied(account)
  return account
}

export async function sellAsSoonAsPossible(kind: Kind): Promise<Account> {
  await added()
  await credit()
  const isDirect = kind === 'hysteria2'
  count += 1
  const body = {
    accountName: `by_${kind}_${count}`,
    accountVPNType: isDirect ? 'hysteria2-direct' : 'trojan',
    accountTunnelEnabled: !isDirect,
    accountTunnelType: isDirect ? '' : kind,
    accountDuration: 30,
  } as const
  // Ready hosts are sold once the probe has come through.
  return until(`a way by ${kind} to be sold`, 60, () => call(newAccount, body))
}

export const named = ({ accountUUID }: Account) => ({ accountUUID })

/** One of many that are read at once has to wait for its turn. */
export const again = (account: Account): Promise<Account> =>
  until('the account to be read', 60, () => call(getAccount, named(account)))

/** Until the node has said that it holds the last change. */
export const applied = (account: Account) =>
  until('the change to be applied', 20, async () => {
    const { accountApplied } = await call(getAccount, named(account))
    if (accountApplied !== 'applied') throw new Error(accountApplied)
  })

/** The account's subscription, as an app asks for it. */
export async function subscription(account: Account, userAgent: string): Promise<string> {
  const reply = await fetch(new URL(account.accountSubscriptionPath, origin), {
    headers: { 'user-agent': userAgent, accept: '*/*' },
  })
  return reply.text()
}

/** Who vouches for a server, as it shows it itself. */
export async function authorityAt(server: Host, service = ''): Promise<string> {
  const chain = await server.say(`cat /etc/kelid${service}/certificate/chain.pem`)
  return chain.slice(chain.lastIndexOf('-----BEGIN'))
}

export const productAuthority = memo(async () => authorityAt((await added()).hosts.wsServer))

const linkTypes: Readonly<Record<string, Way['type']>> = { 'trojan:': 'trojan', 'vless:': 'vless' }

export function readLink(text: string) {
  const link = new URL(text)
  const public_key = link.searchParams.get('pbk')
  return {
    ...(public_key && { reality: { public_key, short_id: link.searchParams.get('sid') ?? '' } }),
    type: linkTypes[link.protocol] ?? 'hysteria2',
    server: link.hostname,
    port: Number(link.port),
    name: link.searchParams.get('sni') ?? '',
    secret: link.username,
  }
}

/** What the account's own link says. */
export const wayOf = async ({ accountQRString }: Pick<Account, 'accountQRString'>) => ({
  ...readLink(accountQRString),
  authority: await productAuthority(),
})

/** An app that was given the account's link. */
export const appOf = async (account: Pick<Account, 'accountQRString'>, from?: string): Promise<Customer> =>
  openCustomer({ ...(await wayOf(account)), ...(from && { from }) })

export const comesIn = async (app: Customer, within = 3): Promise<boolean> =>
  (await app.fetch(url, '--max-time', String(within))).stdout === page

/** From the start of an app on. */
export async function isIn(account: Account, within?: number): Promise<boolean> {
  const app = await appOf(account)
  const came = await comesIn(app, within)
  app.close()
  return came
}

export type Download = ReturnType<Customer['download']>

/** A download that has begun. */
export async function downloading(app: Customer): Promise<Download> {
  const download = app.download(`${url}download`)
  await until('the download to begin', 10, () => {
    if (download.bytes() < 100_000) throw new Error(`${download.bytes()} bytes; ${app.log()}`)
  })
  return download
}

/** Of a download that goes on a second is twenty pieces long. */
const silence = 1000

/** Milliseconds from the moment to the last byte: QUIC has no end that a customer would see. */
export async function cutAfter(download: Download, since: number, seconds: number): Promise<number> {
  await until('the download to be cut', seconds + silence / 1000, () => {
    if (performance.now() - download.lastAt() < silence) throw new Error(`${download.bytes()} bytes`)
  })
  download.end()
  return Math.max(0, Math.round(download.lastAt() - since))
}
