import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import { openCore } from './core.ts'
import { readMoved, watchMovement } from './movement.ts'
import { takeSamples } from './sample.ts'
import { countTcpSockets } from './sockets.ts'

const sampleEvery = 5

export function createTunnelNode({ api, table }: Pick<Config, 'api' | 'table'>, say: (line: string) => void) {
  const core = openCore(api)
  const movement = watchMovement(readMoved(table), say)
  // It has no accounts, and its core counts nothing.
  const samples = takeSamples({ ...core, usage: async () => new Map() })
  let connections = 0
  let passes = 0
  return {
    samples,
    movement,
    leases: null,
    firstUses: null,
    applied: (): ReadonlyMap<string, number> => new Map(),
    online: (): ReadonlyMap<string, Record<string, number>> => new Map(),
    connections: () => connections,
    relays: null,
    async look(): Promise<boolean> {
      passes += 1
      const hasMinute = await movement.look()
      if (passes % sampleEvery !== 1) return hasMinute
      connections = await countTcpSockets()
      await samples.take()
      return hasMinute
    },
    rest: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {}),
    close: async () => core.close(),
  }
}
