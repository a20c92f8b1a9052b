import { Refusal, signUp } from '@kelid/contract'
import { expect, test } from 'vitest'
import { runningClock } from '../clock.ts'
import { tally, together } from '../faults/races.ts'
import { type Person, productForEachTest } from '../product.ts'
import { attacker, from, signInFrom, wrongPassword } from './attempts.ts'
import { somebody } from './callers.ts'
import { freshEmail, samplePassword } from './samples.ts'

const exit = '203.0.113.20'

/** The clock runs: what people do in the same moment has times that differ by milliseconds, in any order. */
const product = productForEachTest({ env: { KELID_TRUST_PROXY: '1' }, clock: runningClock() })

const enter = (email: string, password: string, address = exit) =>
  signInFrom(product, email, address, password)
const people = (count: number): Promise<Person[]> => together(() => somebody(product, 1), count)

/** Makes wrong guesses at other accounts until the address must wait. */
async function useUp(address: string): Promise<void> {
  for (let batch = 0; batch < 10; batch += 1)
    await together(() => enter(freshEmail(), wrongPassword, address), 10)
  while ((await enter(freshEmail(), wrongPassword, address)).errorType !== 'TOO_MANY_ATTEMPTS');
}

test('people who share an address sign in at once without a wait', async () => {
  const crowd = await people(8)
  // More than the failures that one address may have.
  for (let round = 0; round < 13; round += 1)
    expect(tally(await Promise.all(crowd.map(({ email }) => enter(email, samplePassword))))).toEqual({
      done: 8,
    })
})

test('newcomers who share an address sign up and in at once without a wait', async () => {
  for (let round = 0; round < 7; round += 1) {
    const newcomers = Array.from({ length: 4 }, freshEmail)
    const join = (email: string) => product.call(signUp, { email, password: samplePassword }, from(exit))
    expect(tally(await Promise.all(newcomers.map(join)))).toEqual({ done: 4 })
    const replies = await Promise.all(newcomers.map((email) => enter(email, samplePassword)))
    expect(tally(replies)).toEqual({ done: 4 })
  }
})

test('a used-up address still admits the users who are known there', async () => {
  const victims = await people(4)
  for (const { email } of victims) await enter(email, samplePassword)
  await useUp(exit)
  const polls: ReturnType<typeof enter>[] = []
  for (let round = 0; round < 10; round += 1)
    for (const { email } of victims) {
      polls.push(enter(freshEmail(), wrongPassword), enter(freshEmail(), wrongPassword))
      expect((await enter(email, samplePassword)).status).toBe(200)
    }
  expect(tally(await Promise.all(polls)).TOO_MANY_ATTEMPTS).toBeGreaterThan(70)
})

test('a known address that others share does not speed up guessing', async () => {
  const [victim, neighbour] = (await people(2)) as [Person, Person]
  for (const { email } of [victim, neighbour]) await enter(email, samplePassword)
  const started = Date.now()
  const replies = await together(() => enter(victim.email, wrongPassword), 80)
  const { WRONG_CREDENTIALS: tried = 0, ...others } = tally(replies)
  expect(tried).toBeGreaterThanOrEqual(20)
  expect(tried).toBeLessThanOrEqual(20 + Math.log2(1 + (Date.now() - started) / 1_000))
  expect(others).toEqual({ TOO_MANY_ATTEMPTS: 80 - tried })
  expect((await enter(neighbour.email, samplePassword)).status).toBe(200)
  expect((await enter(victim.email, samplePassword, '203.0.113.21')).status).toBe(200)
})

test('refused attempts for a waiting account do not count for the address', async () => {
  const [attacked, colleague] = (await people(2)) as [Person, Person]
  for (let count = 1; count <= 6; count += 1) await enter(attacked.email, wrongPassword, attacker(count))
  const refused: unknown[] = []
  while (refused.length < 110) {
    const { errorType } = await enter(attacked.email, wrongPassword, exit)
    if (errorType === 'TOO_MANY_ATTEMPTS') refused.push(errorType)
  }
  expect((await enter(colleague.email, samplePassword, exit)).status).toBe(200)
})

test('an attempt that a busy server refused is not counted', async () => {
  const [{ email }] = (await people(1)) as [Person]
  const { passwords } = product.ctx
  const { matches, hash } = passwords
  const busy = async () => {
    throw new Refusal('BUSY')
  }
  Object.assign(passwords, { matches: busy, hash: busy })
  const join = () => product.call(signUp, { email: freshEmail(), password: samplePassword }, from(exit))
  for (let count = 0; count < 40; count += 1) {
    expect((await enter(email, samplePassword)).errorType).toBe('BUSY')
    expect((await join()).errorType).toBe('BUSY')
  }
  Object.assign(passwords, { matches, hash })
  expect((await enter(email, samplePassword)).status).toBe(200)
  expect((await join()).status).toBe(200)
})
