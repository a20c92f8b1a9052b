import { type Call, calls, changePassword, getUser, setUserLevel, signOut, signUp } from '@kelid/contract'
import { expect, test } from 'vitest'
import { type Body, common } from '../calls.ts'
import { fair } from '../faults/remote.ts'
import { type Person, productForAllTests } from '../product.ts'
import { somebody } from './callers.ts'
import { freshEmail, samplePassword } from './samples.ts'
import { bearer, hold, json, readEnvelope, sendBytes, shortenTimeouts } from './wire.ts'

const product = productForAllTests()

const holdCall = <C extends Call>({ token }: Person, call: C, body: Body<C>, sent = 0) =>
  hold(
    product.url,
    {
      path: call.path,
      headers: { ...json, ...bearer(token) },
      body: JSON.stringify({ ...common, ...body }),
    },
    sent,
  )

/** The reply's errorType, or OK. */
function outcomeOf(answer: string): string {
  const [head = '', text = ''] = answer.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1])
  return readEnvelope({ status, text }).error?.errorType ?? 'OK'
}

test('an administrator who is demoted during their call cannot promote themselves again', async () => {
  const admin = await product.person({ level: 9 })
  const call = await holdCall(admin, setUserLevel, { userEmail: admin.email, value: 10 })
  await product.admin.call(setUserLevel, { userEmail: admin.email, value: 1 })
  call.release()
  expect(outcomeOf(await call.answer)).toBe('UNAUTHENTICATED')
  expect(await product.sql('SELECT level FROM users WHERE id = $1', admin.id)).toEqual([{ level: 1 }])
})

test.each([
  ['signing out', (who: Person) => who.call(signOut, {})],
  [
    'a change of the password elsewhere',
    async (who: Person) =>
      (await product.again(who)).call(changePassword, {
        oldPassword: samplePassword,
        newPassword: 'Abi-Asman-88',
      }),
  ],
])('after %s a pending call is refused', async (_, end) => {
  const person = await somebody(product, 1)
  const calls = [await holdCall(person, getUser, {}), await holdCall(person, getUser, {}, 10)]
  expect((await end(person)).status).toBe(200)
  for (const call of calls) {
    call.release()
    expect(outcomeOf(await call.answer)).toBe('UNAUTHENTICATED')
  }
})

test('a caller without a token is refused before the body, on every call that needs one', async () => {
  for (const { path } of calls.filter(({ access }) => access !== 'anyone')) {
    const { answer } = await hold(product.url, { path, headers: json, body: '{}' })
    expect(outcomeOf(await answer), path).toBe('UNAUTHENTICATED')
  }
})

test('a request without a head or a body times out', async () => {
  const within = 1_500
  shortenTimeouts(product.listener, within)
  const startedAt = Date.now()
  const body = JSON.stringify({ ...common, email: freshEmail(), password: samplePassword })
  const silent = [
    await hold(product.url, { path: signUp.path, headers: json, body }),
    await hold(product.url, { path: signUp.path, headers: json, body }, 10),
    await holdCall(product.admin, getUser, {}, 1),
  ].map(({ answer }) => answer)
  for (const answer of [...silent, sendHalfAHead()]) {
    expect(outcomeOf(await answer)).toBe('BAD_REQUEST')
    expect(Date.now() - startedAt).toBeGreaterThan(within - 100)
    expect(Date.now() - startedAt).toBeLessThan(fair(within + 5_000))
  }
})

const sendHalfAHead = () => sendBytes(product.url, `POST ${signUp.path} HTTP/1.1\r\nHost: x\r\nConte`)
