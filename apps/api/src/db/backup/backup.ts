import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { renameDurably } from '../embedded/files.ts'
import { codeOf } from '../embedded/unavailable.ts'
import {
  endMark,
  formatVersion,
  type Heading,
  headingLine,
  type Manifest,
  manifestLine,
  tableLine,
} from './format.ts'
import { BackupRefusal } from './refusal.ts'
import { summing } from './sums.ts'
import { type Table, tablesIn, travelling, versionOf } from './tables.ts'
import { plainTexts } from './text-settings.ts'

export interface BackupMade extends Manifest {
  readonly bytes: number
}

/** Everything that travels, as it was at one moment, in one file that is whole or not there. */
export async function writeBackup(
  pool: pg.Pool,
  path: string,
  { now, signal }: { now: Date; signal?: AbortSignal | undefined },
): Promise<BackupMade> {
  if (await stat(path).catch(() => null))
    throw new BackupRefusal(`${path} is there already: choose another name, or move it away.`)
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`
  const file = await create(draft)
  try {
    const manifest = await inSnapshot(pool, now, async (client, heading, tables) => {
      const sums: Manifest['tables'] = []
      const text = Readable.from(textOf(client, heading, tables, sums))
      await pipeline(text, createGzip(), appendTo(file), { signal })
      return { ...heading, tables: sums }
    })
    await file.sync()
    const { size } = await file.stat()
    await file.close()
    await renameDurably(draft, path)
    return { ...manifest, bytes: size }
  } catch (error) {
    await file.close().catch(() => {})
    await rm(draft, { force: true })
    throw ofFiles.has(codeOf(error) ?? '') ? unwritable(error as Error) : error
  }
}

const ofFiles = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG', 'EROFS', 'EACCES', 'EPERM'])
const unwritable = (error: Error) =>
  new BackupRefusal(`The backup cannot be written: ${error.message}. Nothing of it was left behind.`)

/** Password hashes and customers' links are in it, so nobody else may read it. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw unwritable(error as Error)
  }
}

const appendTo = (file: FileHandle) => async (chunks: AsyncIterable<Buffer>) => {
  for await (const chunk of chunks) await file.appendFile(chunk)
}

/** The locks come before the first look at the data, so that no migration slips in between the two. */
async function inSnapshot<T>(
  pool: pg.Pool,
  now: Date,
  work: (client: pg.PoolClient, heading: Heading, tables: Table[]) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    const names = (await tablesIn(client)).map(({ name }) => pg.escapeIdentifier(name))
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(plainTexts)
    if (names.length > 0) await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`)
    const tables = await tablesIn(client)
    const done = await work(client, await headingOf(client, tables, now), travelling(tables))
    await client.query('COMMIT')
    client.release()
    return done
  } catch (error) {
    // Whatever half of a copy is still under way ends with its connection.
    client.release(true)
    throw error
  }
}

async function headingOf(client: pg.PoolClient, tables: readonly Table[], now: Date): Promise<Heading> {
  const schema = await versionOf(client, tables)
  if (schema === null) throw new BackupRefusal('There is nothing to back up: the database is empty.')
  const { rows } = await client.query<{ key: string }>(
    `SELECT encode(key_check, 'hex') AS key FROM installation`,
  )
  return { format: formatVersion, schema, made: now.toISOString(), keyCheck: rows[0]?.key ?? null }
}

async function* textOf(
  client: pg.PoolClient,
  heading: Heading,
  tables: readonly Table[],
  sums: Manifest['tables'],
): AsyncGenerator<Buffer> {
  yield Buffer.from(headingLine(heading))
  for (const table of tables) {
    const { through, sum } = summing(table)
    yield Buffer.from(tableLine(table))
    yield* through(client.query(copyTo(`COPY ${targetOf(table)} TO STDOUT`)))
    yield Buffer.from(endMark)
    sums.push(sum())
  }
  yield Buffer.from(manifestLine({ ...heading, tables: sums }))
}

export const targetOf = ({ name, columns }: Table): string =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`
