import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type List, noList, refuses } from './list.ts'
import { openListKeeper } from './list-keeper.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kelid-list-'))
})
afterAll(() => rm(folder, { recursive: true }))

const accounts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `account ${index}`, revision: 1, secret: `${index}`, enabled: true, maxDevices: 2 },
    expiresAt: '2030-01-01T00:00:00.000Z',
  }))
const list = (epoch: string, number: number, count: number): List => ({
  ...{ epoch, number, digest: `${epoch}${number}`, accounts: accounts(count) },
})

test.each([
  ['the first list', noList, list('a', 1, 10), ''],
  ['the next one', list('a', 1, 10), list('a', 2, 11), ''],
  ['the same one again', list('a', 2, 10), list('a', 2, 10), ''],
  ['an older one', list('a', 5, 10), list('a', 4, 10), 'older'],
  ['a lower number of another database', list('a', 5, 10), list('b', 1, 10), ''],
  ['an empty one', list('a', 1, 10), list('a', 2, 0), 'smaller'],
  ['an empty one of another database', list('a', 1, 10), list('b', 1, 0), 'smaller'],
  ['one fewer, of another database', list('a', 1, 20), list('b', 1, 19), 'smaller'],
  ['one more, of another database', list('a', 1, 20), list('b', 1, 21), ''],
  ['30% fewer', list('a', 1, 20), list('a', 2, 14), ''],
  ['more than 30% fewer', list('a', 1, 20), list('a', 2, 13), 'smaller'],
  ['the last three of a small host', list('a', 1, 3), list('a', 2, 0), ''],
  ['the last four', list('a', 1, 4), list('a', 2, 0), 'smaller'],
])('%s', (_, kept, offered, refused) => {
  expect(refuses(kept, offered, false)).toBe(refused)
  expect(refuses(kept, offered, true)).toBe('')
})

test('as many others in the place of those who are here is a smaller list too', () => {
  const others = accounts(10).map((account) => ({ ...account, id: `other ${account.id}` }))
  expect(refuses(list('a', 1, 10), { ...list('b', 1, 0), accounts: others }, false)).toBe('smaller')
})

test('what was taken outlives the agent, for its own eyes; what was refused leaves no trace', async () => {
  const file = join(folder, 'state', 'list.json')
  const said: string[] = []
  const answer = (offered: List, mayShrink = false) => ({
    ...{ ...offered, accounts: [...offered.accounts], mayShrink, now: '', cuts: [] },
  })
  const first = await openListKeeper(file, (line) => said.push(line))
  expect(await first.take(answer(list('a', 1, 10)), 5_000)).toBe('taken')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await first.take(answer(list('a', 2, 0)), 6_000)).toBe('refused')
  expect(await first.take(answer(list('a', 2, 0)), 6_000)).toBe('refused')
  expect(first.refused()).toBe('smaller')
  expect(said).toEqual(['a list of 0 accounts was not taken (smaller): 10 stay'])

  const again = await openListKeeper(file, (line) => said.push(line))
  expect(again.list().accounts).toHaveLength(10)
  expect(again.timeKept).toBe(5_000)
  expect(await again.take(answer(list('a', 2, 0), true), 7_000)).toBe('taken')
  expect(again.list().accounts).toEqual([])
  expect(await readdir(join(folder, 'state'))).toEqual(['list.json'])
})

test('an older database is not believed for having gone on since', async () => {
  const keeper = await openListKeeper(join(folder, 'older.json'), () => {})
  const offer = (offered: List, mayShrink = false) =>
    keeper.take({ ...offered, accounts: [...offered.accounts], mayShrink, now: '', cuts: [] }, 1)
  expect(await offer(list('a', 5, 10))).toBe('taken')
  expect(await offer(list('a', 4, 9))).toBe('refused')
  expect(await offer(list('a', 6, 9))).toBe('refused')
  expect(keeper.refused()).toBe('older')
  // The right one is back.
  expect(await offer(list('a', 5, 10))).toBe('taken')
  expect(await offer(list('a', 4, 9))).toBe('refused')
  expect(await offer(list('a', 6, 9), true)).toBe('taken')
  expect(await offer(list('a', 7, 8))).toBe('taken')
})

test('a file that cannot be read is laid aside and said', async () => {
  const file = join(folder, 'broken.json')
  await writeFile(file, '{"epoch":')
  const said: string[] = []
  const keeper = await openListKeeper(file, (line) => said.push(line))
  expect(keeper.list()).toMatchObject({ epoch: '', accounts: [] })
  expect(said[0]).toMatch(/cannot be read/)
  expect(await readFile(`${file}.broken`, 'utf8')).toBe('{"epoch":')
})
