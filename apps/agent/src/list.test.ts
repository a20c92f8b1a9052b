import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { account, temporaryFolder } from './agent.fixture.ts'
import { type List, merge, noList, type Offered } from './list.ts'
import { openListKeeper } from './list-keeper.ts'
import type { Account } from './reconcile.ts'

const folder = temporaryFolder()

const accounts = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => account(`account ${from + index}`))
const offered = (epoch: string, number: number, all: Account[], removed?: number): Offered => ({
  ...{ epoch, number, digest: `${epoch}${number}`, accounts: all, removed },
})
const taken = (offer: Offered): List => merge(noList, offer, false)
const idsOf = (list: Offered) => list.accounts.map(({ id }) => id).sort()

/** From a list of so many, to one of so many: how many stay, and why. */
test.each([
  ['the next one', ['a', 1, 10, 0], ['a', 2, 11, 0], '', 11],
  ['the same one again', ['a', 2, 10, 0], ['a', 2, 10, 0], '', 10],
  ['six of ten removed on purpose', ['a', 1, 10, 0], ['a', 2, 4, 6], '', 4],
  ['all removed on purpose', ['a', 1, 10, 7], ['a', 2, 0, 17], '', 0],
  ['more removed on purpose than the list had', ['a', 1, 10, 0], ['a', 9, 0, 400], '', 0],
  ['moved away and back', ['a', 1, 10, 3], ['a', 2, 10, 4], '', 10],
  ['one lost', ['a', 1, 10, 5], ['a', 2, 9, 5], 'smaller', 10],
  ['six removed on purpose and one lost', ['a', 1, 10, 0], ['a', 2, 3, 6], 'smaller', 10],
  ['an empty one', ['a', 1, 10, 0], ['a', 2, 0, 0], 'smaller', 10],
  ['an older one', ['a', 5, 10, 0], ['a', 4, 10, 0], 'older', 10],
  ['an older and smaller one', ['a', 5, 10, 3], ['a', 4, 4, 9], 'older', 10],
  ['a lower number of another database', ['a', 5, 10, 0], ['b', 1, 10, 0], '', 10],
  ['an empty one of another database', ['a', 1, 10, 0], ['b', 1, 0, 0], 'smaller', 10],
  ['one fewer, of another database that has removed many', ['a', 1, 20, 0], ['b', 1, 19, 50], 'smaller', 20],
  ['by a control plane that does not count, 30% fewer', ['a', 1, 20], ['a', 2, 14], '', 14],
  ['by a control plane that does not count, more', ['a', 1, 20], ['a', 2, 13], 'smaller', 20],
  ['by one that counts, of a list before it did', ['a', 1, 20], ['a', 2, 13, 0], 'smaller', 20],
  ['by a control plane that does not count, the last three', ['a', 1, 3], ['a', 2, 0], '', 0],
] as const)(
  '%s',
  (_, [epoch, number, count, removed], [nextEpoch, nextNumber, nextCount, nextRemoved], refused, stay) => {
    const kept = taken(offered(epoch, number, accounts(count), removed))
    const offer = offered(nextEpoch, nextNumber, accounts(nextCount), nextRemoved)
    const list = merge(kept, offer, false)
    expect([list.refused, list.accounts.length]).toEqual([refused, stay])
    expect(list.heldBack).toHaveLength(Math.max(0, stay - nextCount))
    expect(merge(kept, offer, true)).toMatchObject({ refused: '', heldBack: [], accounts: offer.accounts })
  },
)

test('accounts that are missing from a list without a removal stay, and everything else applies', () => {
  const kept = taken(offered('a', 1, accounts(10), 0))
  const changed = [
    account('account 0', { enabled: false, revision: 2 }),
    account('account 1', { secret: 'new', revision: 2 }),
    account('new'),
  ]
  const first = merge(kept, offered('a', 2, changed, 0), false)
  expect(first.accounts.slice(0, 3)).toEqual(changed)
  expect(first.heldBack).toEqual(accounts(8, 2).map(({ id }) => id))
  expect([first.whole, first.number]).toEqual([1, 2])
  // One of the others is deleted on purpose, and it alone goes.
  const second = merge(first, offered('a', 3, changed.slice(0, 2), 1), false)
  expect(idsOf(second)).toEqual(idsOf({ ...kept, accounts: accounts(10) }))
  expect(second).toMatchObject({ refused: 'smaller', heldBack: first.heldBack, whole: 1 })
  // They are back.
  const third = merge(second, offered('a', 4, [...changed, ...accounts(8, 2)], 1), false)
  expect(third).toMatchObject({ refused: '', heldBack: [], whole: 4 })
})

test('a list with as many other accounts removes none', () => {
  const others = accounts(10).map(({ id }) => account(`other ${id}`))
  const list = merge(taken(offered('a', 1, accounts(10), 0)), offered('b', 1, others, 0), false)
  expect([list.refused, list.accounts.length, list.whole]).toEqual(['smaller', 20, 0])
})

