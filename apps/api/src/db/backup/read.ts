import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip } from 'node:zlib'
import {
  formatVersion,
  type Heading,
  isManifest,
  type Manifest,
  parseHeading,
  parseManifest,
  parseTable,
  summing,
  unsealedFormat,
} from './format.ts'
import { linesOf } from './lines.ts'
import { BackupRefusal, damagedBackup } from './refusal.ts'
import type { Table } from './tables.ts'

export type TakeTable = (table: Table, rows: AsyncIterable<Buffer>) => Promise<void>

/** Verifies every count and checksum of a backup, but not who wrote it. */
export async function readBackup(path: string, takeTable: TakeTable = drain): Promise<Manifest> {
  const lines = linesOf(unzipped(path))
  const heading = checkedHeading(path, await lines.line())
  const tables: Manifest['tables'] = []
  for (;;) {
    const line = await lines.line()
    if (line === null) throw damagedBackup('its end is missing')
    if (isManifest(line)) {
      const manifest = parseManifest(line)
      if ((await lines.line()) !== null) throw damagedBackup('something follows its end')
      const { mac, ...sums } = manifest
      if (!isDeepStrictEqual(sums, { ...heading, tables }))
        throw damagedBackup('what it holds is not what its manifest says')
      return manifest
    }
    const table = parseTable(line)
    const { through, sum } = summing(table)
    await takeTable(table, through(lines.block()))
    tables.push(sum())
  }
}

const drain: TakeTable = async (_, rows) => {
  for await (const _row of rows);
}

function checkedHeading(path: string, line: string | null): Heading {
  const heading = parseHeading(line ?? '')
  if (!heading) throw new BackupRefusal(`${path} is not a backup of Kelid, or its beginning is damaged.`)
  if (heading.format !== formatVersion && heading.format !== unsealedFormat)
    throw new BackupRefusal(
      `The backup has format ${heading.format}, and this release reads format ${formatVersion}: restore it with the release that made it.`,
    )
  return heading
}

async function* unzipped(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const unpacking = pipeline(createReadStream(path), gunzip)
  unpacking.catch(() => {})
  try {
    for await (const chunk of gunzip) yield chunk
    await unpacking
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, path)
  }
}

function explain(error: NodeJS.ErrnoException, path: string): Error {
  if (error.code === 'ENOENT') return new BackupRefusal(`There is no file ${path}.`)
  if (error.code === 'EACCES' || error.code === 'EISDIR')
    return new BackupRefusal(`${path} cannot be read: ${error.message}.`)
  if (error.code?.startsWith('Z_')) return damagedBackup(`${error.message}`)
  return error
}
