import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { until } from '../../../test/until.ts'
import type { Connection } from './connect.ts'
import type { EmbeddedDatabase } from './embedded.ts'
import { findPackage } from './package.ts'

const cleanups: (() => unknown)[] = []

export function cleanUpLater(work: () => unknown): void {
  cleanups.push(work)
}

afterAll(async () => {
  for (const work of cleanups.reverse()) await work()
})

const base = realpathSync(tmpdir())

/** A world-accessible folder; after the tests it is removed and its processes are killed. */
export function makeTemporary(): string {
  const folder = mkdtempSync(join(base, 'embedded-test-'))
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  cleanUpLater(async () => {
    await killProcessesOf(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  })
  return folder
}

export interface SystemProcess {
  pid: number
  parent: number
  group: number
  uid: number
}

export function processesOf(folder: string): SystemProcess[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      try {
        const [state, parent, group] =
          readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        const trace = readlinkSync(`/proc/${pid}/cwd`) + readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        if (state === 'Z' || !trace.includes(folder)) return []
        return { pid, parent: Number(parent), group: Number(group), uid: statSync(`/proc/${pid}`).uid }
      } catch {
        return []
      }
    })
}

export async function killProcessesOf(folder: string): Promise<void> {
  await until(() => {
    const remaining = processesOf(folder)
    for (const { pid } of remaining) killIfThere(pid)
    return remaining.length === 0
  })
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

export function postmaster(cluster: string): SystemProcess {
  const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
  const main = processesOf(cluster).find((candidate) => candidate.pid === pid)
  if (!main) throw new Error(`No PostgreSQL on ${cluster}`)
  return main
}

export async function ask(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export function stopLater(database: EmbeddedDatabase): EmbeddedDatabase {
  cleanUpLater(() => database.stop())
  return database
}

export function copyPackage(to: string): string {
  cpSync(findPackage(), to, { recursive: true, verbatimSymlinks: true })
  return to
}

export const asNobody = { uid: 65534, gid: 65534 }