test('an older database restores no old secret, even after later changes', () => {
  const now = [account('account 0', { revision: 5, secret: 'new' }), ...accounts(9, 1)]
  const right = taken(offered('a', 5, now, 0))
  const before = [account('account 0', { revision: 4 }), ...accounts(8, 1)]
  const older = merge(right, offered('a', 4, before, 0), false)
  expect(older).toMatchObject({ refused: 'older', heldBack: ['account 9'], whole: 5 })
  expect(older.accounts).toContainEqual(now[0])
  expect(merge(older, offered('a', 6, before, 0), false)).toMatchObject({
    refused: 'older',
    heldBack: ['account 9'],
  })
  // The right one is back.
  expect(merge(older, offered('a', 5, now, 0), false)).toMatchObject({ refused: '', accounts: now })
  expect(merge(older, offered('a', 6, before, 0), true)).toMatchObject({
    refused: '',
    accounts: before,
    whole: 6,
  })
})

/** Deleted, moved away and moved back in any order, the list fetched now and then; then some are lost. */
test('a deliberately removed account is dropped, and a lost one stays', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('remove', 'add', 'fetch'), fc.nat(5)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, fc.uniqueArray(fc.nat(5), { minLength: 1 }), (acts, lost) => {
      const here = new Set(accounts(6).map(({ id }) => id))
      let removed = 0
      let number = 1
      let list = taken(offered('a', 1, accounts(6), 0))
      const fetch = () => {
        number += 1
        list = merge(
          list,
          offered(
            'a',
            number,
            [...here].map((id) => account(id)),
            removed,
          ),
          false,
        )
      }
      for (const [act, index] of acts) {
        if (act === 'remove' && here.delete(`account ${index}`)) removed += 1
        if (act === 'add') here.add(`account ${index}`)
        if (act === 'fetch') fetch()
      }
      fetch()
      expect([list.refused, idsOf(list)]).toEqual(['', [...here].sort()])
      const before = idsOf(list)
      for (const index of lost) here.delete(`account ${index}`)
      fetch()
      expect(idsOf(list)).toEqual(before)
    }),
  )
})

const answer = (offer: Offered, mayShrink = false) => ({
  ...{ ...offer, accounts: [...offer.accounts], mayShrink, now: '', cuts: [] },
})

test('retained accounts survive a restart of the agent until an administrator allows the list', async () => {
  const file = join(folder, 'state', 'list.json')
  const said: string[] = []
  const first = await openListKeeper(file, (line) => said.push(line))
  expect(await first.take(answer(offered('a', 1, accounts(10), 0)), 5_000)).toBe('taken')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const lost = offered('a', 2, [account('new')], 0)
  await first.take(answer(lost), 6_000)
  await first.take(answer(lost), 6_000)
  expect(said).toEqual(['the list is smaller: 10 accounts that nobody removed stay, the rest is applied'])

  const again = await openListKeeper(file, (line) => said.push(line))
  expect(again.list()).toEqual(first.list())
  expect([again.list().accounts.length, again.refused(), again.timeKept]).toEqual([11, 'smaller', 6_000])
  expect(await again.take({ ...answer(lost), accounts: null }, 7_000)).toBe('unchanged')
  expect(await again.take({ ...answer(lost, true), accounts: null }, 7_000)).toBe('allowed')
  expect(await again.take(answer(lost, true), 7_000)).toBe('taken')
  expect(again.list()).toMatchObject({ accounts: lost.accounts, refused: '', whole: 2 })
  expect(await readdir(join(folder, 'state'))).toEqual(['list.json'])
})

test('the file of an agent that did not count is read, and an agent that does not count reads this one', async () => {
  const file = join(folder, 'before.json')
  const { removed: _, ...before } = offered('a', 1, accounts(10))
  await writeFile(file, JSON.stringify({ ...before, time: 5 }))
  const keeper = await openListKeeper(file, () => {})
  expect(keeper.list()).toMatchObject({ ...before, heldBack: [], whole: 1, refused: '' })
  await keeper.take(answer(offered('a', 2, accounts(1), 4)), 6)
  const written = JSON.parse(await readFile(file, 'utf8'))
  expect(written).toMatchObject({ epoch: 'a', number: 2, digest: 'a2', time: 6 })
  expect(written.accounts, 'those held back too').toHaveLength(10)
})

test('accounts that an earlier agent retained are left out of reports', async () => {
  const file = join(folder, 'held-back.json')
  const lost = merge(taken(offered('a', 1, accounts(2), 0)), offered('a', 2, accounts(1), 0), false)
  const { unreported: _, ...before } = lost
  await writeFile(file, JSON.stringify({ ...before, time: 5 }))
  expect((await openListKeeper(file, () => {})).list()).toEqual(lost)
  expect(lost.unreported).toEqual(['account 1'])
})

test('a file that cannot be read is renamed and logged', async () => {
  const file = join(folder, 'broken.json')
  await writeFile(file, '{"epoch":')
  const said: string[] = []
  const keeper = await openListKeeper(file, (line) => said.push(line))
  expect(keeper.list()).toMatchObject({ epoch: '', accounts: [] })
  expect(said[0]).toMatch(/cannot read/)
  expect(await readFile(`${file}.broken`, 'utf8')).toBe('{"epoch":')
})
