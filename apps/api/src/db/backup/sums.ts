import { createHash } from 'node:crypto'
import { tableLine } from './format.ts'
import type { Table } from './tables.ts'

const newline = 10

function countLines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count += 1
  return count
}

/** The columns are part of the hash, because they define what the rows mean. */
export function summing(table: Table) {
  const hash = createHash('sha256').update(tableLine(table))
  let rows = 0
  return {
    async *through(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        hash.update(chunk)
        rows += countLines(chunk)
        yield chunk
      }
    },
    sum: () => ({ name: table.name, rows, sha256: hash.digest('hex') }),
  }
}
