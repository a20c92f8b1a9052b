import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './agent.fixture.ts'
import type { Bytes } from './core.ts'
import { keepUsage, takeSamples } from './sample.ts'

const folder = temporaryFolder()

/** As far as its counters go; another boot begins at nothing. */
function openCounters() {
  let boot = 'first'
  let usage = new Map<string, Bytes>()
  return {
    boot: async () => boot,
    usage: async () => new Map(usage),
    uptimeSeconds: async () => 1,
    count: (down: number) => usage.set('account', { up: 1, down }),
    restart: (name: string) => {
      boot = name
      usage = new Map()
    },
  }
}
const downOf = (samples: ReturnType<typeof takeSamples>) =>
  samples.ended().map(({ boot, usage }) => [boot, usage.get('account')?.down])

test('the counters of an ended core outlive the agent until they are reported', async () => {
  const core = openCounters()
  const start = () =>
    takeSamples(
      core,
      keepUsage(join(folder, 'usage.json'), () => {}),
    )
  const first = start()
  core.count(100)
  await first.take()
  core.restart('second')
  await first.take()
  expect(downOf(first)).toEqual([['first', 100]])

  const killed = start()
  core.count(50)
  await killed.take()
  expect(downOf(killed)).toEqual([['first', 100]])
  await killed.markReported('first')
  expect(downOf(killed)).toEqual([])
  await killed.keep()

  core.restart('third')
  const rebooted = start()
  await rebooted.take()
  expect(downOf(rebooted)).toEqual([['second', 50]])
})
