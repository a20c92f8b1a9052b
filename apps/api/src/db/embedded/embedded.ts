import { existsSync } from 'node:fs'
import { realpath, rmdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRoot } from './account.ts'
import { ensureCluster, readPassword } from './cluster.ts'
import { findCluster, homeOf } from './cluster-location.ts'
import { askServer } from './connect.ts'
import { exists, makeFolder } from './files.ts'
import { acquireLock, lockHolder } from './lock.ts'
import { findPackage } from './package.ts'
import { preparePrograms } from './programs.ts'
import { type Access, accessTo, ensureEveryday } from './roles.ts'
import { type Settings, startServer } from './server.ts'
import { chooseSocketDir, port, prepareSocketDir } from './socket-dir.ts'
import type { Supervised } from './supervisor.ts'
import { EmbeddedUnavailable, explain } from './unavailable.ts'

export type { Access } from './roles.ts'
export { EmbeddedUnavailable } from './unavailable.ts'

export interface EmbeddedDatabase extends Access {
  stop(): Promise<void>
  lost: Promise<string>
}

export interface EmbeddedOptions {
  dataDir: string
  onProgress?: (line: string) => void
  onLaunch?: () => void
  /** Alternative location if PostgreSQL's user cannot enter root's data folder. */
  elsewhere?: string
  packageDir?: string
  settings?: Settings
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await start(options)
  } catch (error) {
    throw explain(error, resolve(options.dataDir))
  }
}

async function start(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { onProgress = () => {}, onLaunch = () => {}, settings = {} } = options
  const { elsewhere = '/var/lib/kelid', packageDir = findPackage() } = options
  // PostgreSQL's user must be able to traverse root's folder.
  await makeFolder(options.dataDir, isRoot() ? 0o711 : 0o700)
  const dataDir = await realpath(options.dataDir)
  const location = await findCluster(dataDir, elsewhere, onProgress)
  const host = await chooseSocketDir(location.cluster, location.account)
  const lock = await acquireLock(location.home, host)
  const cleanUp = async () => {
    await rmdir(host).catch(() => {})
    // A lock that cannot be released ends with this process.
    await lock.release().catch(() => {})
  }
  try {
    await prepareSocketDir(host, location.account)
    const programs = await preparePrograms(packageDir, location.home, location.account, onProgress)
    const password = await ensureCluster(dataDir, location, programs, { onProgress, onLaunch })
    const access = accessTo(host, port, password)
    const server = await startServer(location, programs.postgres, access.owner, {
      onProgress,
      onLaunch,
      settings,
    })
    const database = handle(server, access, cleanUp)
    await ensureEveryday(access).catch(async (error) => {
      await database.stop()
      throw error
    })
    return database
  } catch (error) {
    await cleanUp()
    throw error
  }
}

function handle(server: Supervised, access: Access, cleanUp: () => Promise<void>): EmbeddedDatabase {
  let isStopping = false
  const ended = server.exited.then(cleanUp)
  const lost = new Promise<string>((resolve) => {
    server.exited.then(async (code) => {
      await ended
      const how = code > 128 ? `was ended by signal ${code - 128}` : `ended with code ${code}`
      if (!isStopping) resolve(`PostgreSQL ${how}: ${server.lastLines()}`)
    })
  })
  const stop = () => {
    isStopping = true
    server.end()
    return ended
  }
  return { ...access, stop, lost }
}

export async function attachEmbedded(dataDir: string): Promise<Access | null> {
  try {
    return await attach(dataDir)
  } catch (error) {
    throw explain(error, resolve(dataDir))
  }
}

async function attach(dataDir: string): Promise<Access | null> {
  if (!(await exists(dataDir))) return null
  const folder = await realpath(dataDir)
  const home = await homeOf(folder)
  const startedAt = Date.now()
  for (;;) {
    const holder = await lockHolder(home)
    if (!holder) return null
    const password = await readPassword(folder)
    const access = accessTo(holder.socketDir, port, password ?? '')
    if (password && (await askServer(access.owner)) === 'ready') {
      await ensureEveryday(access)
      return access
    }
    if (Date.now() - startedAt > (existsSync(holder.socketDir) ? 30_000 : 2_000)) throw unreachable(holder)
    await sleep(25)
  }
}

function unreachable({ pid, socketDir }: { pid: number; socketDir: string }): EmbeddedUnavailable {
  return new EmbeddedUnavailable(
    `The database is held by process ${pid}, but its socket in ${socketDir} does not answer here: run this command in the same container or service, and as the same user.`,
  )
}
