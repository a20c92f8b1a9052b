import { readFile } from 'node:fs/promises'
import type { LogEntry } from './access-log.ts'
import type { Connections } from './connections.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Keeps connections in memory that survives the agent, so that a restarted agent can still cut them. They belong to
 * one start of the core.
 */
export function keepConnections(file: string, connections: Connections) {
  let lastWritten = ''
  return {
    async restore(boot: string): Promise<void> {
      const text = await readFile(file, 'utf8').catch(() => '')
      const stored = text === '' ? null : (JSON.parse(text) as { boot: string; seen: LogEntry[] })
      if (stored?.boot === boot) for (const entry of stored.seen) connections.note(entry)
    },
    async keep(boot: string): Promise<void> {
      const text = JSON.stringify({ boot, seen: connections.all() })
      if (text === lastWritten) return
      await replaceFile(file, text, 0o600)
      lastWritten = text
    },
  }
}
