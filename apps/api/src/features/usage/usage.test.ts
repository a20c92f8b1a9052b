import {
  day,
  getAccount,
  getAnyAccount,
  getAnyAccounts,
  getUsage,
  getUserAccounts,
  newAccount,
  newSecret,
} from '@kelid/contract'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'

import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { scale, seedOf } from '../../../test/scale.ts'

const product = nodesForAllTests()
let person: Person
beforeAll(async () => {
  person = await product.person({ points: 1_000_000 })
})

async function host() {
  const { uuid, say } = await product.onlyServer()
  return {
    uuid,
    say: (bootId: string, usage: { id: string; up: number; down: number }[]) =>
      say({ core: { version: '26.3.27', bootId, upSince: '' }, usage }),
  }
}
const buy = () => person.ask(newAccount, directAccount)
const usageOf = async (accountUUID: string) =>
  await (await product.again(person)).ask(getUsage, { accountUUID })

const seed = seedOf('usage')

/** The events of a counting core and of its reports, in random order. */
const deeds = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('use' as const), which: fc.nat(1), up: fc.nat(1e9), down: fc.nat(1e12) }),
    fc.record({ kind: fc.constant('report' as const) }),
    fc.record({ kind: fc.constant('again' as const), which: fc.nat(50) }),
    fc.record({ kind: fc.constant('both at once' as const), which: fc.nat(50) }),
    fc.record({ kind: fc.constant('restart' as const) }),
    fc.record({ kind: fc.constant('day' as const) }),
  ),
  { minLength: 1, maxLength: 40 },
)

test('usage is never lost nor counted twice, also with repeated, late and reordered reports', async () => {
  const begin = product.clock.now()
  const property = fc.asyncProperty(deeds, async (all) => {
    product.clock.set(begin)
    const { say } = await host()
    const ids = [(await buy()).accountUUID, (await buy()).accountUUID]
    const truth = ids.map(() => ({ up: 0, down: 0 }))
    let boot = 0
    let counters = ids.map((id) => ({ id, up: 0, down: 0 }))
    const sent: [string, typeof counters][] = []
    const send = async (which: number) => {
      const letter = sent[which % Math.max(sent.length, 1)]
      if (letter) await say(...letter)
    }
    const tell = () => {
      sent.push([`boot-${boot}`, structuredClone(counters)])
      return send(sent.length - 1)
    }
    for (const deed of all)
      if (deed.kind === 'use') {
        for (const one of [counters[deed.which], truth[deed.which]])
          if (one) Object.assign(one, { up: one.up + deed.up, down: one.down + deed.down })
      } else if (deed.kind === 'report') await tell()
      else if (deed.kind === 'again') await send(deed.which)
      else if (deed.kind === 'both at once') await Promise.all([send(deed.which), tell()])
      else if (deed.kind === 'day') product.clock.advance(day / 3)
      else {
        await tell()
        boot += 1
        counters = counters.map(({ id }) => ({ id, up: 0, down: 0 }))
      }
    await tell()
    for (const [index, id] of ids.entries()) {
      const { usageTotal, usageByDay } = await usageOf(id)
      expect(usageTotal).toEqual(truth[index])
      const sum = (of: 'up' | 'down') => usageByDay.reduce((total, one) => total + one[of], 0)
      expect({ up: sum('up'), down: sum('down') }).toEqual(truth[index])
    }
  })
  await fc.assert(property, { seed, numRuns: scale(10, 100) })
  product.clock.set(begin)
})

test('lists and pages of owners and administrators show what was used and who is online', async () => {
  const { say } = await host()
  const [used, idle] = [await buy(), await buy()]
  const seen = product.clock.now().toISOString()
  await say('one', [{ id: used.accountUUID, up: 1_200, down: 3_400 }])
  const owner = await product.again(person)
  const admin = await product.again(product.admin)
  const everywhere = async ({ accountUUID }: { accountUUID: string }) => {
    const isIt = (one: { accountUUID: string }) => one.accountUUID === accountUUID
    return [
      (await owner.ask(getUserAccounts, { limit: 40 })).items.find(isIt),
      await owner.ask(getAccount, { accountUUID }),
      (await admin.ask(getAnyAccounts, { userEmail: person.email, limit: 40 })).items.find(isIt),
      await admin.ask(getAnyAccount, { accountUUID }),
    ]
  }
  const total = { usageTotal: { up: 1_200, down: 3_400 }, accountLastSeenDate: seen }
  for (const shown of await everywhere(used)) expect(shown).toMatchObject({ ...total, accountOnline: true })
  for (const shown of await everywhere(idle))
    expect(shown).toMatchObject({
      usageTotal: { up: 0, down: 0 },
      accountLastSeenDate: null,
      accountOnline: false,
    })
  product.clock.advance(61_000)
  for (const shown of await everywhere(used)) expect(shown).toMatchObject({ ...total, accountOnline: false })
})

