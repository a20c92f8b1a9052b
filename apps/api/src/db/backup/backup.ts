import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Seal } from '../../lib/seal.ts'
import { renameDurably } from '../embedded/files.ts'
import { codeOf } from '../embedded/unavailable.ts'
import { newestVersion } from '../migrate.ts'
import {
  endMark,
  formatVersion,
  type Heading,
  headingLine,
  type Manifest,
  macOf,
  manifestLine,
  summing,
  tableLine,
} from './format.ts'
import { BackupRefusal } from './refusal.ts'
import { plainTexts, type Table, tablesIn, tablesToBackUp, versionOf } from './tables.ts'
import type { KeyAtHand } from './usable.ts'

export interface BackupMade extends Manifest {
  readonly bytes: number
}

export async function writeBackup(
  pool: pg.Pool,
  path: string,
  { now, key, signal }: { now: Date; key: KeyAtHand; signal?: AbortSignal | undefined },
): Promise<BackupMade> {
  if (await stat(path).catch(() => null))
    throw new BackupRefusal(`${path} already exists: choose another name or move it away.`)
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`
  const file = await create(draft)
  try {
    const manifest = await inSnapshot(
      pool,
      (client, tables) => headingOf(client, tables, key, now),
      async (client, heading, tables) => {
        const manifest: Manifest = { ...heading, tables: [] }
        const text = Readable.from(textOf(client, manifest, tables, key.seal))
        await pipeline(text, createGzip(), appendTo(file), { signal })
        return manifest
      },
    )
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
  new BackupRefusal(`The backup cannot be written: ${error.message}. No file was left behind.`)

/** The file contains password hashes and subscription links, so only its owner may read it. */
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

/** Takes the locks before the snapshot, so that no migration commits in between. */
async function inSnapshot<T>(
  pool: pg.Pool,
  begin: (client: pg.PoolClient, tables: Table[]) => Promise<Heading>,
  work: (client: pg.PoolClient, heading: Heading, tables: Table[]) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    const names = (await tablesIn(client)).map(({ name }) => pg.escapeIdentifier(name))
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(plainTexts)
    if (names.length > 0) await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`)
    const tables = await tablesIn(client)
    const result = await work(client, await begin(client, tables), tablesToBackUp(tables))
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    // Closing the connection ends an unfinished COPY.
    client.release(true)
    throw error
  }
}

async function headingOf(
  client: pg.PoolClient,
  tables: readonly Table[],
  { keyCheck }: KeyAtHand,
  now: Date,
): Promise<Heading> {
  const schema = await versionOf(client, tables)
  if (schema === null) throw new BackupRefusal('There is nothing to back up: the database is empty.')
  const newest = await newestVersion()
  if (schema < newest)
    throw new BackupRefusal(
      `The database is at version ${schema}, and this program's is ${newest}: back up with the release that it runs under, or start this one first.`,
    )
  const { rows } = await client.query<{ key: string }>(
    `SELECT encode(key_check, 'hex') AS key FROM installation`,
  )
  const key = rows[0]?.key ?? null
  if (key !== null && key !== keyCheck.toString('hex'))
    throw new BackupRefusal(
      'The secret key at hand is not the one that the database was set up with, and a backup sealed with it could not be restored: put the right secret.key into KELID_DATA_DIR or set KELID_SECRET_KEY.',
    )
  return { format: formatVersion, schema, made: now.toISOString(), keyCheck: key }
}

async function* textOf(
  client: pg.PoolClient,
  manifest: Manifest,
  tables: readonly Table[],
  seal: Seal,
): AsyncGenerator<Buffer> {
  const { tables: sums, ...heading } = manifest
  yield Buffer.from(headingLine(heading))
  for (const table of tables) {
    const { through, sum } = summing(table)
    yield Buffer.from(tableLine(table))
    yield* through(client.query(copyTo(`COPY ${targetOf(table)} TO STDOUT`)))
    yield Buffer.from(endMark)
    sums.push(sum())
  }
  manifest.mac = macOf(seal, manifest)
  yield Buffer.from(manifestLine(manifest))
}

export const targetOf = ({ name, columns }: Table): string =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`
