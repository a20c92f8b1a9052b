import { randomUUID } from 'node:crypto'
import {
  addPlan,
  addServer,
  adjustUserCredit,
  newAccount,
  newByPlan,
  setServerReady,
  signIn,
  signUp,
  unwrap,
} from '@kelid/contract'
import type { Kysely } from 'kysely'
import { expect } from 'vitest'
import type { Schema } from '../../src/db/schema.ts'
import { callAt } from '../calls.ts'
import { testEnvironment } from '../product.ts'
import { directAccount, samplePlan, sampleServer } from '../sample-hosts.ts'
import { expectSoundBooks } from './races.ts'

export const pointsGiven = 100_000_000
export const pointsEach = 10

/** What the buyers buy by plan: a day at the usual price. */
export const dayPlan = {
  ...samplePlan,
  planUUID: randomUUID(),
  accountDuration: 1,
  planPoints: pointsEach,
  planActive: true,
}

/** From the first administrator on: a server with room, and a reseller who can pay. Returns the reseller's token. */
export async function furnish(url: string): Promise<string> {
  const { KELID_ADMIN_EMAIL: email, KELID_ADMIN_PASSWORD: password } = testEnvironment
  const admin = callAt(url, (await callAt(url)(signIn, { email, password })).answer().token)
  const serverUUID = randomUUID()
  const server = { ...sampleServer(), serverUUID, serverMaxAccounts: 100_000 }
  ;(await admin(addServer, server)).answer()
  ;(await admin(setServerReady, { serverUUID, reason: 'set up by hand' })).answer()
  const plan = await admin(addPlan, dayPlan)
  // A test may furnish one database twice.
  if (plan.errorType !== 'UUID_TAKEN') plan.answer()
  const reseller = { email: `r${randomUUID().slice(0, 8)}@example.com`, password: 'Reseller-0f-Tests' }
  unwrap(signUp, (await callAt(url)(signUp, reseller)).envelope)
  const grant = { userEmail: reseller.email, amount: pointsGiven, reason: 'for the test' }
  ;(await admin(adjustUserCredit, grant)).answer()
  return (await callAt(url)(signIn, reseller)).answer().token
}

/** Buyers who do not stop at failures. A request without an answer is repeated under the same key. */
export function keepBuying(
  url: string,
  token: string,
  { buyers, tag, byPlan = false }: { buyers: number; tag: string; byPlan?: boolean },
) {
  const acknowledged: string[] = []
  let failure: unknown = null
  let retries = 0
  let doneBefore = 0
  let isStopped = false
  const call = callAt(url, token)

  async function buy(accountName: string, isByPlan: boolean): Promise<void> {
    const key = { 'idempotency-key': randomUUID() }
    for (;;) {
      const body = { ...directAccount, accountName, accountDuration: 1 }
      const startedAt = Date.now()
      const reply = await (isByPlan
        ? call(newByPlan, { accountName, planUUID: dayPlan.planUUID }, key)
        : call(newAccount, body, key)
      ).catch(() => null)
      if (reply?.status === 200) {
        if (Date.parse(reply.answer().accountCreatedDate) < startedAt) doneBefore += 1
        break
      }
      if (reply && !['UNAVAILABLE', 'OUTCOME_UNKNOWN'].includes(reply.errorType ?? ''))
        throw new Error(`refused with ${reply.status} ${reply.errorType}`)
      retries += 1
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    acknowledged.push(accountName)
  }
  const buyer = async (who: number) => {
    for (let number = 0; !isStopped; number += 1)
      await buy(`${tag}_${who}_${number}`, byPlan && number % 2 === 1)
  }
  const all = Promise.all(Array.from({ length: buyers }, (_, who) => buyer(who))).catch((error) => {
    failure = error
  })
  const acknowledgedSoFar = (): readonly string[] => {
    if (failure) throw failure
    return acknowledged
  }
  return {
    /** Names of accounts whose creation was acknowledged; throws when a buyer was refused. */
    acknowledged: acknowledgedSoFar,
    /** Tries without an answer, which were repeated with the same key. */
    retries: () => retries,
    /** How many of those had been done before the answer was lost. */
    doneBefore: () => doneBefore,
    async stop() {
      isStopped = true
      await all
      acknowledgedSoFar()
    },
  }
}

/** What was acknowledged is there, once, nothing else is, and each was paid for once. */
export async function expectExactly(db: Kysely<Schema>, names: readonly string[]): Promise<void> {
  await expectSoundBooks(db)
  const accounts = await db.selectFrom('accounts').select('name').execute()
  expect(accounts.map(({ name }) => name).sort()).toEqual([...names].sort())
  const [paid] = await db
    .selectFrom('ledger_entries as e')
    .innerJoin('ledger_transactions as t', 't.id', 'e.transaction_id')
    .select((of) => [of.fn.sum<number>('e.amount').as('points'), of.fn.countAll<number>().as('entries')])
    .where('t.movement', '=', 'create')
    .where('e.user_id', 'is not', null)
    .execute()
  expect(paid?.entries).toBe(names.length)
  expect(paid?.points).toBe(-names.length * pointsEach)
}
