import { randomBytes, randomUUID } from 'node:crypto'
import { nodeLimits, report } from '@kelid/contract'
import { expect, test } from 'vitest'
import { compose } from './compose.ts'
import { PortSet } from './ports.ts'

const random = randomBytes(8_192)
/** Random ports, half of all, cannot be compressed. */
const longest = new PortSet(
  [...Array(65_536).keys()].filter((port) => ((random[port >> 3] ?? 0) >> (port & 7)) & 1),
)

test('a long report is split into parts that each fit the contract', () => {
  const ids = Array.from({ length: 2_500 }, () => randomUUID())
  const news = {
    applied: new Map(ids.map((id) => [id, 3])),
    usage: new Map(ids.slice(0, 10).map((id) => [id, { up: 1, down: 2 }])),
    leases: new Map(ids.map((id) => [id, { frame: randomUUID(), spent: 2 ** 40, until: 2 ** 41 }])),
    begun: new Map([[ids[0] ?? '', 5_000]]),
    online: new Map([[ids[0] ?? '', { '203.0.113.9': 1_790_000_000, '2001:db8::1': 1, '2001:db8::2': 2 }]]),
    gone: Array.from({ length: 1_060 }, (_, index) => ({
      ...{
        id: ids[0] ?? '',
        address: '203.0.113.9',
        port: 5,
        ports: index < 60 ? longest.encode() : 'Y2BgYA==',
      },
    })),
  }
  expect(longest.encode().length).toBeGreaterThan(10_000)
  const host = {
    ...{ epoch: randomUUID(), number: 1, digest: 'a'.repeat(64), refusedList: '' as const, load: 0.12 },
    ...{ connections: 4, now: new Date().toISOString() },
    core: { version: '26.3.27', bootId: randomUUID(), upSince: new Date().toISOString() },
  }
  const reports = compose(host, news)
  expect(reports.map(({ applied }) => applied.length)).toEqual([1_000, 1_000, 500])
  expect(reports.map(({ gone }) => gone.length)).toEqual([45, 1_000, 15])
  expect(reports[0]?.online[0]?.devices.map(({ address }) => address)).toEqual([
    '203.0.113.9',
    '2001:db8::1',
    '2001:db8::2',
  ])
  expect(reports.map(({ leases }) => leases?.length)).toEqual([1_000, 1_000, 500])
  const [begun] = reports[0]?.begun ?? []
  expect(Date.now() - Date.parse(begun?.at ?? '')).toBeGreaterThanOrEqual(5_000)
  for (const body of reports) {
    report.input.parse({ client: 'agent', clientVersion: '0.1.0', ...body })
    expect(JSON.stringify(body).length).toBeLessThan(nodeLimits.bodyBytes)
  }
  const few = { ...news, applied: new Map(), gone: [], usage: new Map() }
  const [only, ...others] = compose(host, { ...few, leases: null, begun: null })
  expect(others).toEqual([])
  expect(Object.keys(only ?? {})).not.toContain('leases')
})
