import { randomUUID } from 'node:crypto'
import { addServer, addTunnel, getServers, getTunnels, setServerReady, setTunnelReady } from '@kelid/contract'
import { expect, test } from 'vitest'
import { sampleServer, sampleTunnel, useProduct } from '../../../test/product.ts'

const product = useProduct()

const hosts = [
  { name: 'berlin-2', ipv4: '203.0.113.2', url: 'b2.example.com', isReady: true },
  { name: 'Amsterdam', ipv4: '198.51.100.1', url: 'a.example.com', isReady: false },
  { name: 'berlin-1', ipv4: '203.0.113.1', url: 'b1.example.org', isReady: true },
]

interface Question {
  search?: string
  state?: 'ready' | 'queued'
  cursor?: string
  limit?: number
}

interface Kind {
  kind: string
  add: () => Promise<void>
  list: (question: Question & { byName?: boolean }) => Promise<{
    names: string[]
    total: number | undefined
    nextCursor: string | null | undefined
  }>
}

const reason = 'set up by hand'
const kinds: Kind[] = [
  {
    kind: 'servers',
    add: async () => {
      for (const { name, ipv4, url, isReady } of hosts) {
        const serverUUID = randomUUID()
        const fields = { serverUUID, serverName: name, serverIPV4: ipv4, serverURL: url }
        await product.admin.ask(addServer, { ...sampleServer(), ...fields })
        if (isReady) await product.admin.ask(setServerReady, { serverUUID, reason })
      }
    },
    list: async ({ byName, ...question }) => {
      const sort = byName ? ({ sort: 'serverName' } as const) : {}
      const { items, ...page } = await product.admin.ask(getServers, { ...question, ...sort })
      return { names: items.map(({ serverName }) => serverName), ...page } as never
    },
  },
  {
    kind: 'tunnels',
    add: async () => {
      for (const { name, ipv4, url, isReady } of hosts) {
        const tunnelUUID = randomUUID()
        // No two hosts share an address.
        const fields = { tunnelUUID, tunnelName: name, tunnelIPV4: `${ipv4}0`, tunnelURL: url }
        await product.admin.ask(addTunnel, { ...sampleTunnel(), ...fields })
        if (isReady) await product.admin.ask(setTunnelReady, { tunnelUUID, reason })
      }
    },
    list: async ({ byName, ...question }) => {
      const sort = byName ? ({ sort: 'tunnelName' } as const) : {}
      const { items, ...page } = await product.admin.ask(getTunnels, { ...question, ...sort })
      return { names: items.map(({ tunnelName }) => tunnelName), ...page } as never
    },
  },
]

test.each(kinds)('$kind are searched, filtered by state, sorted and read by pages', async ({ add, list }) => {
  await add()
  expect((await list({})).names.toSorted()).toEqual(['Amsterdam', 'berlin-1', 'berlin-2'])
  expect((await list({ search: 'BERLIN', byName: true })).names).toEqual(['berlin-1', 'berlin-2'])
  expect((await list({ search: '198.51' })).names).toEqual(['Amsterdam'])
  expect((await list({ search: 'example.org' })).names).toEqual(['berlin-1'])
  expect((await list({ search: '%' })).names).toEqual([])
  expect((await list({ state: 'queued' })).names).toEqual(['Amsterdam'])

  const first = await list({ limit: 2, byName: true })
  expect(first).toMatchObject({ names: ['Amsterdam', 'berlin-1'], total: 3 })
  const rest = await list({ limit: 2, byName: true, cursor: first.nextCursor ?? '' })
  expect(rest).toMatchObject({ names: ['berlin-2'], total: 3, nextCursor: null })
})