test("customers' apps and the page of the link show the usage", async () => {
  const { say } = await host()
  const { accountUUID: id, accountSubscriptionPath } = await buy()
  await say('one', [{ id, up: 1_200, down: 3_400 }])
  const { headers } = await product.raw(accountSubscriptionPath, { headers: { 'user-agent': 'mihomo' } })
  expect(headers.get('subscription-userinfo')).toMatch(/^upload=1200; download=3400; total=0; expire=\d+$/)
  const pageIn = async (language: string) =>
    (
      await product.raw(`${accountSubscriptionPath}?lng=${language}`, { headers: { accept: 'text/html' } })
    ).text()
  expect(await pageIn('en')).toContain('<dt>Data used</dt><dd>4.5 kB</dd>')
  expect(await pageIn('fa')).toContain('<dt>حجم مصرف‌شده</dt><dd>۴٫۵ کیلوبایت</dd>')
})

test("the customer's page counts the networks that are connected now, without their addresses", async () => {
  const { say, list } = await product.onlyServer()
  const { accountUUID: id, accountSubscriptionPath } = await buy()
  const page = async () =>
    (await product.raw(accountSubscriptionPath, { headers: { accept: 'text/html' } })).text()
  const shown = async () => (await page()).match(/<dt>Devices online now<\/dt><dd>(\d+)</)?.[1]
  const seen = () => product.clock.now().toISOString()
  expect(await shown()).toBeUndefined()
  expect(await page()).not.toContain('Data used')
  const { epoch, number } = await list()
  await say({ epoch, number, applied: [{ id, revision: 1 }] })
  expect(await shown()).toBe('0')
  expect(await page()).toContain('<dt>Data used</dt><dd>0 kB</dd>')

  const addresses = ['203.0.113.7', '2001:db8:1:2::1', '2001:db8:1:2::2']
  await say({ online: [{ id, devices: addresses.map((address) => ({ address, seenAt: seen() })) }] })
  expect(await shown()).toBe('2')
  for (const part of ['203.0.113.7', '2001:db8']) expect(await page()).not.toContain(part)
  await product.ctx.db
    .updateTable('devices')
    .set({ refused_until: new Date(product.clock.now().getTime() + 60_000) })
    .where('network', '=', '203.0.113.7')
    .execute()
  expect(await shown()).toBe('1')
  product.clock.advance(61_000)
  expect(await shown()).toBe('0')
})

test('a new VPN key is another one, the subscription link stays, and the node is asked to change', async () => {
  await host()
  const owner = await product.again(person)
  const before = await owner.ask(newAccount, directAccount)
  const accountUUID = before.accountUUID
  const after = await owner.ask(newSecret, { accountUUID })
  expect(after.accountQRString).not.toBe(before.accountQRString)
  expect(after.accountSubscriptionPath).toBe(before.accountSubscriptionPath)
  expect(await owner.ask(getAccount, { accountUUID })).toEqual(after)
  const row = await product.row('accounts', accountUUID)
  expect(row).toMatchObject({ revision: 2, applied_ms: null })
  expect((await product.raw(after.accountSubscriptionPath)).status).toBe(200)
})

test('usage is by UTC day for 30 days, and an account seen within a minute is online', async () => {
  const begin = product.clock.now()
  const { say } = await host()
  const { accountUUID: id } = await buy()
  const before = await usageOf(id)
  expect(before).toMatchObject({
    usageTotal: { up: 0, down: 0 },
    accountOnline: false,
    accountLastSeenDate: null,
  })
  expect(before.usageByDay).toHaveLength(30)
  await say('one', [{ id, up: 100, down: 1_000 }])
  product.clock.advance(day)
  await say('one', [{ id, up: 150, down: 1_000 }])
  const after = await usageOf(id)
  expect(after.usageByDay.slice(-2)).toEqual([
    { day: new Date(product.clock.now().getTime() - day).toISOString().slice(0, 10), up: 100, down: 1_000 },
    { day: product.clock.now().toISOString().slice(0, 10), up: 50, down: 0 },
  ])
  expect(after).toMatchObject({ accountOnline: true, accountLastSeenDate: product.clock.now().toISOString() })
  product.clock.advance(61_000)
  expect((await usageOf(id)).accountOnline).toBe(false)
  product.clock.advance(40 * day)
  await product.job('purge')
  expect((await usageOf(id)).usageTotal).toEqual({ up: 150, down: 1_000 })
  expect(await product.sql('SELECT FROM usage_days WHERE account_uuid = $1', id)).toEqual([])
  await say('one', [{ id, up: 151, down: 1_000 }])
  expect((await usageOf(id)).usageTotal, 'the core still counts from where it was').toEqual({
    up: 151,
    down: 1_000,
  })
  product.clock.set(begin)
})
