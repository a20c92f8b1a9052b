import { readFile } from 'node:fs/promises'
import { openCore } from './core.ts'
import { takeSamples } from './sample.ts'

const sampleEvery = 5

export function createTunnelNode(api: string) {
  const core = openCore(api)
  const samples = takeSamples(core)
  let connections = 0
  let passes = 0
  return {
    samples,
    applied: (): ReadonlyMap<string, number> => new Map(),
    online: (): ReadonlyMap<string, Record<string, number>> => new Map(),
    connections: () => connections,
    async look(): Promise<boolean> {
      passes += 1
      if (passes % sampleEvery !== 1) return false
      const sockets = await readFile('/proc/self/net/sockstat', 'utf8')
      connections = Number(/^TCP: inuse (\d+)/m.exec(sockets)?.[1] ?? 0)
      await samples.take()
      return false
    },
    close: async () => core.close(),
  }
}
