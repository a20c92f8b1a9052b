import {
  clearAbuse,
  day,
  desired,
  getAccount,
  getAnyAccount,
  getAudit,
  movement,
  newAccount,
  report,
  setAnyAccountMaxDevices,
  setSettings,
} from '@kelid/contract'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { passMinute, passMinutes, type Use } from '../../../test/devices.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import type { Person } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { scale, seedOf } from '../../../test/scale.ts'
import { emptyReport } from '../../../test/security/samples.ts'

const product = nodesForAllTests()
let person: Person
let admin: Person
let begin: Date
beforeAll(async () => {
  begin = product.clock.now()
})
beforeEach(async () => {
  product.clock.set(begin)
  person = await product.person({ points: 1_000_000, tunnelCredit: 1_000_000 })
  admin = await product.person({ level: 6 })
})

const minute = 60_000
const [first, second, third, fourth] = [1, 2, 3, 4].map((part) => `203.0.113.${part}`) as [
  string,
  string,
  string,
  string,
]
const buy = async () => (await person.ask(newAccount, directAccount)).accountUUID
const again = async (who: Person) => product.again(who)
const accountOf = async (accountUUID: string) => (await again(person)).ask(getAccount, { accountUUID })
const at = (id: string, ...addresses: string[]): Use[] => addresses.map((address) => ({ id, address }))
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)
const untilDate = (ms: number) => new Date(product.clock.now().getTime() + ms).toISOString()
type Host = Awaited<ReturnType<typeof product.onlyServer>>
const refusedAt = async (node: Host, id: string) =>
  (await node.list()).accounts?.find((account) => account.id === id)?.refused?.map(({ network }) => network)

test('after three minutes the newest device is refused for ten, its owner sees it, and the others go on', async () => {
  const node = await product.onlyServer()
  const id = await buy()
  await passMinutes(product, node, [at(id, first, second), ...times(2, at(id, first, second, third))])
  expect(await refusedAt(node, id)).toEqual([])
  const since = new Date(product.clock.now().getTime() - 2 * minute).toISOString()
  const { digest, epoch } = await node.list()
  const waiting = product.ask(await product.nodeOf(node.uuid), desired, { epoch, digest })
  await passMinute(product, node, at(id, first, second, third))
  const until = untilDate(10 * minute)
  expect((await waiting).accounts).toMatchObject([{ refused: [{ network: third, untilDate: until }] }])
  expect(await accountOf(id)).toMatchObject({
    accountState: 'active',
    accountRefusedDevices: { refused: 1, devices: 3, allowed: 2, sinceDate: since, untilDate: until },
  })
  expect(
    await product.sql("SELECT FROM events WHERE payload @> jsonb_build_object('accountUUID', $1::text)", id),
  ).not.toEqual([])
  const findings = await product.sql('SELECT * FROM abuse_findings WHERE account_uuid = $1', id)
  expect(findings).toMatchObject([{ act: 'refuse', devices: 3, allowed: 2, host_uuid: node.uuid }])
  expect(JSON.stringify(findings)).not.toContain('203.0.113')
  product.clock.advance(10 * minute)
  expect(await refusedAt(node, id)).toEqual([])
  expect((await accountOf(id)).accountRefusedDevices).toBeNull()
})

const slicesOf = (isMoving: (slice: number) => boolean) =>
  Array.from({ length: movement.slices }, (_, slice) => (isMoving(slice) ? 1 << slice : 0)).reduce(
    (a, b) => a | b,
    0,
  )
const beside = (uses: (id: string) => Use[]) => (id: string) => [...at(id, first, second), ...uses(id)]

test.each<[string, (id: string, minuteNumber: number) => Use[]]>([
  ['two devices', (id) => at(id, first, second)],
  ['a glimpse of a third one every minute', beside((id) => [{ id, address: third, slices: 1 }])],
  ['a third one that is connected and idle', beside((id) => [{ id, address: third, slices: 0 }])],
  [
    'a third one that pauses for a span',
    beside((id) => [{ id, address: third, slices: slicesOf((slice) => slice > 4) }]),
  ],
  ['a third address without connections', beside((id) => [{ id, address: third, isConnected: false }])],
  ['one phone with many IPv6 addresses', (id) => at(id, first, '2001:db8:1:2::1', '2001:db8:1:2::2')],
  [
    'a third one in three minutes of eleven',
    (id, number) => at(id, first, second, ...(number % 5 === 0 ? [third] : [])),
  ],
  ['a phone that is elsewhere each minute', (id, number) => at(id, first, `198.51.100.${number}`)],
  [
    'a phone in four networks, three seconds in each',
    (id) =>
      [first, second, third, fourth].map((address, index) => ({
        id,
        address,
        slices: slicesOf((slice) => slice % 4 === index),
      })),
  ],
])('%s: nobody is refused', async (_, usesOf) => {
  const node = await product.onlyServer()
  const id = await buy()
  for (let number = 0; number < 12; number += 1) await passMinute(product, node, usesOf(id, number))
  expect(await refusedAt(node, id)).toEqual([])
  expect(await product.sql('SELECT FROM abuse_findings WHERE account_uuid = $1', id)).toEqual([])
})

