import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from './agent.fixture.ts'
import { rememberConnections } from './connections.ts'
import { PortSet } from './ports.ts'

const folder = temporaryFolder()
const address = '203.0.113.9'
const at = (id: string) => ({ id, address })
const online = (...ids: string[]) => new Map(ids.map((id) => [id, { [address]: 1 }]))

test('a set of ports is like any set, also after it was sent', () => {
  const change = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 65_535 }))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
      const [ports, expected] = [new PortSet(), new Set<number>()]
      for (const [isNew, port] of changes) {
        if (isNew) ports.add(port)
        else ports.delete(port)
        if (isNew) expected.add(port)
        else expected.delete(port)
      }
      const sent = PortSet.decode(ports.encode())
      expect(ports.list().sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b))
      for (const [, port] of changes) {
        expect(ports.has(port)).toBe(expected.has(port))
        expect(sent?.has(port)).toBe(expected.has(port))
      }
    }),
  )
  for (const text of ['', 'AAAA', Buffer.alloc(9_000, 7).toString('base64')])
    expect(PortSet.decode(text)).toBe(null)
})

test('all ports of an address are known while the account is there, and those of others are not', () => {
  const connections = rememberConnections()
  for (let port = 1; port <= 20_000; port += 1) connections.note({ ...at('a'), port })
  connections.note({ ...at('b'), port: 7 })
  connections.note({ ...at('a'), port: 7, isDoubtful: true })
  connections.prune(online('a', 'b'), null)
  for (const [port, owner] of [
    [1, 'a'],
    [7, 'b'],
    [20_000, 'a'],
    [20_001, undefined],
  ] as const)
    expect(connections.ownerOf(address, port)).toBe(owner)
  expect(connections.confirmedOf(new Set(['a', 'c']))).toEqual([at('a')])
  const file = join(folder, 'connections.json')
  connections.store(file, () => {})
  const next = rememberConnections()
  next.restore(file)
  expect(next.ownerOf(address, 20_000)).toBe('a')
  expect(next.confirmedOf(new Set(['b']))).toEqual([at('b')])
  // An idle QUIC connection is live without being online.
  next.prune(online('b'), new Map([[address, [9, 30_000]]]))
  expect([next.ownerOf(address, 9), next.ownerOf(address, 10)]).toEqual(['a', undefined])
  next.prune(online('a'), new Map())
  expect(next.ownerOf(address, 9), 'somebody else’s by now').toBe(undefined)
  next.note({ ...at('a'), port: 9 })
  next.prune(online('b'), null)
  expect(next.ownerOf(address, 9)).toBe(undefined)
})

test('connections that an earlier agent stored are known, and a broken file is like none', () => {
  const file = join(folder, 'earlier.json')
  writeFileSync(file, JSON.stringify({ boot: 'one', seen: [{ ...at('a'), port: 5 }] }))
  const connections = rememberConnections()
  connections.restore(file)
  expect(connections.ownerOf(address, 5)).toBe('a')
  writeFileSync(file, '[{')
  connections.restore(file)
  connections.restore(join(folder, 'none'))
})
