// @vitest-environment jsdom

import { getUserCredit, signOut, wrap } from '@kelid/contract'
import { beforeEach, expect, test } from 'vitest'
import { answerBalances } from '../../test/accounts.ts'
import { answer, callsTo } from '../../test/answers.ts'
import '../../test/setup.ts'
import { openSession } from '../lib/session.ts'
import { act, fieldsOf, read } from './api.ts'
import { freshMs } from './first-calls.ts'

const token = 'somebody'
const firstCredit = {
  userCredit: 5,
  userCreditDollars: 0.05,
  userTunnelCredit: 0,
  userCreditRate: 100,
  renewal: 'extend',
}

function storeFirstCall(change: object = {}) {
  const reply = Promise.resolve(JSON.stringify(wrap(getUserCredit, firstCredit)))
  const body = JSON.stringify(fieldsOf({}, 'en'))
  const arrivedAt = Number.POSITIVE_INFINITY
  const call = { url: getUserCredit.path, body, token, reply, arrivedAt, ...change }
  Object.assign(globalThis, { firstCalls: [call] })
}

const credit = async () => (await read(getUserCredit, {})).userCredit

beforeEach(() => {
  openSession(token)
  answerBalances(7)
})

test("the first read takes the page's early reply, and the second sends a request", async () => {
  storeFirstCall()
  expect([await credit(), await credit()]).toEqual([5, 7])
  expect(callsTo(getUserCredit)).toHaveLength(1)
})

test.each([
  ['for another user', { token: 'another' }],
  ['in another language', { body: JSON.stringify(fieldsOf({}, 'fa')) }],
  ['at another address', { url: `https://other.example${getUserCredit.path}` }],
  ['too long ago', { arrivedAt: -freshMs }],
])('an early reply %s is ignored', async (_, change) => {
  storeFirstCall(change)
  expect(await credit()).toBe(7)
})

test('a change drops all early replies', async () => {
  storeFirstCall()
  answer(signOut, () => ({}))
  await act(signOut, {})
  expect(await credit()).toBe(7)
})

test('a failed early call is sent again', async () => {
  const reply = Promise.reject(new TypeError('no network'))
  reply.catch(() => {})
  storeFirstCall({ reply })
  await expect(credit()).rejects.toThrow('No answer from the server')
  expect(await credit()).toBe(7)
})
