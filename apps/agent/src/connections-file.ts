import { readFile } from 'node:fs/promises'
import type { LogEntry } from './access-log.ts'
import type { Connections } from './connections.ts'
import { replaceFile } from './replace-file.ts'

/** The file is in memory and survives the agent, so that a restarted agent can still cut these connections. */
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
