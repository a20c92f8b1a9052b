import { readFile } from 'node:fs/promises'
import type { Seen } from './access-log.ts'
import type { Connections } from './connections.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Who is connected from where, in memory that outlives the agent: after its restart those connections can still be cut.
 * They are of one start of the core, and gone with it.
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
