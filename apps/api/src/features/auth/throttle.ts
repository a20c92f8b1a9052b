import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { networkOf } from '../../lib/addresses.ts'
import * as store from './throttle.store.ts'

const minutes = (count: number) => count * 60
const hours = (count: number) => minutes(count * 60)

/** Growing waits, never a lock-out: 1 s after five failures, doubling up to 15 minutes. */
const perAccount: store.Backoff = {
  free: 5,
  firstSeconds: 1,
  maxSeconds: minutes(15),
  forgetSeconds: hours(24),
}
/** Lenient, because VPN customers share addresses. */
const perAddress: store.Backoff = {
  free: 100,
  firstSeconds: 1,
  maxSeconds: minutes(1),
  forgetSeconds: minutes(15),
}
/** Replaces the other counts at a known address of the account, which strangers may share. */
const atKnownAddress: store.Backoff = {
  free: 20,
  firstSeconds: 1,
  maxSeconds: minutes(1),
  forgetSeconds: minutes(15),
}
/** An attempt needs the password, so strangers cannot make the owner wait. */
const secondFactor: store.Backoff = { ...perAccount, free: 10 }
/** Counts successes too, because each one stays in the audit log for ever. */
const sessions: store.Backoff = {
  free: 30,
  firstSeconds: 1,
  maxSeconds: minutes(1),
  forgetSeconds: minutes(15),
}
/** Counts successes too, because each one stays in the audit log for ever. */
const passwordChanges: store.Backoff = { ...perAccount }
const signUps: store.Backoff = {
  free: 30,
  firstSeconds: 1,
  maxSeconds: minutes(10),
  forgetSeconds: hours(1),
}
const smsSends: store.Backoff = {
  free: 3,
  firstSeconds: minutes(1),
  maxSeconds: hours(1),
  forgetSeconds: hours(24),
}
/** Per phone, over all addresses unknown for its owner. A single address is throttled earlier. */
const smsSendsToPhone: store.Backoff = {
  free: 10,
  firstSeconds: minutes(1),
  maxSeconds: minutes(15),
  forgetSeconds: hours(24),
}
/** Four digits are easy to guess: ten wrong codes per day, phone and address. */
const smsChecks: store.Backoff = {
  free: 10,
  firstSeconds: hours(24),
  maxSeconds: hours(24),
  forgetSeconds: hours(24),
}
/** Per phone, over all addresses unknown for its owner. */
const smsChecksOfPhone: store.Backoff = { ...smsChecks, free: 30 }

export const backoffs = {
  perAccount,
  perAddress,
  atKnownAddress,
  secondFactor,
  sessions,
  passwordChanges,
  signUps,
  smsSends,
  smsSendsToPhone,
  smsChecks,
  smsChecksOfPhone,
}

type Kind = keyof typeof backoffs
/** The address comes last, because rows are locked in this order. */
export type Count = readonly [Kind, who: string]

export async function allow(ctx: Context, kind: Kind, who: string, db: Db = ctx.db): Promise<void> {
  const now = ctx.clock.now()
  const until = await store.takeAttempt(db, keyOf(kind, who), backoffs[kind], now)
  if (until) throw tooMany(until, now)
}

export async function refuseWaiting(ctx: Context, kind: Kind, who: string): Promise<void> {
  const now = ctx.clock.now()
  const until = await store.blockedUntil(ctx.db, keyOf(kind, who))
  if (until && until > now) throw tooMany(until, now)
}

/** Counts against all or none, so a refused attempt uses up nothing. */
export const allowAll = (ctx: Context, counts: readonly Count[]): Promise<void> =>
  ctx.atomically(async (tx) => {
    for (const [kind, who] of counts) await allow(ctx, kind, who, tx)
  })

/** Counts an attempt and makes it; an attempt refused because of load is not counted. */
export async function attempt<T>(ctx: Context, counts: readonly Count[], make: () => Promise<T>): Promise<T> {
  await allowAll(ctx, counts)
  try {
    return await make()
  } catch (error) {
    if (error instanceof Refusal) for (const [kind, who] of counts) await giveBack(ctx, kind, who)
    throw error
  }
}

export const giveBack = (ctx: Context, kind: Kind, who: string): Promise<void> =>
  store.giveBackAttempt(ctx.db, keyOf(kind, who))

export const forget = (ctx: Context, kind: Kind, who: string, db: Db = ctx.db): Promise<void> =>
  store.forgetAttempts(db, keyOf(kind, who))

/** Clears password failures at all addresses; failed codes still count. */
export async function forgetGuesses(ctx: Context, email: string): Promise<void> {
  await forget(ctx, 'perAccount', email)
  await store.forgetAttemptsBelow(ctx.db, keyOf('atKnownAddress', accountAt(email, '')))
}

/** An e-mail contains no space. */
export const accountAt = (email: string, address: string): string => `${email} ${networkOf(address)}`

const ofAddresses: readonly Kind[] = ['perAddress', 'signUps']

const keyOf = (kind: Kind, who: string) => `${kind}:${ofAddresses.includes(kind) ? networkOf(who) : who}`

const tooMany = (until: Date, now: Date) =>
  new Refusal('TOO_MANY_ATTEMPTS', {
    seconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
  })
