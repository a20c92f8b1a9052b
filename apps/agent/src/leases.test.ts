import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { account, temporaryFolder } from './agent.fixture.ts'
import { openLeases, type StoredLeases } from './leases.ts'
import { noList } from './list.ts'
import type { Account } from './reconcile.ts'
import { openStateFile } from './state-file.ts'

const folder = temporaryFolder()
let files = 0
let file: string
let heard: string[]
let accounts: Account[]
let unreported: string[]
let passed: number
beforeEach(() => {
  files += 1
  file = join(folder, String(files), 'leases.json')
  heard = []
  accounts = [leased('a')]
  unreported = []
  passed = 0
})
const leased = (id: string, change: Partial<Account> = {}) => account(id, { isLeased: true, ...change })
const list = () => ({ ...noList, epoch: 'e', accounts, unreported })
const open = () => {
  const state = openStateFile<StoredLeases>(file, 'leases of data', (line) => heard.push(line))
  return openLeases(
    state,
    list,
    () => Date.parse('2026-01-01'),
    () => passed,
  )
}
type Leases = Awaited<ReturnType<typeof open>>
const counted = (counters: Record<string, number>, boot = 'one') => ({
  boot,
  usage: new Map(Object.entries(counters).map(([id, down]) => [id, { up: 0, down }])),
})
const saidOf = (leases: Leases, id = 'a') => leases.said().get(id)
/** As an answer of the control plane. */
const grant = (leases: Leases, until: number, id = 'a') =>
  leases.take([{ id, frame: saidOf(leases, id)?.frame ?? '', until }])
const stored = async (): Promise<StoredLeases> => JSON.parse(await readFile(file, 'utf8'))

test('an account is let in with a lease, until its count has reached the end; others need none', async () => {
  const leases = await open()
  const [own] = accounts as [Account]
  expect(leases.allows(own), 'before it has one').toBe(false)
  expect(leases.allows(account('unlimited'))).toBe(true)
  expect(await leases.count(counted({}))).toBe(false)
  expect(leases.isUrgent()).toBe(true)
  expect(grant(leases, 1_000)).toEqual({ opens: true, givesBack: false })
  expect(leases.allows(own)).toBe(true)
  expect(await leases.count(counted({ a: 999 }))).toBe(false)
  expect(leases.allows(own)).toBe(true)
  expect(await leases.count(counted({ a: 1_001 }))).toBe(true)
  expect(leases.allows(own)).toBe(false)
  expect(await leases.count(counted({ a: 1_001 })), 'it ended before').toBe(false)
  expect(saidOf(leases)).toMatchObject({ spent: 1_001, until: 1_000 })
})

test('it asks at once when a lease is missing, used by half, or used up, and each time once', async () => {
  const leases = await open()
  const report = () => {
    const isUrgent = leases.isUrgent()
    leases.markReported(leases.said())
    return isUrgent
  }
  await leases.count(counted({}))
  expect([report(), report()]).toEqual([true, false])
  expect(leases.waiting(), 'but each usual report says so').toEqual(['a'])
  grant(leases, 1_000)
  expect([report(), leases.waiting()]).toEqual([false, []])
  await leases.count(counted({ a: 499 }))
  expect(report()).toBe(false)
  await leases.count(counted({ a: 500 }))
  expect([report(), report()]).toEqual([true, false])
  await leases.count(counted({ a: 1_000 }))
  expect([report(), report(), leases.waiting()]).toEqual([true, false, ['a']])
  grant(leases, 2_000)
  expect(leases.isUrgent()).toBe(false)
  await leases.count(counted({ a: 1_600 }))
  expect(report()).toBe(true)
  for (const change of [{ enabled: false }, { expiresAt: '2025-12-31T00:00:00Z' }]) {
    accounts = [leased('a', change)]
    await leases.count(counted({ a: 2_100 }))
    expect([leases.isUrgent(), leases.waiting()]).toEqual([false, []])
  }
  accounts = [leased('a')]
  unreported = ['a']
  expect([leases.isUrgent(), leases.waiting()], 'it is not reported').toEqual([false, []])
})

test('the count goes on over starts of the core and of the agent, without a byte more or less', async () => {
  let leases = await open()
  await leases.count(counted({ a: 100 }))
  expect(saidOf(leases)?.spent, 'from before the lease').toBe(0)
  grant(leases, 10_000)
  await leases.count(counted({ a: 150 }))
  await leases.count(counted({ a: 20 }, 'two'))
  await leases.count(counted({ a: 50 }, 'two'))
  const frame = saidOf(leases)?.frame
  expect(saidOf(leases)).toEqual({ frame, spent: 100, until: 10_000 })
  await leases.keep()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  leases = await open()
  await leases.count(counted({ a: 75 }, 'two'))
  expect(saidOf(leases), 'the core went on without the agent').toEqual({ frame, spent: 125, until: 10_000 })
  leases = await open()
  await leases.count(counted({ a: 10 }, 'three'))
  expect(saidOf(leases), 'both have restarted').toEqual({ frame, spent: 110, until: 10_000 })
  await leases.count(counted({ a: 3 }, 'three'))
  await leases.count(counted({ a: 3 }, 'four'))
  expect(saidOf(leases)?.spent, 'a core that restarted between two of its answers').toBe(113)
})