test('a repeated or late minute does not count', async () => {
  const node = await product.onlyServer()
  const id = await buy()
  await passMinutes(product, node, [at(id, first, second, third)])
  const addresses = [first, second, third].map((address) => ({ address, slices: 2 ** movement.slices - 1 }))
  const now = product.clock.now().toISOString()
  for (let count = 0; count < 3; count += 1) await node.say({ now, moved: { untilDate: now, addresses } })
  await passMinute(product, node, at(id, first, second))
  await node.say({ now: untilDate(0), moved: { untilDate: untilDate(-minute), addresses } })
  expect(await product.sql('SELECT FROM crowds WHERE account_uuid = $1', id)).toHaveLength(1)
})

test('behind a tunnel the tunnel sees who moves bytes, and a shared address proves nothing', async () => {
  const tunnelUUID = await product.tunnel()
  await product.sql('UPDATE tunnels SET paused = true WHERE uuid <> $1', tunnelUUID)
  const relay = await product.nodeOf(tunnelUUID)
  const entrance = { say: (fields: object) => product.ask(relay, report, { ...emptyReport(), ...fields }) }
  const node = await product.onlyServer(trojanServer())
  const other = await product.onlyServer({ ...trojanServer(), serverURL: 'other.example.com' })
  await product.sql('UPDATE servers SET paused = false WHERE uuid = $1', node.uuid)
  const ids: string[] = []
  for (let count = 0; count < 4; count += 1)
    ids.push((await person.ask(newAccount, tunnelledAccount)).accountUUID)
  const serverOf = async (id: string) => (await product.row('accounts', id)).server_uuid
  const shared = ids[0] ?? ''
  const home = (await serverOf(shared)) === node.uuid ? node : other
  const away = home === node ? other : node
  const neighbour =
    (await Promise.all(ids.map(async (id) => ((await serverOf(id)) === away.uuid ? id : '')))).find(
      Boolean,
    ) ?? ''
  for (let count = 0; count < 6; count += 1) {
    await away.say({
      now: untilDate(0),
      online: [{ id: neighbour, devices: [{ address: third, seenAt: untilDate(0) }] }],
    })
    await passMinute(product, home, at(shared, first, second, third), entrance)
  }
  expect(await refusedAt(home, shared), 'a neighbour on another server of this tunnel').toEqual([])
  await passMinutes(product, home, times(4, at(shared, first, second, third)))
  expect(await refusedAt(home, shared), 'the server does not see addresses itself').toEqual([])
  await passMinutes(product, home, times(4, at(shared, first, second, third)), entrance)
  expect(await refusedAt(home, shared)).toEqual([third])
})

/** As real users of one account: whoever is refused waits, and comes again. */
async function share(node: Host, id: string, minutes: number, addresses: string[]) {
  for (let count = 0; count < minutes; count += 1) {
    const refused = (await refusedAt(node, id)) ?? []
    await passMinute(product, node, at(id, ...addresses.filter((address) => !refused.includes(address))))
  }
}

test('an account is stopped only when the overlap lasts an hour in spite of the refusals; its owner opens it three times a month', async () => {
  const node = await product.onlyServer()
  const id = await buy()
  const stateAfter = async (minutes: number) => {
    await share(node, id, minutes, [first, second, third])
    return (await accountOf(id)).accountState
  }
  expect(await stateAfter(59)).toBe('active')
  expect(await stateAfter(15)).toBe('abused')
  const { accountAbuseEvidence: evidence, accountEnabled } = await accountOf(id)
  expect(accountEnabled).toBe(false)
  expect(evidence).toMatchObject({ devices: 3, sinceDate: begin.toISOString() })
  expect(evidence?.minutes).toBeGreaterThanOrEqual(15)
  expect(
    (await (await again(admin)).ask(getAudit, { subject: id, action: 'stopforabuse' })).items,
  ).toHaveLength(1)
  const clear = async (who: Person) => (await again(who)).call(clearAbuse, { accountUUID: id })
  const stranger = await product.person()
  expect((await clear(stranger)).errorType).toBe('RESOURCE_NOT_FOUND')
  for (let count = 0; count < 3; count += 1) {
    const reply = await clear(person)
    expect(reply.answer()).toMatchObject({
      accountState: 'active',
      accountQRString: expect.stringContaining('hysteria2://'),
    })
    expect((await clear(person)).status, 'nothing to clear, and none of the three').toBe(200)
    product.clock.advance(day)
    await product.abuse(id)
  }
  const refusal = await clear(person)
  const next = new Date(product.clock.now().getTime() + 27 * day).toISOString()
  expect(refusal.errorType).toBe('CLEARED_TOO_OFTEN')
  expect(JSON.stringify(refusal.envelope)).toContain(`from ${next.slice(0, 10)} on`)
  expect((await accountOf(id)).accountAbuseClearableDate).toBe(next)
  const cleared = (await clear(admin)).answer()
  expect(cleared).toMatchObject({ accountState: 'active', userEmail: person.email })
  expect(cleared).not.toHaveProperty('accountQRString')
  await product.abuse(id)
  product.clock.set(new Date(Date.parse(next)))
  expect((await clear(person)).status).toBe(200)
})

