import { type Call, calls, limits, nodeCalls, nodeLimits } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodesForAllTests } from '../nodes.ts'
import { openOtherServer, sampleCall, somebody } from './callers.ts'
import { databaseState } from './database-state.ts'
import { badFields, badLetters, badTexts, type Hostile, longestBody } from './hostile-bodies.ts'
import { badValues } from './hostile-values.ts'
import { postAs } from './node-callers.ts'
import { outcomeOf } from './samples.ts'
import { json, readEnvelope } from './wire.ts'

const product = nodesForAllTests()
beforeAll(async () => {
  await product.server({ serverMaxAccounts: 100_000 })
  await openOtherServer(product)
})
afterAll(() => {
  console.log(`hostile: ${counts.length} calls, ${Math.min(...counts)} to ${Math.max(...counts)} bodies each`)
})
const counts: number[] = []

/** A body that the call takes, and how a caller with access sends it. */
async function goodCall(call: Call) {
  const person = await somebody(product, 6)
  return { ...(await sampleCall(product, call, person)), post: await postAs(product, call, person) }
}

const timeout = 2_000
const contentTypeOf = ({ contentType }: Hostile) =>
  contentType === undefined ? json : contentType === null ? {} : { 'content-type': contentType }

test.each([...calls, ...nodeCalls].map((call) => [call.path, call as Call] as const))(
  '%s refuses what is hostile',
  async (path, call) => {
    const { post, body } = await goodCall(call)
    const { bodyBytes } = call.access === 'node' ? nodeLimits : limits
    const hostile = [
      ...badTexts(body),
      ...badFields(body),
      ...badLetters(body, bodyBytes),
      ...badValues(call, body),
    ]
    expect(hostile.length).toBeGreaterThanOrEqual(60)
    counts.push(hostile.length)
    const before = await databaseState(product)
    const findings: string[] = []
    for (const letter of hostile) {
      const headers = { ...contentTypeOf(letter), ...letter.headers }
      const started = performance.now()
      const reply = await post({ ...letter, path, headers })
      const type = letter.method === 'HEAD' ? undefined : readEnvelope(reply).error?.errorType
      if (reply.status !== letter.code) findings.push(`${letter.name}: ${reply.status} ${reply.text}`)
      else if (letter.type && type !== letter.type) findings.push(`${letter.name}: ${type}`)
      if (performance.now() - started > timeout) findings.push(`${letter.name} took too long`)
    }
    expect(findings).toEqual([])
    expect(await databaseState(product)).toEqual(before)
    const control = await post({ path, headers: json, body: longestBody(body, bodyBytes) })
    const { error } = readEnvelope(control)
    expect(error?.errorType ?? 'OK', 'the longest good body').toBe(outcomeOf(call))
  },
)

test('an unknown field is refused by name, also within a field', async () => {
  const { post, body } = await goodCall(calls.find((call) => call.path.endsWith('/setsettings')) as Call)
  const nameOf = async (change: object) => {
    const text = JSON.stringify({ ...body, ...change })
    const reply = await post({ path: '/api/v1/admin/setsettings', headers: json, body: text })
    return readEnvelope(reply).error?.errorParameters?.field
  }
  expect(await nameOf({ nickname: 1 })).toBe('nickname')
  expect(await nameOf({ ['__proto__']: 1 })).toBe('__proto__')
  expect(await nameOf({ '\u202eevil\u0007': 1 })).toBe('evil')
  expect(await nameOf({ pointsPerDay: { trojan: 1, 'hysteria2-direct': 1, wireguard: 1 } })).toBe(
    'pointsPerDay.wireguard',
  )
})
