import { randomBytes } from 'node:crypto'
import { getAccount, newAccount } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { createSeal } from '../../src/lib/seal.ts'
import { productForAllTests } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'

const product = productForAllTests()
beforeAll(() => product.server())

const seal = createSeal(randomBytes(32))
const location = 'accounts.secrets.5f9b1f4e-0000-4000-8000-000000000001' as const

test('a sealed text opens where it was sealed, and looks different every time', () => {
  const [one, two] = [seal.close(location, 'کلید 🔑'), seal.close(location, 'کلید 🔑')]
  expect([seal.open(location, one), seal.open(location, two)]).toEqual(['کلید 🔑', 'کلید 🔑'])
  expect(one.equals(two)).toBe(false)
  expect(seal.open(location, seal.close(location, ''))).toBe('')
})

test.each([
  'accounts.secrets.5f9b1f4e-0000-4000-8000-000000000002',
  'accounts.other.5f9b1f4e-0000-4000-8000-000000000001',
  'servers.secrets.5f9b1f4e-0000-4000-8000-000000000001',
] as const)('it does not open in another row, column or table: %s', (elsewhere) => {
  expect(() => seal.open(elsewhere, seal.close(location, 'secret'))).toThrow()
})

test('a sealed text does not open with another key, a changed bit or a missing byte', () => {
  const sealed = seal.close(location, 'secret')
  expect(() => createSeal(randomBytes(32)).open(location, sealed)).toThrow()
  for (let at = 0; at < sealed.length; at += 1) {
    const turned = Buffer.from(sealed)
    turned[at] = (turned[at] ?? 0) ^ 1
    expect(() => seal.open(location, turned), `byte ${at}`).toThrow()
    expect(() => seal.open(location, sealed.subarray(0, at)), `first ${at}`).toThrow()
  }
})

test('a fingerprint depends on the key and on its purpose', () => {
  const prints = [
    seal.fingerprint('a', 'text'),
    seal.fingerprint('b', 'text'),
    seal.fingerprint('a', 'text2'),
    createSeal(randomBytes(32)).fingerprint('a', 'text'),
  ].map((print) => print.toString('hex'))
  expect(new Set(prints).size).toBe(4)
  expect(seal.fingerprint('a', 'text').toString('hex')).toBe(prints[0])
})

test('a secret that is copied to another account opens nothing and is not shown', async () => {
  const person = await product.person({ points: 1_000 })
  const victim = await product.person({ points: 1_000 })
  const own = await person.ask(newAccount, directAccount)
  const theirs = await victim.ask(newAccount, directAccount)
  const secretOf = (link: string) => /:\/\/([^@]+)@/.exec(link)?.[1] ?? 'none'
  for (const source of ['accounts WHERE uuid = $2', 'servers WHERE $2::uuid IS NOT NULL LIMIT 1']) {
    await product.ctx.pool.query(
      `UPDATE accounts SET secrets = (SELECT secrets FROM ${source}) WHERE uuid = $1`,
      [own.accountUUID, theirs.accountUUID],
    )
    const reply = await person.call(getAccount, { accountUUID: own.accountUUID })
    expect(reply.errorType).toBe('INTERNAL')
    expect(JSON.stringify(reply.envelope)).not.toContain(secretOf(theirs.accountQRString))
    const page = await product.raw(own.accountSubscriptionPath)
    expect(page.status).toBe(500)
    expect(await page.text()).not.toContain(secretOf(theirs.accountQRString))
  }
})
