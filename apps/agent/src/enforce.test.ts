import { expect, test } from 'vitest'
import type { LogEntry } from './access-log.ts'
import { account } from './agent.fixture.ts'
import { rememberConnections } from './connections.ts'
import { createEnforcer } from './enforce.ts'
import { noList } from './list.ts'
import type { Account } from './reconcile.ts'
import { refusedOf } from './refuse.ts'

const address = '203.0.113.9'

/** A core that remembers what was done to it, in its order, and the connections that it has. */
function host(accounts: Account[], epoch = 'a') {
  const users = new Map<string, string>()
  const done: string[] = []
  const said: string[] = []
  const state = {
    ...{ accounts, epoch, now: 0, lines: [] as LogEntry[], refuses: '', looks: 0, heldBack: [] as string[] },
    ...{ online: {} as Record<string, string[]>, cutFails: false, askFails: false, isCutSlow: false },
  }
  const connections = rememberConnections()
  const onlineIds = async () => {
    if (state.askFails) throw new Error('not found')
    return new Set(Object.keys(state.online))
  }
  const look = createEnforcer({
    core: {
      onlineIds,
      onlineOf: async (ids) =>
        new Map(
          [...ids].map((id) => [id, Object.fromEntries((state.online[id] ?? []).map((one) => [one, 1]))]),
        ),
      users: async () => {
        state.looks += 1
        return new Map(users)
      },
      count: async () => users.size,
      remove: async (ids) => {
        for (const id of ids) done.push(`out ${id}`) && users.delete(id)
        return null
      },
      add: async (list) => {
        for (const [id, secret] of list)
          if (id !== state.refuses) done.push(`in ${id}`) && users.set(id, secret)
        return list.some(([id]) => id === state.refuses) ? new Error('no room') : null
      },
    },
    clock: { now: () => state.now },
    accessLog: { read: (note) => state.lines.splice(0).forEach(note) },
    connections,
    ownAddresses: async () => new Set(['198.51.100.53']),
    say: (line) => said.push(line),
    list: () => ({ ...noList, epoch: state.epoch, accounts: state.accounts, heldBack: state.heldBack }),
    refused: () => refusedOf(state.accounts, state.now),
    writeCoreFile: async () => true,
    cutter: {
      cut: async (online, idle = []) => {
        if (state.cutFails) throw new Error('not permitted')
        for (const { id, address: where } of online) {
          done.push(`cut ${id} ${where}`)
          if (!state.isCutSlow) delete state.online[id]
        }
        for (const { id } of idle) done.push(`cut idle ${id}`)
      },
      release: async (ids) => {
        for (const id of ids) done.push(`release ${id}`)
      },
    },
  })
  const come = (id: string, port: number) => {
    state.lines.push({ id, address, port })
    state.online[id] = [address]
  }
  return { look, state, users, done, said, come, connections }
}
const off = (id: string, change: Partial<Account> = {}) => account(id, { enabled: false, ...change })

test('without a list the users of the core stay', async () => {
  const { look, users } = host([], '')
  users.set('somebody', 'x')
  expect(await look()).toEqual(new Map())
  expect([...users.keys()]).toEqual(['somebody'])
})

test('with a new secret the account is let in when its old connections are gone', async () => {
  const { look, state, done, come } = host([account('a'), account('b')])
  await look()
  come('a', 1)
  come('b', 2)
  await look()
  state.accounts = [account('a', { secret: 'new', revision: 2 }), account('b')]
  done.length = 0
  expect(await look()).toEqual(new Map([['b', 1]]))
  expect(done).toEqual(['out a', `cut a ${address}`])
  expect(await look()).toEqual(new Map(Object.entries({ a: 2, b: 1 })))
  expect(done.slice(2)).toEqual(['in a'])
})

test('a new secret works after three seconds although the old connections cannot be cut, and is not applied', async () => {
  const { look, state, done, come } = host([account('a')])
  await look()
  come('a', 1)
  state.isCutSlow = true
  state.accounts = [account('a', { secret: 'new', revision: 2 })]
  for (let passes = 0; passes < 5; passes += 1) expect(await look()).toEqual(new Map())
  expect(done.slice(1)).toEqual(['out a', ...Array(3).fill(`cut a ${address}`), 'in a'])
  state.online = {}
  expect(await look()).toEqual(new Map([['a', 2]]))
})

test('a disabled account is applied when it is no longer online', async () => {
  const { look, state, done, come } = host([account('a'), account('deleted')])
  await look()
  come('a', 1)
  come('deleted', 2)
  state.isCutSlow = true
  state.accounts = [off('a', { revision: 2 })]
  expect(await look()).toEqual(new Map())
  expect(await look()).toEqual(new Map())
  state.online = { deleted: [] }
  expect(await look(), 'a name without addresses is not online').toEqual(new Map([['a', 2]]))
  expect(done.filter((act) => act.startsWith('cut'))).toHaveLength(4)
})

