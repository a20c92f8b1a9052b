import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Refusal, report, wrap, wrapRefusal } from '@kelid/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { account } from './agent.fixture.ts'
import type { Report } from './compose.ts'
import { openControlPlane } from './control-plane.fixture.ts'
import { openListKeeper } from './list-keeper.ts'
import { createReporter } from './reporter.ts'

let folder: string
let controlPlane: Awaited<ReturnType<typeof openControlPlane>>
let keeper: Awaited<ReturnType<typeof openListKeeper>>
let stopping: AbortController
/** Accounts that the control plane takes for another host's. */
let foreign: string[]
let hear: (said: string) => void

const idsOf = ({ applied, usage, online, gone }: Report) => ({
  usage: usage.map(({ id }) => id),
  gone: gone.map(({ id }) => id),
  all: [...applied, ...usage, ...online, ...gone].map(({ id }) => id),
})
async function answer(request: IncomingMessage, reply: ServerResponse) {
  const { usage, gone, all } = idsOf((await json(request)) as Report)
  const isForeign = all.some((id) => foreign.includes(id))
  const time = { epoch: 'a', now: new Date().toISOString() }
  reply.end(JSON.stringify(isForeign ? wrapRefusal(new Refusal('FOREIGN_REPORT')) : wrap(report, time)))
  hear(`${isForeign ? 'refused' : 'taken'}: usage of ${usage}, gone ${gone}`)
}
const openKeeper = () => openListKeeper(join(folder, 'list.json'), () => {})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kelid-reporter-'))
  controlPlane = await openControlPlane(folder, answer)
  keeper = await openKeeper()
  stopping = new AbortController()
  foreign = []
})
afterEach(() => {
  stopping.abort()
  controlPlane.close()
  rmSync(folder, { recursive: true })
})

let number = 0
function offer(epoch: string, ids: string[], change: { mayShrink?: boolean; removed?: number } = {}) {
  number += 1
  const list = { epoch, number, digest: String(number), removed: 0, accounts: ids.map((id) => account(id)) }
  return keeper.take({ ...list, mayShrink: false, now: '', cuts: [], ...change }, 0)
}
const peer = { address: '203.0.113.1', port: 4_000 }

/** The agent's reports on a core that has counted these accounts since its start. */
function startReporter(counted: string[]) {
  let bytes = 0
  const reporter = createReporter({
    ...{ config: controlPlane.config, version: '1.0', signal: stopping.signal, say: () => {} },
    ...{ list: keeper.list, refusedList: keeper.refused, applied: () => new Map() },
    samples: {
      last: () => {
        bytes += 1
        return { boot: 'one', upSince: '', usage: new Map(counted.map((id) => [id, { up: bytes, down: 0 }])) }
      },
      ended: () => [],
      markReported: async () => {},
      take: () => Promise.reject(new Error('nobody asks')),
      keep: async () => {},
    },
    online: () => new Map(counted.map((id) => [id, { [peer.address]: 1 }])),
    connections: () => 0,
    coreVersion: async () => '26.3.27',
    onRecovery: () => {},
  })
  const heard: string[] = []
  const waiting: ((said: string) => void)[] = []
  hear = (said) => {
    const next = waiting.shift()
    if (next) next(said)
    else heard.push(said)
  }
  void reporter.run()
  return {
    leave: (...ids: string[]) => reporter.reportStale(ids.map((id) => ({ id, ...peer }))),
    hurry: reporter.hurry,
    next: async () => heard.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve))),
  }
}

test('an account that a restored database has on another host is not reported, neither when it is cut nor after a restart', async () => {
  await offer('before', ['own', 'moved'])
  await offer('restored', ['own'])
  foreign = ['moved']
  const reporter = startReporter(['own', 'moved'])
  expect(await reporter.next()).toBe('taken: usage of own, gone ')
  reporter.leave('moved', 'own')
  expect(await reporter.next()).toBe('taken: usage of own, gone own')
  await offer('restored', ['own'], { mayShrink: true })
  reporter.leave('moved')
  expect(await reporter.next()).toBe('taken: usage of own, gone ')
  stopping.abort()

  stopping = new AbortController()
  keeper = await openKeeper()
  const restarted = startReporter(['own', 'moved'])
  expect(await restarted.next()).toBe('taken: usage of own, gone ')
  foreign = []
  await offer('restored', ['own', 'moved'])
  restarted.hurry()
  expect(await restarted.next(), 'a list has it again').toBe('taken: usage of own,moved, gone ')
})

test('after a report was refused for an account of another host, accounts that are not in the list are left out of it', async () => {
  await offer('a', ['own', 'deleted'])
  foreign = ['unknown']
  const reporter = startReporter(['own', 'unknown'])
  reporter.leave('unknown')
  expect(await reporter.next()).toMatch(/^refused/)
  expect(await reporter.next()).toBe('taken: usage of own, gone ')
  await offer('a', ['own'], { removed: 1 })
  reporter.leave('deleted')
  expect(await reporter.next(), 'its relay must learn of it').toBe('taken: usage of own, gone deleted')
  foreign = []
  await offer('a', ['own', 'unknown'], { removed: 1 })
  reporter.hurry()
  expect(await reporter.next()).toBe('taken: usage of own,unknown, gone ')
})
