import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { report, wrap } from '@kelid/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { account } from './agent.fixture.ts'
import type { Report } from './compose.ts'
import { openControlPlane } from './control-plane.fixture.ts'
import { type Leases, openLeases, type StoredLeases } from './leases.ts'
import { noList } from './list.ts'
import type { Account } from './reconcile.ts'
import { createReporter } from './reporter.ts'
import { openStateFile } from './state-file.ts'

let folder: string
let controlPlane: Awaited<ReturnType<typeof openControlPlane>>
let stopping: AbortController
let accounts: Account[]
let unreported: string[]
let epoch: string
let uses: Map<string, number>
let leases: Leases
let opened: number
/** What the control plane answers to the next reports; `null` loses the answer. */
let answers: (((said: Report) => { until: number } | null) | undefined)[]
let hear: (said: Report) => void

async function answer(request: IncomingMessage, reply: ServerResponse) {
  const body = (await json(request)) as Report
  const respond = answers.shift()
  const granted = respond?.(body)
  hear(body)
  if (granted === null) return reply.destroy()
  const [lease] = [...leases.said()]
  const grants = granted && lease ? [{ id: lease[0], frame: lease[1].frame, ...granted }] : []
  const time = { epoch: 'a', now: new Date().toISOString() }
  reply.end(JSON.stringify(wrap(report, { ...time, understands: ['leases', 'begun'], leases: grants })))
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kelid-leases-'))
  controlPlane = await openControlPlane(folder, answer)
  stopping = new AbortController()
  accounts = [account('a', { isLeased: true })]
  unreported = []
  epoch = 'a'
  uses = new Map()
  answers = []
  opened = 0
  const file = openStateFile<StoredLeases>(join(folder, 'leases.json'), 'leases of data', () => {})
  leases = await openLeases(file, list, () => 0)
})
afterEach(() => {
  stopping.abort()
  controlPlane.close()
  rmSync(folder, { recursive: true })
})
const list = () => ({ ...noList, epoch, accounts, unreported })
const count = (down: number) => leases.count({ boot: 'one', usage: new Map([['a', { up: 0, down }]]) })

function startReporter() {
  const heard: Report[] = []
  const waiting: ((said: Report) => void)[] = []
  hear = (said) => {
    const next = waiting.shift()
    if (next) next(said)
    else heard.push(said)
  }
  const reporter = createReporter({
    ...{ config: controlPlane.config, version: '1.0', signal: stopping.signal, say: () => {}, list },
    ...{ refusedList: () => '' as const, applied: () => new Map(), online: () => new Map() },
    samples: {
      ...{ last: () => null, ended: () => [], markReported: async () => {} },
      ...{ take: () => Promise.reject(new Error('nobody asks')), keep: async () => {} },
    },
    ...{ relays: null, movement: null, connections: () => 0, troubles: () => [] },
    ...{ leases, firstUses: { said: () => uses }, coreVersion: async () => '26.3.27' },
    onLease: () => {
      opened += 1
    },
    onRecovery: () => {},
  })
  void reporter.run()
  const next = async () => heard.shift() ?? (await new Promise<Report>((resolve) => waiting.push(resolve)))
  return {
    next,
    hurried() {
      reporter.hurry()
      return next()
    },
  }
}
const numbers = ({ leases: said }: Report) => said?.map(({ spent, until }) => [spent, until])

test('leases are reported once they are understood, then when they change, and a grant is confirmed', async () => {
  await count(0)
  const reporter = startReporter()
  expect(await reporter.next()).not.toHaveProperty('leases')
  answers = [() => ({ until: 1_000 })]
  expect(numbers(await reporter.hurried())).toEqual([[0, 0]])
  expect(numbers(await reporter.hurried()), 'the grant').toEqual([[0, 1_000]])
  expect(opened).toBe(1)
  expect(readFileSync(join(folder, 'leases.json'), 'utf8')).toContain('"until":1000')
  expect(numbers(await reporter.hurried()), 'nothing new').toEqual([])
  await count(100)
  expect(numbers(await reporter.hurried())).toEqual([[100, 1_000]])
  await count(1_500)
  expect(numbers(await reporter.hurried())).toEqual([[1_500, 1_000]])
  expect(numbers(await reporter.hurried()), 'it waits for more').toEqual([[1_500, 1_000]])
})

test('what was reported is stored first, a lost answer changes nothing, and what is given back is confirmed at once', async () => {
  await count(0)
  const reporter = startReporter()
  await reporter.next()
  answers = [() => ({ until: 1_000 })]
  await reporter.hurried()
  await reporter.hurried()
  await count(300)
  answers = [() => null]
  expect(numbers(await reporter.hurried())).toEqual([[300, 1_000]])
  expect(readFileSync(join(folder, 'leases.json'), 'utf8')).toContain('"spent":300')
  answers = [() => ({ until: 400 })]
  expect(numbers(await reporter.next()), 'the same again').toEqual([[300, 1_000]])
  expect(numbers(await reporter.next()), 'without a hurry').toEqual([[300, 400]])
})

test('a new epoch hears everything again, and accounts that are not reported are left out', async () => {
  accounts.push(account('b', { isLeased: true }))
  await count(0)
  const reporter = startReporter()
  await reporter.next()
  const idsOf = (said: Report) => said.leases?.map(({ id }) => id)
  for (const id of ['a', 'b']) {
    const frame = leases.said().get(id)?.frame ?? ''
    leases.take([{ id, frame, until: 5_000 }])
  }
  expect(idsOf(await reporter.hurried())).toEqual(['a', 'b'])
  expect(idsOf(await reporter.hurried())).toEqual([])
  epoch = 'restored'
  unreported = ['b']
  expect(idsOf(await reporter.hurried())).toEqual(['a'])
})

test('first uses are reported by their age, as long as the list does not show them', async () => {
  const reporter = startReporter()
  uses.set('a', 60_000)
  expect(await reporter.next()).not.toHaveProperty('begun')
  const { begun = [], now } = await reporter.hurried()
  expect(begun.map(({ id }) => id)).toEqual(['a'])
  expect(Math.abs(Date.parse(now) - Date.parse(begun[0]?.at ?? '') - 60_000)).toBeLessThan(1_000)
  expect((await reporter.hurried()).begun).toHaveLength(1)
  uses.clear()
  expect((await reporter.hurried()).begun).toEqual([])
})
