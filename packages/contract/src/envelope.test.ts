import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { getUserAccounts } from './accounts.ts'
import { getUser, signIn, signOut } from './auth.ts'
import { defineCall, list } from './call.ts'
import { getCountries } from './countries.ts'
import { RefusedByServer, unwrap, wrap, wrapRefusal } from './envelope.ts'
import { Refusal, refusals } from './errors.ts'
import { ruleTexts } from './rules.ts'
import { getServers } from './servers.ts'
import { getUsers } from './users.ts'

const overWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const user = { userEmail: 'ali@example.com', userLevel: 6, userPhone: null, userContact: '' }
const germany = { countryId: 276, countryCode: 'DE', countryName: 'Germany', countryFlag: '/flags/de.svg' }

describe('a success', () => {
  test('has the form of spec.md section 7', () => {
    expect(wrap(signIn, { token: 't' })).toEqual({
      response: { status: 1, httpCode: 200, message: 'Signed in', detailedResponse: [{ token: 't' }] },
    })
  })

  test('of one item is unchanged after a round trip', () => {
    expect(unwrap(getUser, overWire(wrap(getUser, user)))).toEqual(user)
  })

  test('of nothing is empty even if the handler returned something', () => {
    const reply = wrap(signOut, { passwordHash: 'secret' })
    expect(reply.response.detailedResponse).toEqual([])
    expect(unwrap(signOut, overWire(reply))).toBeUndefined()
  })

  test('of a list fills detailedResponse, empty or not', () => {
    for (const items of [[germany, germany], []]) {
      const reply = wrap(getCountries, { items })
      expect(reply.response.detailedResponse).toEqual(items)
      expect(unwrap(getCountries, overWire(reply)).items).toEqual(items)
    }
  })

  test.each([
    [{ nextCursor: 'abc', total: 900 }],
    [{ nextCursor: null, total: 0 }],
    [{ nextCursor: null }],
    [{}],
  ])('of a page keeps %j', (page) => {
    const reply = wrap(getUsers, { items: [], ...page })
    expect(reply.response).toMatchObject(page)
    expect('nextCursor' in reply.response).toBe('nextCursor' in page)
    expect(unwrap(getUsers, overWire(reply))).toEqual({ items: [], ...page })
  })
})

describe('fields outside the contract are never sent', () => {
  test('in one thing, in a list and in a nested thing', () => {
    const leaky = { ...user, passwordHash: '$argon2id$', token: 't' }
    expect(JSON.stringify(wrap(getUser, leaky))).not.toMatch(/argon2|token/)
    const reply = wrap(getCountries, { items: [{ ...germany, serverSSHKey: 'k' }], passwordHash: 'h' })
    expect(JSON.stringify(reply)).not.toMatch(/SSHKey|passwordHash/)
    const nested = defineCall({
      path: '/api/v1/test/nested',
      access: 'user',
      summary: 'For this test',
      input: {},
      output: list(z.object({ server: z.object({ name: z.string() }) })),
    })
    expect(wrap(nested, { items: [{ server: { name: 'a', ssh: 'k' } }] }).response.detailedResponse).toEqual([
      { server: { name: 'a' } },
    ])
  })

  test.each([[undefined], [null], [{}], [{ ...user, userLevel: '6' }], [{ ...user, userEmail: 1 }]])(
    'and %j instead of the user is an error, not a reply',
    (result) => {
      expect(() => wrap(getUser, result)).toThrow()
    },
  )
})

describe('a refusal', () => {
  test('has the form of product.md', () => {
    expect(wrapRefusal(new Refusal('EMAIL_TAKEN'))).toEqual({
      response: {
        status: 0,
        httpCode: 409,
        message: 'There is already an account with this e-mail',
        detailedResponse: [],
        error: {
          errorContent: ['There is already an account with this e-mail'],
          errorAutoHide: true,
          errorType: 'EMAIL_TAKEN',
        },
      },
    })
  })

  test('says which fields and why, after the text that is shown', () => {
    const refusal = new Refusal('INCOMPLETE_INFORMATION', {}, { email: 'email', other: 'not a rule' })
    expect(wrapRefusal(refusal).response.error).toMatchObject({
      errorContent: ['Client: Incomplete information', `email: ${ruleTexts.email}`, 'other: not a rule'],
      errorFields: { email: 'email', other: 'not a rule' },
    })
  })

  test.each(Object.keys(refusals) as (keyof typeof refusals)[])(
    '%s is unchanged after a round trip',
    (type) => {
      const refusal = new Refusal(type, { missing: 5, requestId: 'r1' }, { email: 'email' })
      const reply = overWire(wrapRefusal(refusal))
      const thrown = caught(() => unwrap(getUser, reply))
      expect(thrown).toBeInstanceOf(RefusedByServer)
      expect(thrown).toMatchObject({
        type,
        httpCode: refusals[type].httpCode,
        message: refusal.message,
        autoHide: !['INTERNAL', 'REPLY_FAILED', 'OUTCOME_UNKNOWN'].includes(type),
        parameters: { missing: 5, requestId: 'r1' },
        fields: { email: 'email' },
      })
    },
  )

  test('of another server with less in it is still reported', () => {
    const bare = { response: { status: 0, httpCode: 500, message: 'Down', detailedResponse: [] } }
    expect(caught(() => unwrap(getUser, bare))).toMatchObject({
      type: 'INTERNAL',
      httpCode: 500,
      message: 'Down',
      autoHide: true,
    })
    const empty = { errorContent: [], errorAutoHide: false, errorType: 'RESOURCE_NOT_FOUND' }
    expect(caught(() => unwrap(getServers, { response: { ...bare.response, error: empty } }))).toMatchObject({
      type: 'RESOURCE_NOT_FOUND',
      message: 'Down',
      autoHide: false,
    })
  })

  test('of some servers means that a list is empty', () => {
    const said = (text: string, errorType: string) => ({
      response: {
        status: 0,
        httpCode: 404,
        message: '',
        detailedResponse: [],
        error: { errorContent: [text], errorAutoHide: true, errorType },
      },
    })
    expect(unwrap(getUserAccounts, said('Nothing', 'RESOURCE_NOT_FOUND'))).toEqual({ items: [] })
    expect(unwrap(getUserAccounts, said('No accounts found', 'OTHER'))).toEqual({ items: [] })
    expect(caught(() => unwrap(getUserAccounts, said('Down', 'OTHER')))).toMatchObject({ type: 'OTHER' })
    expect(caught(() => unwrap(getServers, said('Nothing', 'RESOURCE_NOT_FOUND')))).toBeDefined()
  })
})

test.each([
  [undefined],
  [null],
  ['<html>'],
  [{}],
  [{ response: null }],
  [{ response: { status: '1', httpCode: 200, message: '', detailedResponse: [user] } }],
  [{ response: { status: 1, httpCode: 200, message: '', detailedResponse: user } }],
  [{ response: { status: 1, httpCode: 200, message: '', detailedResponse: [] } }],
  [{ response: { status: 1, httpCode: 200, message: '', detailedResponse: [{ userEmail: 1 }] } }],
])('%j is not a reply to getuser, and says so', (reply) => {
  const thrown = caught(() => unwrap(getUser, reply))
  expect(thrown).toBeInstanceOf(Error)
  expect(thrown).not.toBeInstanceOf(RefusedByServer)
})

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