test('what was counted is stored after 8 MB, after ten seconds, and before it is reported', async () => {
  const leases = await open()
  await leases.count(counted({}))
  grant(leases, 2 ** 40)
  await leases.keep()
  const spent = async () => (await stored()).leases[0]?.[1].spent
  await leases.count(counted({ a: 2 ** 20 }))
  expect(await spent()).toBe(0)
  await leases.count(counted({ a: 9 * 2 ** 20 }))
  expect(await spent()).toBe(9 * 2 ** 20)
  await leases.count(counted({ a: 9 * 2 ** 20 + 1 }))
  expect(await spent()).toBe(9 * 2 ** 20)
  passed += 10_000
  await leases.count(counted({ a: 9 * 2 ** 20 + 2 }))
  expect(await spent()).toBe(9 * 2 ** 20 + 2)
})

test('a smaller lease is given back, but never below what was used', async () => {
  const leases = await open()
  await leases.count(counted({}))
  grant(leases, 1_000)
  await leases.count(counted({ a: 400 }))
  expect(grant(leases, 600)).toEqual({ opens: false, givesBack: true })
  expect(saidOf(leases)).toMatchObject({ spent: 400, until: 600 })
  grant(leases, 100)
  expect(saidOf(leases)).toMatchObject({ spent: 400, until: 400 })
  expect(leases.allows(accounts[0] as Account)).toBe(false)
  expect(leases.take([{ id: 'a', frame: 'another', until: 9_000 }])).toEqual({
    opens: false,
    givesBack: false,
  })
  expect(saidOf(leases)).toMatchObject({ until: 400 })
})

test('an account that leaves gives back its lease, and is forgotten when that was reported', async () => {
  const leases = await open()
  await leases.count(counted({}))
  grant(leases, 1_000)
  accounts = []
  await leases.count(counted({ a: 300 }))
  expect(saidOf(leases), 'its last bytes').toMatchObject({ spent: 300, until: 0 })
  const reported = leases.said()
  await leases.count(counted({ a: 310 }))
  leases.markReported(reported)
  expect(saidOf(leases), 'its last bytes are not reported yet').toMatchObject({ spent: 310 })
  leases.markReported(leases.said())
  expect(leases.said().size).toBe(0)
  expect(leases.isNeeded()).toBe(false)
})

test('an account whose limit ends is let in without a lease, and counts anew when it gets another', async () => {
  const leases = await open()
  await leases.count(counted({}))
  const frame = saidOf(leases)?.frame
  accounts = [account('a')]
  await leases.count(counted({ a: 500 }))
  expect(leases.allows(accounts[0] as Account)).toBe(true)
  expect(leases.said().size).toBe(0)
  accounts = [leased('a')]
  await leases.count(counted({ a: 700 }))
  expect(saidOf(leases)).toMatchObject({ spent: 0, until: 0 })
  expect(saidOf(leases)?.frame).not.toBe(frame)
})

test('before the first list nothing is given back', async () => {
  const before = await open()
  await before.count(counted({}))
  grant(before, 1_000)
  await before.keep()
  const leases = await openLeases(
    openStateFile<StoredLeases>(file, 'leases of data', () => {}),
    () => noList,
    () => 0,
  )
  await leases.count(counted({ a: 10 }))
  expect(saidOf(leases)).toMatchObject({ spent: 10, until: 1_000 })
})

test('it says when an account may come to the end within two seconds', async () => {
  const leases = await open()
  await leases.count(counted({}))
  grant(leases, 10_000)
  passed += 1_000
  await leases.count(counted({ a: 2_000 }))
  expect(leases.isNearEnd()).toBe(false)
  passed += 1_000
  await leases.count(counted({ a: 6_500 }))
  expect(leases.isNearEnd()).toBe(true)
  passed += 1_000
  await leases.count(counted({ a: 6_500 }))
  expect(leases.isNearEnd(), 'it stopped').toBe(false)
})

test('a full disk is a trouble, and the leases go on in memory', async () => {
  await mkdir(join(folder, String(files)), { recursive: true })
  const leases = await open()
  await mkdir(`${file}.new`)
  await leases.count(counted({}))
  grant(leases, 100)
  await leases.keep()
  await leases.keep()
  expect(heard).toHaveLength(2)
  expect(heard[0]).toMatch(/^cannot store the leases of data: /)
  await leases.count(counted({ a: 50 }))
  expect(saidOf(leases)).toMatchObject({ spent: 50, until: 100 })
})

test('a file that cannot be read is set aside, and the count begins in another frame', async () => {
  await mkdir(join(folder, String(files)), { recursive: true })
  await writeFile(file, '{"boot":')
  const leases = await open()
  expect(heard).toEqual([expect.stringMatching(/^cannot read the stored leases of data: /)])
  expect(await readFile(`${file}.broken`, 'utf8')).toBe('{"boot":')
  await leases.count(counted({ a: 40 }))
  await leases.count(counted({ a: 50 }))
  expect(saidOf(leases)).toMatchObject({ spent: 10, until: 0 })
})