test('the limit is per account: an administrator sets it, and null is the default of the settings', async () => {
  const node = await product.onlyServer()
  const [wide, usual] = [await buy(), await buy()]
  const three = (id: string, part: number) => at(id, ...[1, 2, 3].map((last) => `198.51.${part}.${last}`))
  const set = async (accountUUID: string, accountMaxDevices: number | null, basedOn?: number | null) =>
    (await again(admin)).call(setAnyAccountMaxDevices, { accountUUID, accountMaxDevices, basedOn })
  expect((await set(wide, 3, null)).answer()).toMatchObject({ accountMaxDevices: 3 })
  expect((await set(wide, 4, null)).errorType).toBe('CHANGED_MEANWHILE')
  await passMinutes(product, node, times(4, [...three(wide, 1), ...three(usual, 2)]))
  expect(await refusedAt(node, wide)).toEqual([])
  expect(await refusedAt(node, usual)).toEqual(['198.51.2.3'])
  const { accounts } = await node.list()
  expect(accounts?.find(({ id }) => id === wide)?.maxDevices).toBe(3)
  await set(usual, 3)
  expect(await refusedAt(node, usual), 'a new limit starts over').toEqual([])
  expect(await (await again(admin)).ask(getAnyAccount, { accountUUID: usual })).toMatchObject({
    accountRefusedDevices: null,
  })
  await set(wide, null)
  await (await again(admin)).ask(setSettings, { maxDevices: 1 })
  await passMinutes(product, node, times(3, three(wide, 1)))
  expect(await refusedAt(node, wide)).toEqual(['198.51.1.2', '198.51.1.3'])
  await (await again(admin)).ask(setSettings, { maxDevices: 2 })
})

const seed = seedOf('devices')
/** A phone on its way, for some seconds in each network, beside another device at home. Networks come again. */
const journey = fc.array(
  fc.record({ network: fc.nat(4), seconds: fc.integer({ min: 1, max: 90 }), lingers: fc.nat(600) }),
  { minLength: 8, maxLength: 25 },
)

test('random honest roaming never refuses or stops anybody', async () => {
  const property = fc.asyncProperty(journey, async (stays) => {
    product.clock.set(begin)
    const node = await product.onlyServer()
    const id = await (await again(person))
      .ask(newAccount, directAccount)
      .then((account) => account.accountUUID)
    const slices = new Map<string, Set<number>>()
    const goneAt = new Map<string, number>()
    let time = 0
    for (const { network, seconds, lingers } of stays) {
      const address = `198.51.100.${network}`
      const own = slices.get(address) ?? new Set<number>()
      slices.set(address, own)
      const last = Math.floor((time + seconds - 1) / movement.sliceSeconds)
      for (let slice = Math.floor(time / movement.sliceSeconds); slice <= last; slice += 1) own.add(slice)
      time += seconds
      // A connection that nobody closed stays in the core's list.
      goneAt.set(address, Math.max(goneAt.get(address) ?? 0, time + lingers))
    }
    for (let number = 0; number < time / 60; number += 1) {
      const moving = [...slices].map(([address, own]) => ({
        ...{ id, address, slices: slicesOf((slice) => own.has(number * movement.slices + slice)) },
        isConnected: (goneAt.get(address) ?? 0) > number * 60,
      }))
      await passMinute(product, node, [...at(id, first), ...moving])
    }
    expect(await refusedAt(node, id)).toEqual([])
    expect(await product.sql('SELECT FROM abuse_findings WHERE account_uuid = $1', id)).toEqual([])
  })
  await fc.assert(property, { seed, numRuns: scale(5, 60) })
})
