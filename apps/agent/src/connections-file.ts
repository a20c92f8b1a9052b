import { readFile } from 'node:fs/promises'
import type { Seen } from './access-log.ts'
import type { Connections } from './connections.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Keeps connections in memory that survives the agent, so that a restarted agent can still cut them. They belong to
 * one start of the core.
 */
export function keepConnections(file: string, connections: Connections) {
  let kept = ''
  return {
    async restore(boot: string): Promise<void> {
      const text = await readFile(file, 'utf8').catch(() => '')
      const found = text === '' ? null : (JSON.parse(text) as { boot: string; seen: Seen[] })
      if (found?.boot === boot) for (const seen of found.seen) connections.note(seen)
    },
    async keep(boot: string): Promise<void> {
      const text = JSON.stringify({ boot, seen: connections.all() })
      if (text === kept) return
      await replaceFile(file, text, 0o600)
      kept = text
    },
  }
}
