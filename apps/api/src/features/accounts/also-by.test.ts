import {
  extendBulk,
  extendDuration,
  getStatement,
  getUserCredit,
  moveAccount,
  newAccount,
  quoteAccount,
  setSettings,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { expectSoundBooks } from '../../../test/faults/races.ts'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount, sampleOf, unusedAddress } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
let person: Person
const perDay = 10
const perWay = 3

const reality = { accountVPNType: 'vless-reality', accountTunnelType: '' } as const
const directWay = { accountVPNType: 'hysteria2-direct', accountTunnelType: '' } as const
const xhttp = { accountVPNType: 'vless-xhttp', accountTunnelType: '' } as const

const direct = (vpnType: 'vless-reality' | 'vless-xhttp', change: object = {}) =>
  product.server({
    ...sampleOf(vpnType).server,
    serverTunnelActive: false,
    serverTunnelType: '',
    serverMaxAccounts: 100,
    serverIPV4: unusedAddress(),
    ...change,
  })

beforeAll(async () => {
  person = await product.person({ points: 100_000 })
  await product.admin.ask(setSettings, {
    pointsPerDay: { 'hysteria2-direct': perDay },
    pointsPerDayOfWay: perWay,
  })
  await product.server({ serverIPV4: unusedAddress() })
  await product.server({ serverIPV4: unusedAddress(), countryId: 250 })
  await direct('vless-reality', { countryId: 276 })
  await direct('vless-reality', { countryId: 528 })
})

const points = async () => (await person.ask(getUserCredit, {})).userCredit
const buy = (change: object = {}) =>
  person.call(newAccount, { ...directAccount, accountDuration: 10, ...change })
const typesOf = async (change: object) =>
  (await buy(change))
    .answer()
    .accountWays?.map(({ accountVPNType, server }) => [accountVPNType, server.country])

test('an account gets the ways that are chosen, in the chosen countries, with the price of each', async () => {
  const before = await points()
  const accountAlsoBy = [
    { ...reality, countryId: 528 },
    { ...reality, countryId: 276 },
  ]
  const question = { ...directAccount, accountDuration: 10, accountAlsoBy }
  const { accountTunnelEnabled: _, accountName: __, ...asked } = question
  const { quotePoints } = await person.ask(quoteAccount, asked)
  expect(quotePoints).toBe(10 * (perDay + 2 * perWay))
  const ways = await typesOf({ accountAlsoBy, quotedPoints: quotePoints })
  expect(ways).toMatchObject([
    ['hysteria2-direct', {}],
    ['vless-reality', { countryName: 'Netherlands' }],
    ['vless-reality', { countryName: 'Germany' }],
  ])
  expect(await points()).toBe(before - quotePoints)
  const [entry] = (await person.ask(getStatement, {})).items
  expect(entry).toMatchObject({ entryDays: 10, entryVPNType: 'hysteria2-direct', entryWays: 2 })
  await expectSoundBooks(product.ctx.db)
})

test('a way that may be anywhere leaves the only server of a country to the way that must be there', async () => {
  const [countryId, realityThere] = [380, { ...reality, countryId: 380 }]
  await direct('vless-reality', { countryId, serverMaxAccounts: 1_000 })
  expect(await typesOf({ ...reality, accountAlsoBy: [realityThere] })).toMatchObject([
    ['vless-reality', {}],
    ['vless-reality', { countryName: 'Italy' }],
  ])
})

test('a chosen way that a move has ended costs nothing any more', async () => {
  const { accountUUID } = (await buy({ accountAlsoBy: [{ ...directWay, countryId: 250 }] })).answer()
  const [{ server_uuid: toServerUUID }] = await product.sql(
    'SELECT server_uuid FROM account_ways WHERE account_uuid = $1',
    accountUUID,
  )
  await product.admin.ask(moveAccount, { accountUUID, toServerUUID })
  const before = await points()
  await person.ask(extendDuration, { accountUUID, accountDuration: 5 })
  expect(before - (await points())).toBe(5 * perDay)
  await expectSoundBooks(product.ctx.db)
})

test('without room for one of them nothing is sold', async () => {
  const accountAlsoBy = [reality, xhttp]
  const { quoteRefusal } = await person.ask(quoteAccount, {
    ...{ accountVPNType: 'hysteria2-direct', accountTunnelType: '', accountDuration: 10, accountAlsoBy },
  })
  expect(quoteRefusal).toBe('NO_CAPACITY')
  const before = await points()
  expect((await buy({ accountAlsoBy })).errorType).toBe('NO_CAPACITY')
  expect(await points()).toBe(before)
  await expectSoundBooks(product.ctx.db)
})

test('renewals cost the chosen ways too, one by one and in bulk', async () => {
  const { accountUUID } = (await buy({ accountAlsoBy: [reality] })).answer()
  const before = await points()
  await person.ask(extendDuration, { accountUUID, accountDuration: 5 })
  expect(before - (await points())).toBe(5 * (perDay + perWay))
  await person.ask(extendBulk, { accountUUIDs: [accountUUID], accountDuration: 5 })
  expect(before - (await points())).toBe(10 * (perDay + perWay))
})

test.each([
  ['five', Array.from({ length: 5 }, () => reality)],
  ['a tunnel that does not fit', [{ accountVPNType: 'hysteria2-direct', accountTunnelType: 'ssh' }]],
  ['no list', reality],
])('%s is refused', async (_, accountAlsoBy) => {
  expect((await buy({ accountAlsoBy })).errorType).toBe('INCOMPLETE_INFORMATION')
})

test('a field that ways do not have is refused by its name', async () => {
  const refused = await buy({ accountAlsoBy: [{ ...reality, accountName: 'ali' }] })
  expect(refused.errorType).toBe('UNKNOWN_FIELD')
})

test('ways of different types may share a machine, if there is no other', async () => {
  const serverIPV4 = unusedAddress()
  await direct('vless-xhttp', { serverIPV4, serverPort: 443 })
  await product.server({ serverIPV4, serverName: 'beside', countryId: 40 })
  expect(await typesOf({ countryId: 40, accountAlsoBy: [xhttp] })).toHaveLength(2)
})
