import { Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
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
  signUps,
  smsSends,
  smsSendsToPhone,
  smsChecks,
  smsChecksOfPhone,
}

/** Counts an attempt, or refuses it with the seconds to wait. */
export async function allow(ctx: Context, kind: keyof typeof backoffs, who: string): Promise<void> {
  const now = ctx.clock.now()
  const until = await store.takeAttempt(ctx.db, keyOf(kind, who), backoffs[kind], now)
  if (until)
    throw new Refusal('TOO_MANY_ATTEMPTS', {
      seconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
    })
}

export const giveBack = (ctx: Context, kind: keyof typeof backoffs, who: string): Promise<void> =>
  store.giveBackAttempt(ctx.db, keyOf(kind, who), ctx.clock.now())

export const forget = (ctx: Context, kind: keyof typeof backoffs, who: string): Promise<void> =>
  store.forgetAttempts(ctx.db, keyOf(kind, who))

const keyOf = (kind: string, who: string) => `${kind}:${who}`
