import { randomUUID } from 'node:crypto'
import {
  cancelHostRun,
  deleteAccount,
  deleteBulk,
  editHost,
  getServer,
  getUserAccounts,
  moveHostAccounts,
  newAccount,
  provisionServer,
  quoteHostMove,
  removeHost,
  setHostPaused,
} from '@kelid/contract'
import { beforeAll, expect } from 'vitest'
import { provision } from '../../src/features/provisioning/provision.job.ts'
import type { Person } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'
import { expectSoundBooks, parallel, race, racedForAllTests, raceOften, tally, together } from './races.ts'

const product = racedForAllTests()
let admin: Person
let people: Person[]
beforeAll(async () => {
  admin = product.admin
  people = await together(() => product.person({ points: 1_000_000 }), 10)
})

const buy = (index: number) =>
  (people[index % people.length] as Person).call(newAccount, { ...directAccount, accountDuration: 1 })

const serverOf = (serverUUID: string) => admin.ask(getServer, { serverUUID })
const runsOf = (serverUUID: string, ...states: string[]) =>
  product.sql(
    'SELECT uuid FROM provision_runs WHERE subject_uuid = $1 AND state = ANY ($2)',
    serverUUID,
    states,
  )

/** Nothing of an earlier round takes accounts any more. */
const clear = () => product.sql(`UPDATE servers SET state = 'failed'`)

const moveAll = async (serverUUID: string, toServerUUID: string) => {
  const move = { hostUUID: serverUUID, toHostUUID: toServerUUID }
  const { accounts } = await admin.ask(quoteHostMove, move)
  return admin.call(moveHostAccounts, { ...move, accounts }, { 'idempotency-key': randomUUID() })
}

race('accounts that move back and forth while many buy and delete keep a place', async () => {
  await clear()
  const [one, two] = [
    await product.server({ serverMaxAccounts: 500 }),
    await product.server({ serverMaxAccounts: 500 }),
  ]
  const buying = together(buy)
  const moving = together(async (index) => {
    const replies = []
    for (let time = 0; time < 5; time += 1)
      replies.push(await (index % 2 ? moveAll(one, two) : moveAll(two, one)))
    return replies
  }, 4)
  const deleting = together(async (index) => {
    const person = people[index] as Person
    const { items } = await person.ask(getUserAccounts, { limit: 3 })
    const [first, ...rest] = items.map(({ accountUUID }) => accountUUID)
    if (first) await person.call(deleteAccount, { accountUUID: first })
    return rest.length > 0 ? [await person.call(deleteBulk, { accountUUIDs: rest })] : []
  }, 10)
  expect(tally(await buying)).toEqual({ done: parallel })
  const { done = 0, CHANGED_MEANWHILE: changed = 0, ...others } = tally((await moving).flat())
  expect({ all: done + changed, others }).toEqual({ all: 20, others: {} })
  expect(Object.keys(tally((await deleting).flat()))).toEqual(expect.not.arrayContaining(['INTERNAL']))
  await expectSoundBooks(product.ctx.db)
  expect((await moveAll(one, two)).errorType).toBeUndefined()
  expect((await serverOf(one)).serverAccounts).toBe(0)
})

race('one of two administrators moves the same accounts', async () => {
  await clear()
  const from = await product.server({ serverMaxAccounts: 20 })
  expect(tally(await together(buy, 20))).toEqual({ done: 20 })
  const targets = [
    await product.server({ serverMaxAccounts: 20 }),
    await product.server({ serverMaxAccounts: 20 }),
  ]
  const replies = await together((index) => moveAll(from, targets[index % 2] ?? ''), 8)
  const { done = 0, ...others } = tally(replies.filter((reply) => reply.envelope.response.status === 1))
  const moved = replies.map((reply) => (reply.errorType ? 0 : reply.answer().accounts))
  expect(moved.reduce((sum, accounts) => sum + accounts, 0)).toBe(20)
  expect([done > 0, others]).toEqual([true, {}])
  await expectSoundBooks(product.ctx.db)
})

