import { expect, test } from 'vitest'
import type { LogEntry } from './access-log.ts'
import { account } from './agent.fixture.ts'
import { rememberConnections } from './connections.ts'
import { createEnforcer, type StaleConnection } from './enforce.ts'
import { noList } from './list.ts'
import type { Account } from './reconcile.ts'

/** A core that remembers what was done to it, in its order. */
function host(accounts: Account[], epoch = 'a') {
  const users = new Map<string, string>()
  const done: string[] = []
  const said: string[] = []
  const state = {
    accounts,
    epoch,
    now: 0,
    lines: [] as LogEntry[],
    cutFails: false,
    askFails: false,
    refuses: '',
    looks: 0,
    heldBack: [] as string[],
    unconfirmed: [] as string[],
  }
  const connections = rememberConnections()
  const look = createEnforcer({
    core: {
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
    accessLog: { read: () => state.lines.splice(0) },
    connections,
    confirmed: {
      ask: async () => {
        if (state.askFails) throw new Error('not found')
      },
      has: (id: string, address: string) => !state.unconfirmed.includes(`${id} ${address}`),
    },
    ownAddresses: async () => new Set(['198.51.100.53']),
    say: (line) => said.push(line),
    list: () => ({ ...noList, epoch: state.epoch, accounts: state.accounts, heldBack: state.heldBack }),
    writeCoreFile: async () => true,
    cut: async (gone: readonly StaleConnection[]) => {
      if (state.cutFails) throw new Error('not permitted')
      for (const { id, address, port } of gone) done.push(`cut ${id} ${address}:${port}`)
    },
  })
  return { look, state, users, done, said }
}
const came = (id: string, port: number): LogEntry => ({ id, address: '203.0.113.9', port })

test('without a list the users of the core stay', async () => {
  const { look, users } = host([], '')
  users.set('somebody', 'x')
  expect(await look()).toEqual(new Map())
  expect([...users.keys()]).toEqual(['somebody'])
})

test('a new secret cuts the connections of the old one before the new one may come in', async () => {
  const { look, state, done } = host([account('a'), account('b')])
  await look()
  state.lines.push(came('a', 1), came('b', 2))
  await look()
  // This one came in a moment before the change.
  state.lines.push(came('a', 3))
  state.accounts = [account('a', { secret: 'new', revision: 2 }), account('b')]
  done.length = 0
  expect(await look()).toEqual(new Map(Object.entries({ a: 2, b: 1 })))
  expect(done).toEqual(['out a', 'cut a 203.0.113.9:1', 'cut a 203.0.113.9:3', 'in a'])
})

test('a removed account that appears again, as on an open QUIC connection, is cut', async () => {
  const { look, state, done } = host([account('a', { enabled: false })])
  expect(await look()).toEqual(new Map([['a', 1]]))
  state.lines.push(came('a', 7), came('a gone account', 8))
  await look()
  expect(done).toEqual(['cut a 203.0.113.9:7', 'cut a gone account 203.0.113.9:8'])
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
  const { look, state, users } = host([account('a'), account('held back')])
  state.heldBack = ['held back']
  expect(await look()).toEqual(new Map([['a', 1]]))
  expect([...users.keys()]).toEqual(['a', 'held back'])
})

test('a cut that fails is tried until it is done', async () => {
  const { look, state, done } = host([account('a'), account('b')])
  await look()
  state.lines.push(came('a', 1))
  state.cutFails = true
  state.accounts = [account('a', { enabled: false }), account('b')]
  await look()
  await look()
  expect(done).not.toContain('cut a 203.0.113.9:1')
  state.cutFails = false
  await look()
  expect(done).toContain('cut a 203.0.113.9:1')
})

test('without an online list new accounts are added and confirmed connections are cut; the rest waits', async () => {
  const { look, state, said, done } = host([account('a'), account('b')])
  await look()
  state.lines.push(came('a', 1), came('b', 2))
  state.askFails = true
  state.unconfirmed = ['b 203.0.113.9']
  state.accounts = [account('new')]
  expect(await look()).toEqual(new Map([['new', 1]]))
  expect(done).toEqual(['in a', 'in b', 'out a', 'out b', 'cut a 203.0.113.9:1', 'in new'])
  expect(said).toEqual(['cannot ask the core who is connected: not found'])
  for (let count = 0; count < 60; count += 1) await look()
  state.askFails = false
  state.unconfirmed = []
  await look()
  expect(done.at(-1)).toBe('cut b 203.0.113.9:2')
})

test('an unconfirmed connection is not cut until the core confirms it within a minute', async () => {
  const { look, state, done } = host([account('a')])
  state.unconfirmed = ['stranger 203.0.113.9', 'other 203.0.113.9']
  state.lines.push(came('stranger', 1))
  await look()
  state.unconfirmed = ['other 203.0.113.9']
  await look()
  expect(done).toEqual(['in a', 'cut stranger 203.0.113.9:1'])
  state.lines.push(came('other', 2))
  for (let count = 0; count < 60; count += 1) await look()
  state.unconfirmed = []
  await look()
  expect(done).toHaveLength(2)
})

test('a port that became a neighbour’s while its cut was not confirmed is the neighbour’s', async () => {
  const { look, state, done } = host([account('a'), account('b')])
  state.unconfirmed = ['gone 203.0.113.9']
  state.lines.push(came('gone', 1), came('gone', 2))
  await look()
  state.lines.push(came('b', 1))
  state.unconfirmed = []
  await look()
  expect(done.filter((act) => act.startsWith('cut'))).toEqual(['cut gone 203.0.113.9:2'])
})

test('this host, its resolver and the control plane are never cut', async () => {
  const { look, state, done } = host([account('a')])
  state.lines.push({ id: 'gone', address: '198.51.100.53', port: 53 }, came('gone', 4))
  await look()
  expect(done).toEqual(['cut gone 203.0.113.9:4', 'in a'])
})

test('a possibly forged log line cuts no connection, and a genuine one does', async () => {
  const { look, state, done } = host([account('a'), account('b')])
  state.lines.push(came('b', 5), { ...came('a', 5), isDoubtful: true }, { ...came('a', 6), isDoubtful: true })
  await look()
  state.accounts = [account('a', { enabled: false }), account('b')]
  await look()
  expect(done.filter((act) => act.startsWith('cut'))).toEqual(['cut a 203.0.113.9:6'])
  // Behind one address a port goes from one customer to the next.
  state.accounts = [account('a'), account('b')]
  await look()
  state.lines.push(came('a', 5))
  await look()
  state.accounts = [account('a'), account('b', { enabled: false })]
  await look()
  expect(done.filter((act) => act.startsWith('cut'))).toHaveLength(1)
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
