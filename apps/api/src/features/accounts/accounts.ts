import { randomUUID } from 'node:crypto'
import {
  type Account,
  type Call,
  day,
  type extendDuration as extendDurationCall,
  type Input,
  type Language,
  type LiveEvent,
  type newAccount as newAccountCall,
  Refusal,
  type Settings,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { together } from '../../db/pipeline.ts'
import { memo } from '../../lib/memo.ts'
import { hashOf } from '../../lib/tokens.ts'
import { type By, record } from '../audit/audit.ts'
import type { Caller } from '../auth/auth.ts'
import { paymentOf, post, priceOf } from '../credit/credit.ts'
import { announce } from '../events/events.ts'
import * as servers from '../servers/servers.ts'
import { settingsOf } from '../settings/settings.ts'
import * as tunnels from '../tunnels/tunnels.ts'
import type { LockedUser } from '../users/users.ts'
import { expiryOf, recordOf } from './account-line.store.ts'
import { type AccountQuery, listAccounts as readAccounts } from './account-list.store.ts'
import { openSecrets, sealSecrets, subscriptionOf, toAccount } from './account-shape.ts'
import * as store from './accounts.store.ts'
import { purgeKeys as purge } from './idempotency.store.ts'
import { earlierPurchase, keyOf, keysExpiredBefore } from './idempotency.ts'
import { whileThereIsRoom } from './places.ts'
import { beginPurchase, openAccount } from './purchase.store.ts'
import { daysLeft, renew } from './renewal.ts'

/** Who pays, in which language they read the reply, and the key that makes a second try harmless. */
export interface Buyer {
  readonly caller: Caller
  readonly lng: Language
  readonly idempotencyKey: string | null
}

const notFound = () => new Refusal('RESOURCE_NOT_FOUND')

export async function listAccounts(
  ctx: Context,
  caller: Caller,
  query: Omit<AccountQuery, 'userId' | 'now'>,
  lng: Language,
) {
  const now = ctx.clock.now()
  const { lines, ...page } = await readAccounts(ctx.db, { ...query, userId: caller.userId, now })
  return { items: listedAccounts(ctx, lines, lng, now), ...page }
}

const pages = memo<readonly Account[]>(100)
const listed = memo<Account>(5_000)

/**
 * Lists are read again and again. The same lines in the same language with as many days left are the same accounts, which
 * are then not composed again; `serve` does not even write their text again. Mostly nothing at all has changed.
 */
function listedAccounts(
  ctx: Context,
  lines: readonly string[],
  lng: Language,
  now: Date,
): readonly Account[] {
  const days = lines.map((line) => daysLeft(expiryOf(line), now))
  const accountOf = (line: string, place: number) =>
    listed(`${lng} ${days[place]} ${line}`, () => Object.freeze(toAccount(ctx, recordOf(line), lng, now)))
  return pages(`${lng} ${days.join(' ')} ${lines.join('\n')}`, () => Object.freeze(lines.map(accountOf)))
}

export async function getAccount(
  ctx: Context,
  caller: Caller,
  uuid: string,
  lng: Language,
): Promise<Account> {
  const row = await store.findOwnAccount(ctx.db, caller.userId, uuid)
  if (!row) throw notFound()
  return toAccount(ctx, row, lng)
}

/** Charges for the days, takes a place on a server and opens the account, all or nothing. */
export function createAccount(ctx: Context, buyer: Buyer, call: Call, input: Input<typeof newAccountCall>) {
  const { accountVPNType: vpnType, accountTunnelType: tunnelType, accountDuration: days, accountName } = input
  const wish = { vpnType, tunnelType, countryId: input.countryId ?? null }
  const accountUUID = randomUUID()
  const create = () =>
    bought(ctx, buyer, { call, input, accountUUID }, async (tx, user, settings, events) => {
      const { loan, charge } = paymentOf(ctx, user, settings, priceOf(settings, vpnType, days), {
        movement: 'create',
        bought: { days, vpnType },
        accountUUID,
        accountName,
      })
      const opening = {
        ...charge,
        ...wish,
        accountUUID,
        accountName,
        expires: new Date(charge.at.getTime() + days * day),
        ...sealSecrets(ctx, accountUUID),
        events: JSON.stringify(events),
      }
      const [, account] = await together(loan ? post(tx, loan) : nothing, openAccount(tx, opening))
      return account
    })
  return whileThereIsRoom(ctx.db, wish, create)
}

const nothing = Promise.resolve()

/** Renews by the rule of the house and charges for the days that it adds. */
export const extendAccount = (
  ctx: Context,
  buyer: Buyer,
  call: Call,
  input: Input<typeof extendDurationCall>,
) =>
  bought(ctx, buyer, { call, input, accountUUID: input.accountUUID }, async (tx, user, settings, events) => {
    const account = await store.lockOwnAccount(tx, user.id, input.accountUUID)
    if (!account) throw notFound()
    if (account.abused) throw new Refusal('ACCOUNT_ABUSED')
    const outcome = renew(settings.renewal, account.expires_at, input.accountDuration, ctx.clock.now())
    const cost = priceOf(settings, account.vpn_type, outcome.chargedDays)
    const { loan, charge } = paymentOf(ctx, user, settings, cost, {
      movement: 'renew',
      bought: { days: outcome.chargedDays, vpnType: account.vpn_type },
      accountUUID: account.uuid,
      accountName: account.name,
    })
    const [renewed] = await together(
      store.updateAccount(tx, account.uuid, { expires_at: outcome.expires, expiry_noted_at: null }),
      loan ? post(tx, loan) : nothing,
      post(tx, charge),
      announce(ctx, tx, user.id, events),
    )
    return renewed
  })

/** A purchase under its key; the reply is the account as it is after it. */
const bought = (
  ctx: Context,
  { caller: { userId }, lng, idempotencyKey: key }: Buyer,
  purchase: { call: Call; input: object; accountUUID: string },
  buy: (
    tx: Tx,
    user: LockedUser,
    settings: Settings,
    events: readonly LiveEvent[],
  ) => Promise<store.AccountRecord>,
) =>
  ctx.atomically(async (tx) => {
    const claim = keyOf(userId, { key, ...purchase }, ctx.clock.now())
    const user = await beginPurchase(tx, claim)
    if (key !== null && !user.is_claimed)
      return toAccount(ctx, await earlierPurchase(tx, userId, key, claim.requestHash), lng)
    const account = await buy(tx, user, settingsOf(user.settings), [
      { type: 'balance' },
      { type: 'account', accountUUID: purchase.accountUUID },
    ])
    return toAccount(ctx, account, lng)
  })

/** Changes one of the caller's accounts and answers with it. */
const changed = (
  ctx: Context,
  caller: Caller,
  uuid: string,
  lng: Language,
  changeOf: (account: store.LockedAccount) => store.Change,
) =>
  ctx.atomically(async (tx) => {
    const account = await store.lockOwnAccount(tx, caller.userId, uuid)
    if (!account) throw notFound()
    const row = await store.updateAccount(tx, uuid, changeOf(account))
    await announceAccount(ctx, tx, caller.userId, uuid)
    return toAccount(ctx, row, lng)
  })

export const setEnabled = (ctx: Context, caller: Caller, uuid: string, isEnabled: boolean, lng: Language) =>
  changed(ctx, caller, uuid, lng, (account) => {
    if (account.abused && isEnabled) throw new Refusal('ACCOUNT_ABUSED')
    return { enabled: isEnabled }
  })

export const replaceSubscriptionLink = (ctx: Context, caller: Caller, uuid: string, lng: Language) =>
  changed(ctx, caller, uuid, lng, (account) => sealSecrets(ctx, uuid, openSecrets(ctx, account).vpn))

/** Nothing is refunded; the places on server and tunnel are free again. */
export const deleteAccount = (ctx: Context, caller: Caller, uuid: string): Promise<void> =>
  ctx.atomically(async (tx) => {
    const gone = await store.deleteOwnAccount(tx, caller.userId, uuid)
    if (!gone) throw notFound()
    await servers.givePlaceBack(tx, gone.server_uuid)
    if (gone.tunnel_uuid) await tunnels.givePlaceBack(tx, gone.tunnel_uuid)
    await announceAccount(ctx, tx, caller.userId, uuid)
  })

/** Only an administrator opens an abused account again. */
export const clearAbuse = (ctx: Context, by: By, uuid: string, lng: Language) =>
  ctx.atomically(async (tx) => {
    const account = await store.lockAccount(tx, uuid)
    if (!account) throw notFound()
    const row = account.abused ? await store.updateAccount(tx, uuid, withoutAbuse) : account
    await announceAccount(ctx, tx, account.user_id, uuid)
    await record(ctx, tx, by, 'clearabuse', uuid, { account: account.name })
    return toAccount(ctx, row, lng)
  })

const withoutAbuse = { abused: false, enabled: true, abuse_devices: null, abuse_seen_at: null }

/** The account behind a subscription link, or null when the link was never given out or has been replaced. */
export async function findSubscription(ctx: Context, subscriptionSecret: string) {
  const row = await store.findAccountByLink(ctx.db, hashOf(subscriptionSecret))
  return row ? subscriptionOf(row, openSecrets(ctx, row).vpn, ctx.clock.now()) : null
}

const announceAccount = (ctx: Context, tx: Db, userId: number, accountUUID: string) =>
  announce(ctx, tx, userId, [{ type: 'account', accountUUID }])

export const purgeKeys = (ctx: Context): Promise<void> => purge(ctx.db, keysExpiredBefore(ctx.clock.now()))