raceOften('a server that is removed while many buy is removed, or has accounts and stays', async () => {
  await clear()
  const serverUUID = await product.server({ serverMaxAccounts: 100 })
  const [buying, removed] = await Promise.all([
    together(buy, 10),
    admin.call(removeHost, { hostUUID: serverUUID }),
  ])
  const { done = 0, NO_CAPACITY: none = 0 } = tally(buying)
  expect(done + none).toBe(10)
  if (removed.errorType === undefined) {
    expect(done).toBe(0)
    expect(await admin.refusal(getServer, { serverUUID })).toBe('RESOURCE_NOT_FOUND')
  } else {
    expect(removed.errorType).toBe('HOST_NOT_EMPTY')
    expect((await serverOf(serverUUID)).serverAccounts).toBe(done)
  }
})

race('a paused server takes no account any more', async () => {
  await clear()
  const serverUUID = await product.server({ serverMaxAccounts: 100 })
  const buying = together(buy)
  await admin.ask(setHostPaused, { hostUUID: serverUUID, hostPaused: true })
  expect(tally(await together(buy, 5))).toEqual({ NO_CAPACITY: 5 })
  const { serverAccounts } = await serverOf(serverUUID)
  const { done = 0, NO_CAPACITY: none = 0, ...others } = tally(await buying)
  expect({ all: done + none, others }).toEqual({ all: parallel, others: {} })
  expect([done, (await serverOf(serverUUID)).serverAccounts]).toEqual([serverAccounts, serverAccounts])
})

race('a limit that is lowered while many buy is never below the number of accounts', async () => {
  await clear()
  const serverUUID = await product.server({ serverMaxAccounts: 100 })
  const buying = together(buy)
  const edits = await together(
    (index) => admin.call(editHost, { hostUUID: serverUUID, serverMaxAccounts: 5 + index * 5 }),
    8,
  )
  tally(await buying)
  const { done = 0, LIMIT_TOO_SMALL: small = 0 } = tally(edits)
  expect(done + small).toBe(8)
  const { serverAccounts, serverMaxAccounts } = await serverOf(serverUUID)
  expect(serverAccounts).toBeLessThanOrEqual(serverMaxAccounts)
})

raceOften('a run that is cancelled while a worker has it ends as cancelled or as done', async () => {
  const serverUUID = await product.server()
  await admin.ask(provisionServer, { serverUUID })
  const [{ uuid }] = await runsOf(serverUUID, 'queued')
  const [cancelled] = await Promise.all([
    admin.call(cancelHostRun, { hostUUID: serverUUID }),
    provision(product.ctx, uuid),
    provision(product.ctx, uuid),
    admin.call(setHostPaused, { hostUUID: serverUUID, hostPaused: true }),
  ])
  const run = await product.row('provision_runs', uuid)
  const { serverState } = await serverOf(serverUUID)
  const expected = cancelled.errorType
    ? { error: 'NOTHING_RUNS', run: 'failed', host: 'ready' }
    : { error: undefined, run: 'cancelled', host: 'ready' }
  expect({ error: cancelled.errorType, run: run.state, host: serverState }).toEqual(expected)
})

race('runs that are requested, cancelled and executed at once leave a host in service', async () => {
  const serverUUID = await product.server()
  const replies = await together(async (index) => {
    if (index % 3 === 0) return [await admin.call(provisionServer, { serverUUID })]
    if (index % 3 === 1) return [await admin.call(cancelHostRun, { hostUUID: serverUUID })]
    const runs = await product.sql('SELECT uuid FROM provision_runs WHERE subject_uuid = $1', serverUUID)
    for (const { uuid } of runs) await provision(product.ctx, uuid)
    return []
  }, 30)
  expect(Object.keys(tally(replies.flat())).sort()).toEqual(expect.arrayContaining(['done']))
  expect((await runsOf(serverUUID, 'queued', 'running')).length).toBeLessThanOrEqual(1)
  expect((await serverOf(serverUUID)).serverState).toBe('ready')
})