test('a refused device is cut whenever it is online, other devices and accounts are not, and the account stays applied', async () => {
  const refused = [{ network: '203.0.113.77', untilDate: '2027-01-01T00:00:00.000Z' }]
  const { look, state, done } = host([account('a', { refused }), account('b')])
  await look()
  done.length = 0
  for (const _ of [1, 2]) {
    state.online = { a: [address, '203.0.113.77'], b: ['203.0.113.77'] }
    expect(await look()).toEqual(new Map(Object.entries({ a: 1, b: 1 })))
  }
  expect(done).toEqual(Array(2).fill('cut a 203.0.113.77'))
  state.online = { a: ['203.0.113.77'] }
  state.now = Date.parse('2027-01-01T00:00:00.000Z')
  await look()
  expect(done).toHaveLength(2)
})

test('an agent that died between removing and cutting cuts after its start', async () => {
  const { look, done, come } = host([off('a'), account('new secret')])
  come('a', 1)
  come('new secret', 2)
  expect(await look()).toEqual(new Map())
  expect(done).toEqual([`cut a ${address}`, `cut new secret ${address}`])
  expect(await look()).toEqual(new Map(Object.entries({ a: 1, 'new secret': 1 })))
})

test('an account that is enabled again is released and let in at once, and not cut', async () => {
  const { look, state, done, come } = host([account('a')])
  await look()
  come('a', 1)
  state.isCutSlow = true
  state.accounts = [off('a', { revision: 2 })]
  await look()
  state.accounts = [account('a', { revision: 3 })]
  done.length = 0
  expect(await look()).toEqual(new Map([['a', 3]]))
  expect(done).toEqual(['release a', 'in a'])
})

test('an idle connection of a removed account is cut once, where the core has seen the account', async () => {
  const { look, state, done, come, connections } = host([account('a'), account('b')])
  await look()
  come('a', 1)
  await look()
  connections.prune(new Map([['a', { [address]: 1 }]]), null)
  state.lines.push({ id: 'b', address, port: 2 })
  state.online = {}
  state.accounts = [off('a'), off('b')]
  await look()
  await look()
  expect(done.filter((act) => act.startsWith('cut'))).toEqual(['cut idle a'])
})

test('a failure for one account is logged and tried again, and the others are added', async () => {
  const { look, state, said, users } = host([account('a'), account('b')])
  state.refuses = 'a'
  expect(await look()).toEqual(new Map([['b', 1]]))
  expect(said).toEqual(['cannot add an account to the core: no room'])
  state.refuses = ''
  expect(await look()).toEqual(new Map(Object.entries({ a: 1, b: 1 })))
  expect([...users.keys()].sort()).toEqual(['a', 'b'])
})

test('an account that a guard retains stays connected and is not reported as applied', async () => {
  const { look, state, users, done, come } = host([account('a'), account('held back')])
  state.heldBack = ['held back']
  come('held back', 1)
  expect(await look()).toEqual(new Map([['a', 1]]))
  await look()
  expect([...users.keys()]).toEqual(['a', 'held back'])
  expect(done).toEqual([`cut held back ${address}`, 'in a', 'in held back'])
})

test('a cut that fails, or of which the core does not tell, is tried until it is done', async () => {
  const { look, state, done, said, come } = host([account('a'), account('b')])
  await look()
  come('a', 1)
  state.accounts = [off('a', { revision: 2 }), account('b'), account('new')]
  state.askFails = true
  const others = new Map(Object.entries({ b: 1, new: 1 }))
  expect(await look()).toEqual(others)
  state.askFails = false
  state.cutFails = true
  expect(await look()).toEqual(others)
  expect(said).toEqual(['cannot cut connections: not found', 'cannot cut connections: not permitted'])
  state.cutFails = false
  await look()
  expect(done.at(-1)).toBe(`cut a ${address}`)
  expect(await look()).toEqual(new Map([...others, ['a', 2]]))
})

test('this host, its resolver and the control plane are never cut', async () => {
  const { look, state, done } = host([account('a')])
  state.online = { gone: ['198.51.100.53', address] }
  await look()
  expect(done).toEqual([`cut gone ${address}`, 'in a'])
})

test('an idle agent does not read the users each time', async () => {
  const { look, state, users } = host([account('a')])
  for (let round = 0; round < 10; round += 1) await look()
  expect(state.looks).toBe(2)
  users.clear()
  await look()
  expect([...users.keys()]).toEqual(['a'])
  state.now = Date.parse('2030-01-01T00:00:00.000Z')
  await look()
  expect(users.size).toBe(0)
})
