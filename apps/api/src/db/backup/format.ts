import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Seal } from '../../lib/seal.ts'
import { damagedBackup } from './refusal.ts'
import type { Table } from './tables.ts'

/**
 * The file is gzip around text that psql can read: a heading, a COPY block for each table, and the manifest as the
 * last line. The manifest has the checksums of all tables and a MAC under the installation's secret key. Files of the
 * first format have no MAC.
 */
export const formatVersion = 2
export const unsealedFormat = 1

const heading = z.object({
  format: z.int(),
  schema: z.int(),
  made: z.string(),
  keyCheck: z.nullable(z.string()),
})
export type Heading = z.output<typeof heading>

const sum = z.object({ name: z.string(), rows: z.int(), sha256: z.string() })
export type Sum = z.output<typeof sum>

const manifest = z.object({ ...heading.shape, tables: z.array(sum), mac: z.optional(z.string()) })
export type Manifest = z.output<typeof manifest>

export const macOf = (seal: Seal, { format, schema, made, keyCheck, tables }: Manifest): string =>
  seal
    .fingerprint(
      'backup',
      JSON.stringify([
        format,
        schema,
        made,
        keyCheck,
        tables.map(({ name, rows, sha256 }) => [name, rows, sha256]),
      ]),
    )
    .toString('hex')

const headingMark = '-- Kelid backup '
const manifestMark = '-- manifest '
export const endMark = '\\.\n'

export const headingLine = (value: Heading): string => `${headingMark}${JSON.stringify(value)}\n`
export const manifestLine = (value: Manifest): string => `${manifestMark}${JSON.stringify(value)}\n`
export const tableLine = ({ name, columns }: Table): string =>
  `COPY ${name} (${columns.join(', ')}) FROM stdin;\n`

export const parseHeading = (line: string): Heading | null => parse(heading, headingMark, line)

export const isManifest = (line: string): boolean => line.startsWith(manifestMark)

export function parseManifest(line: string): Manifest {
  const parsed = parse(manifest, manifestMark, line)
  if (!parsed) throw damagedBackup('its manifest cannot be read')
  return parsed
}

export function parseTable(line: string): Table {
  const match = /^COPY ([a-z_][a-z0-9_]*) \(([a-z_][a-z0-9_]*(?:, [a-z_][a-z0-9_]*)*)\) FROM stdin;$/.exec(
    line,
  )
  if (!match?.[1] || !match[2]) throw damagedBackup('a table does not begin as it should')
  return { name: match[1], columns: match[2].split(', ') }
}

function parse<T>(schema: z.ZodMiniType<T>, mark: string, line: string): T | null {
  if (!line.startsWith(mark)) return null
  try {
    return schema.parse(JSON.parse(line.slice(mark.length)))
  } catch {
    return null
  }
}

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
