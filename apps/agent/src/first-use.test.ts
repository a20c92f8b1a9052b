import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { account, temporaryFolder } from './agent.fixture.ts'
import { openFirstUses, type StoredFirstUses } from './first-use.ts'
import { noList } from './list.ts'
import type { Account } from './reconcile.ts'
import { openStateFile } from './state-file.ts'

const folder = temporaryFolder()
const day = 86_400_000
const at = (days: number) => new Date(Date.parse('2026-01-01') + days * day).toISOString()
/** Thirty days, of which the first is the ninetieth at the latest. */
const waiting = account('a', { startsBy: at(90), expiresAt: at(120) })
let files = 0
let accounts: Account[]
let now: number
beforeEach(() => {
  files += 1
  accounts = [waiting]
  now = Date.parse(at(0))
})
const list = () => ({ ...noList, epoch: 'e', accounts })
const open = () =>
  openFirstUses(
    openStateFile<StoredFirstUses>(join(folder, `${files}.json`), 'first uses', () => {}),
    list,
    { now: () => now },
  )
const used = (bytes: number) => ({ usage: new Map([['a', { up: bytes, down: 0 }]]) })

test('days begin with the first byte, also for the next process of the agent', async () => {
  const before = await open()
  expect(await before.look(used(0))).toBe(false)
  expect([before.isWaiting(), before.endOf(waiting), [...before.said()]]).toEqual([true, at(120), []])
  now = Date.parse(at(10))
  expect(await before.look(used(1))).toBe(true)
  now = Date.parse(at(11))
  expect(await before.look(used(2))).toBe(false)
  for (const uses of [before, await open()]) {
    expect([uses.isWaiting(), uses.endOf(waiting)]).toEqual([false, at(40)])
    expect([...uses.said()]).toEqual([['a', day]])
  }
})

test('a list that shows the beginning ends the reports, and a restored one gets the same beginning again', async () => {
  const uses = await open()
  now = Date.parse(at(10))
  await uses.look(used(1))
  const begun = account('a', { expiresAt: at(40) })
  accounts = [begun]
  now = Date.parse(at(15))
  await uses.look(used(5))
  expect([uses.endOf(begun), uses.said().size]).toEqual([at(40), 0])
  accounts = [waiting]
  await uses.look(used(9))
  expect([uses.endOf(waiting), ...uses.said()]).toEqual([at(40), ['a', 5 * day]])
})

test('days that wait once more begin anew, and an account that has left is forgotten', async () => {
  const uses = await open()
  await uses.look(used(1))
  const again = account('a', { startsBy: at(200), expiresAt: at(230) })
  accounts = [again]
  expect([uses.isWaiting(), uses.endOf(again)]).toEqual([true, at(230)])
  accounts = []
  await uses.look(used(1))
  accounts = [waiting]
  expect([uses.isWaiting(), uses.endOf(waiting)]).toEqual([true, at(120)])
})

test('a clock that is ahead gives no days away', async () => {
  const uses = await open()
  now = Date.parse(at(500))
  await uses.look(used(1))
  now = Date.parse(at(3))
  expect(uses.endOf(waiting)).toBe(at(120))
  expect([...uses.said()]).toEqual([['a', 0]])
})
