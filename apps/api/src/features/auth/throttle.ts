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
/** Lenient, because customers of a VPN share its exits. */
const perAddress: store.Backoff = {
  free: 100,
  firstSeconds: 1,
  maxSeconds: minutes(1),
  forgetSeconds: minutes(15),
}
/** One account from one of its known addresses, where nothing else counts. Others may sit there too, and guess. */
const atKnownAddress: store.Backoff = {
  free: 20,
  firstSeconds: 1,
  maxSeconds: minutes(1),
  forgetSeconds: minutes(15),
}
/**
 * Codes of a second factor: per account and known network, per account elsewhere, per user in a session. Only somebody who
 * has the password comes this far, so that strangers cannot make its owner wait.
 */
const secondFactor: store.Backoff = { ...perAccount, free: 10 }
/** Right passwords too: nobody signs in thirty times in a row, and each time is kept in the audit log for ever. */
const sessions: store.Backoff = {
  free: 30,
  firstSeconds: 1,
  maxSeconds: minutes(1),
  forgetSeconds: minutes(15),
}
/** Successful changes too: each one is kept in the audit log for ever. */
const passwordChanges: store.Backoff = { ...perAccount }
const signUps: store.Backoff = {
  free: 30,
  firstSeconds: 1,
  maxSeconds: minutes(10),
  forgetSeconds: hours(1),
}
/** Per phone and address. */
const smsSends: store.Backoff = {
  free: 3,
  firstSeconds: minutes(1),
  maxSeconds: hours(1),
  forgetSeconds: hours(24),
}
/** Per phone, from all addresses its owner is not known at. One address alone has to wait longer than this. */
const smsSendsToPhone: store.Backoff = {
  free: 10,
  firstSeconds: minutes(1),
  maxSeconds: minutes(15),
  forgetSeconds: hours(24),
}
/** Four digits are soon guessed: per phone and address ten wrong ones a day, whatever number of codes was sent. */
const smsChecks: store.Backoff = {
  free: 10,
  firstSeconds: hours(24),
  maxSeconds: hours(24),
  forgetSeconds: hours(24),
}
/** Per phone, from all addresses its owner is not known at. */
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
/** What an attempt counts against. Among several the address comes last, as rows are locked in this order. */
export type Count = readonly [Kind, who: string]

/** Counts an attempt, or refuses it with the seconds to wait. */
export async function allow(ctx: Context, kind: Kind, who: string, db: Db = ctx.db): Promise<void> {
  const now = ctx.clock.now()
  const until = await store.takeAttempt(db, keyOf(kind, who), backoffs[kind], now)
  if (until) throw tooMany(until, now)
}

/** Refuses whoever must wait, and counts nothing. */
export async function refuseWaiting(ctx: Context, kind: Kind, who: string): Promise<void> {
  const now = ctx.clock.now()
  const until = await store.blockedUntil(ctx.db, keyOf(kind, who))
  if (until && until > now) throw tooMany(until, now)
}

/** Counts against all or none, so that whoever is told to wait for the one uses up nothing of the others. */
export const allowAll = (ctx: Context, counts: readonly Count[]): Promise<void> =>
  ctx.atomically(async (tx) => {
    for (const [kind, who] of counts) await allow(ctx, kind, who, tx)
  })

/** Counts an attempt and makes it. When the server was too busy for it, it was none. */
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

/** As if nobody had ever guessed this account's password, at any address. Guessed codes still count. */
export async function forgetGuesses(ctx: Context, email: string): Promise<void> {
  await forget(ctx, 'perAccount', email)
  await store.forgetAttemptsBelow(ctx.db, keyOf('atKnownAddress', accountAt(email, '')))
}

/** One account from one address; no e-mail has a space. */
export const accountAt = (email: string, address: string): string => `${email} ${networkOf(address)}`

const ofAddresses: readonly Kind[] = ['perAddress', 'signUps']

const keyOf = (kind: Kind, who: string) => `${kind}:${ofAddresses.includes(kind) ? networkOf(who) : who}`

const tooMany = (until: Date, now: Date) =>
  new Refusal('TOO_MANY_ATTEMPTS', {
    seconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
  })
