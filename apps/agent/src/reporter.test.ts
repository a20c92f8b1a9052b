import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Refusal, report, wrap, wrapRefusal } from '@kelid/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { account } from './agent.fixture.ts'
import type { Report } from './compose.ts'
import { rememberConnections } from './connections.ts'
import { openControlPlane } from './control-plane.fixture.ts'
import { createRelayCutter } from './cutters.ts'
import { openListKeeper } from './list-keeper.ts'
import { createReporter } from './reporter.ts'

let folder: string
let controlPlane: Awaited<ReturnType<typeof openControlPlane>>
let keeper: Awaited<ReturnType<typeof openListKeeper>>
let stopping: AbortController
/** Accounts that the control plane takes for another host's. */
let foreign: string[]
let hear: (said: string) => void
/** Optional fields that the control plane knows; it refuses others. */
let understood: string[]

const idsOf = ({ applied, usage, online, gone }: Report) => ({
  usage: usage.map(({ id }) => id),
  gone: gone.map(({ id }) => id),
  all: [...applied, ...usage, ...online, ...gone].map(({ id }) => id),
})
async function answer(request: IncomingMessage, reply: ServerResponse) {
  const body = (await json(request)) as Report
  const { usage, gone, all } = idsOf(body)
  if (body.troubles && !understood.includes('troubles')) {
    reply.end(JSON.stringify(wrapRefusal(new Refusal('UNKNOWN_FIELD', { field: 'troubles' }))))
    return hear('refused: unknown field')
  }
  const isForeign = all.some((id) => foreign.includes(id))
  const time = { epoch: 'a', now: new Date().toISOString() }
  reply.end(
    JSON.stringify(
      isForeign
        ? wrapRefusal(new Refusal('FOREIGN_REPORT'))
        : wrap(report, { ...time, understands: understood }),
    ),
  )
  hear(
    `${isForeign ? 'refused' : 'taken'}: usage of ${usage}, gone ${gone}${body.troubles ? `, troubles ${body.troubles.length}` : ''}`,
  )
}
const openKeeper = () => openListKeeper(join(folder, 'list.json'), () => {})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kelid-reporter-'))
  controlPlane = await openControlPlane(folder, answer)
  keeper = await openKeeper()
  stopping = new AbortController()
  foreign = []
  understood = []
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
const address = '203.0.113.1'
let lastPort = 4_000

/** The agent's reports on a core that has counted these accounts since its start. */
function startReporter(counted: string[]) {
  let bytes = 0
  const connections = rememberConnections()
  const relays = createRelayCutter(connections)
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
    online: () => new Map(counted.map((id) => [id, { [address]: 1 }])),
    ...{ relays, movement: null, connections: () => 0 },
    ...{ troubles: () => [], leases: null, firstUses: null, onLease: () => {} },
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
    leave(...ids: string[]) {
      for (const [index, id] of ids.entries()) connections.note({ id, address, port: ++lastPort + index })
      void relays.cut(ids.map((id) => ({ id, address })))
      reporter.hurry()
    },
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

test('troubles are reported once the control plane has said that it understands them, and not to an older one after it', async () => {
  await offer('a', ['own'])
  const reporter = startReporter(['own'])
  const next = () => {
    reporter.hurry()
    return reporter.next()
  }
  expect(await reporter.next()).toBe('taken: usage of own, gone ')
  understood = ['troubles']
  expect(await next()).toBe('taken: usage of own, gone ')
  expect(await next()).toBe('taken: usage of own, gone , troubles 0')
  understood = []
  expect(await next()).toBe('refused: unknown field')
  expect(await reporter.next(), 'nothing else is lost').toBe('taken: usage of own, gone ')
})
