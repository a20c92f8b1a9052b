import { randomUUID } from 'node:crypto'
import {
  type AccountState,
  type AnyAccount,
  type AnyAccountWay,
  type ClientHello,
  dataPeriodDays,
  day,
  gigabyte,
  type Language,
  ownClearings,
  type SentAccount,
  usualHello,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { uuidFrom } from '../../lib/derived-uuid.ts'
import { planNameIn } from '../../lib/plan-name.ts'
import { hashOf, randomToken } from '../../lib/tokens.ts'
import { countryOf } from '../countries/countries.ts'
import { quicOf } from '../hosts/quic.ts'
import { linkOf, type SubscriptionAccount } from '../subscription/links.ts'
import { activityOf } from '../usage/usage.ts'
import type { AccountRecord } from './accounts.store.ts'
import type { AnyAccountRecord } from './any-account.store.ts'
import { type WayRecord, waysOf } from './further-ways.store.ts'
import { beginOf, daysLeft, isWaiting } from './renewal.ts'

export const stateOf = (
  {
    abused,
    enabled,
    expires_at,
    exhausted,
  }: Pick<AccountRecord, 'abused' | 'enabled' | 'expires_at' | 'exhausted'>,
  now: Date,
): AccountState => {
  if (abused) return 'abused'
  if (!enabled) return 'disabled'
  if (expires_at <= now) return 'expired'
  return exhausted ? 'limited' : 'active'
}

export const recentClearings = (clearedByOwner: readonly Date[], now: Date): Date[] =>
  clearedByOwner.filter((at) => at.getTime() > now.getTime() - ownClearings.days * day)

/** When the owner may clear the abuse again; null: now. */
export function clearableFrom(clearedByOwner: readonly Date[], now: Date): Date | null {
  const oldest = recentClearings(clearedByOwner, now).at(-ownClearings.times)
  return oldest ? new Date(oldest.getTime() + ownClearings.days * day) : null
}

interface Secrets {
  vpn: string
  subscription: string
}

const locationOf = (uuid: string) => `accounts.secrets.${uuid}` as const

export const openSecrets = (
  ctx: Context,
  { uuid, secrets }: Pick<AccountRecord, 'uuid' | 'secrets'>,
): Secrets => {
  const [vpn = '', subscription = ''] = ctx.seal.open(locationOf(uuid), secrets).split(' ')
  return { vpn, subscription }
}

export const vpnSecretOf = (ctx: Context, account: Pick<AccountRecord, 'uuid' | 'secrets'>): string =>
  openSecrets(ctx, account).vpn

/** The first way has the account's own secret. No host can derive that of another way. */
export const waySecretOf = (
  { seal }: Pick<Context, 'seal'>,
  vpnSecret: string,
  { position, server_uuid }: { position: number; server_uuid: string },
): string =>
  position === 1
    ? vpnSecret
    : uuidFrom(seal.fingerprint('secret of a way', `${vpnSecret} ${server_uuid}`).subarray(0, 16))

export function hasVpnSecret(
  ctx: Context,
  account: Pick<AccountRecord, 'uuid' | 'secrets'> & { further_servers: readonly string[] },
  secret: string,
): boolean {
  const own = vpnSecretOf(ctx, account)
  return [
    own,
    ...account.further_servers.map((server_uuid) => waySecretOf(ctx, own, { position: 2, server_uuid })),
  ].includes(secret)
}

/** Both secrets are sealed for this account only. */
export function sealSecrets(ctx: Pick<Context, 'seal'>, uuid: string, vpn: string = randomUUID()) {
  const subscription = randomToken(128)
  return {
    secrets: ctx.seal.close(locationOf(uuid), `${vpn} ${subscription}`),
    subscription_hash: hashOf(subscription),
  }
}

export const sealNewVpnSecret = (
  ctx: Context,
  account: Pick<AccountRecord, 'uuid' | 'secrets'>,
): Pick<AccountRecord, 'secrets'> => ({
  secrets: ctx.seal.close(
    locationOf(account.uuid),
    `${randomUUID()} ${openSecrets(ctx, account).subscription}`,
  ),
})

/** The server's own choice, otherwise the setting, otherwise the default of a setting that was never saved. */
const helloOf = ({ fingerprint, alpn }: AccountRecord): ClientHello => ({
  fingerprint: fingerprint ?? usualHello.fingerprint,
  alpn: alpn ?? usualHello.alpn,
})

export const subscriptionOf = (
  ctx: Context,
  row: AccountRecord,
  vpnSecret: string,
  now: Date,
): SubscriptionAccount => ({
  accountName: row.name,
  accountVPNType: row.vpn_type,
  countryId: row.country_id,
  secret: vpnSecret,
  address: row.address,
  address6: row.address6,
  port: row.port,
  serverName: row.tls_name.split('/', 1)[0] ?? '',
  authorityFingerprint: row.authority_fingerprint,
  hello: helloOf(row),
  reality: row.reality,
  quic: quicOf(ctx, row.server_uuid, row.quic),
  accountExpireDate: row.expires_at,
  accountState: stateOf(row, now),
  speedLimit: row.speed_limit,
  data: row.data_bytes === null ? null : { bytes: row.data_bytes, used: row.data_used ?? 0 },
})

const resetDateOf = ({ data_monthly_bytes, data_period_began_at: began, expires_at }: AccountRecord) => {
  if (data_monthly_bytes === null || !began) return null
  const at = new Date(began.getTime() + dataPeriodDays * day)
  return at < expires_at ? at.toISOString() : null
}

const dataOf = (row: AccountRecord) => ({
  accountDataLimit: row.data_bytes === null ? null : row.data_bytes / gigabyte,
  accountDataUsed: row.data_used ?? 0,
  accountDataReset: row.data_monthly_bytes === null ? ('none' as const) : ('monthly' as const),
  accountDataResetDate: resetDateOf(row),
})

const shownOf = (row: AccountRecord, lng: Language, now: Date) => ({
  accountUUID: row.uuid,
  accountName: row.name,
  accountVPNType: row.vpn_type,
  accountTunnelEnabled: row.tunnel_type !== '',
  accountTunnelType: row.tunnel_type,
  accountDuration: daysLeft(row.expires_at, beginOf(row, now)),
  accountExpireDate: row.expires_at.toISOString(),
  accountCreatedDate: row.created_at.toISOString(),
  accountEnabled: row.enabled,
  accountAbuse: row.abused,
  accountAbuseEvidence:
    row.abuse_devices !== null && row.abuse_seen_at
      ? {
          devices: row.abuse_devices,
          seenDate: row.abuse_seen_at.toISOString(),
          sinceDate: row.abuse_since?.toISOString() ?? null,
          minutes: row.abuse_minutes,
        }
      : null,
  accountAbuseClearableDate: (row.abused && clearableFrom(row.cleared_by_owner, now)?.toISOString()) || null,
  accountRefusedDevices:
    row.refusal && Date.parse(row.refusal.untilDate) > now.getTime() ? row.refusal : null,
  accountMaxDevices: row.max_devices,
  accountSpeedLimit: row.speed_limit,
  ...dataOf(row),
  accountStart: isWaiting(row, now) ? ('firstUse' as const) : ('now' as const),
  accountStartBy: isWaiting(row, now) ? (row.starts_by?.toISOString() ?? null) : null,
  accountFirstUseDate: row.first_used_at?.toISOString() ?? null,
  accountPlan:
    row.plan_uuid && row.plan_names
      ? { planUUID: row.plan_uuid, planName: planNameIn(row.plan_names, lng) }
      : null,
  accountState: stateOf(row, now),
  accountApplied: row.applied,
  ...activityOf(row, now),
  server: { country: countryOf(row.country_id, lng) },
})

export function toAccount(
  ctx: Context,
  row: AccountRecord,
  lng: Language,
  now = ctx.clock.now(),
): SentAccount {
  const secrets = openSecrets(ctx, row)
  return {
    ...shownOf(row, lng, now),
    accountQRString: linkOf(subscriptionOf(ctx, row, secrets.vpn, now)),
    accountSubscriptionPath: `/sub/${secrets.subscription}`,
  }
}

/** For replies about one account: lists would need a query for each. */
export async function toAccountWithWays(
  ctx: Context,
  db: Db,
  row: AccountRecord,
  lng: Language,
): Promise<SentAccount> {
  const now = ctx.clock.now()
  const { vpn } = openSecrets(ctx, row)
  const ways = await waysOf(db, row.uuid)
  const accountWays = ways.map((way) => ({
    accountVPNType: way.vpn_type,
    accountTunnelType: way.tunnel_type,
    accountQRString: linkOf(subscriptionOf(ctx, { ...row, ...way }, waySecretOf(ctx, vpn, way), now)),
    wayDown: way.health === 'down',
    wayLastSeenDate: way.last_seen_at?.toISOString() ?? null,
    server: { country: countryOf(way.country_id, lng) },
  }))
  return { ...toAccount(ctx, row, lng, now), accountWays }
}

/** For lists without links: unsealing and link building are a third of their cost. */
export const toAccountWithoutLinks = (row: AccountRecord, lng: Language, now: Date): SentAccount => ({
  ...shownOf(row, lng, now),
  accountQRString: '',
  accountSubscriptionPath: '',
})

export const toAnyAccount = (row: AnyAccountRecord, lng: Language, now: Date): AnyAccount => ({
  ...shownOf(row, lng, now),
  userEmail: row.email,
  serverUUID: row.server_uuid,
  serverName: row.server_name,
  tunnelUUID: row.tunnel_uuid,
  tunnelName: row.tunnel_name,
  accountClosedBySuspension: row.closed_by_suspension,
  accountTargetCountry: row.target_country,
  accountTargetOperator: row.target_operator,
})

/** Without its link: administrators must not get the customer's credentials. */
export const toAnyWay = (way: WayRecord, lng: Language): AnyAccountWay => ({
  accountVPNType: way.vpn_type,
  accountTunnelType: way.tunnel_type,
  serverUUID: way.server_uuid,
  serverName: way.server_name,
  tunnelUUID: way.tunnel_uuid,
  tunnelName: way.tunnel_name,
  wayDown: way.health === 'down',
  wayBlocked: way.is_blocked,
  wayApplied: way.way_applied,
  wayLastSeenDate: way.last_seen_at?.toISOString() ?? null,
  server: { country: countryOf(way.country_id, lng) },
})
