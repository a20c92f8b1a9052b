import type { TakeTable } from './read.ts'

interface EndInFile {
  end: { line: number; hash: Buffer; mac: Buffer | null } | undefined
  last: { id: number; hash: Buffer } | undefined
}

export function watchAudit(): { takeTable: TakeTable; found: EndInFile } {
  const auditEnd: EndInFile = { end: undefined, last: undefined }
  return {
    found: auditEnd,
    async takeTable({ name, columns }, chunks) {
      for await (const chunk of chunks) {
        if (name !== 'audit' && name !== 'audit_end') continue
        for (const line of chunk.toString('utf8').trimEnd().split('\n')) {
          const values = line.split('\t')
          const value = (column: string) => values[columns.indexOf(column)] ?? ''
          const hash = bytesOf(value('hash')) ?? Buffer.alloc(0)
          if (name === 'audit_end')
            auditEnd.end = { line: Number(value('line')), hash, mac: bytesOf(value('mac')) }
          // COPY returns rows in physical order, not in the order of their numbers.
          else if (Number(value('id')) > (auditEnd.last?.id ?? 0))
            auditEnd.last = { id: Number(value('id')), hash }
        }
      }
    },
  }
}

/** COPY writes bytea as two backslashes, x and hexadecimal digits. */
const bytesOf = (value: string): Buffer | null =>
  value.startsWith('\\\\x') ? Buffer.from(value.slice(3), 'hex') : null
