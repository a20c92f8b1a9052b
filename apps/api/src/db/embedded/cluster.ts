import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClusterLocation } from './cluster-location.ts'
import { exists, readText, renameDurably, writeDurably } from './files.ts'
import type { Programs } from './programs.ts'
import { owner } from './roles.ts'
import { supervise, type Watching } from './supervisor.ts'
import { EmbeddedUnavailable } from './unavailable.ts'

const draftPrefix = 'postgres.init-'

export function readPassword(dataDir: string): Promise<string | null> {
  return readText(passwordFile(dataDir))
}

/** Creates the cluster if it is missing; a kill leaves no cluster or a complete one. */
export async function ensureCluster(
  dataDir: string,
  location: ClusterLocation,
  programs: Programs,
  { onProgress, onLaunch }: Watching,
): Promise<string> {
  await removeDrafts(location.home)
  const password = await readPassword(dataDir)
  const version = await readText(join(location.cluster, 'PG_VERSION'))
  if (version === null) {
    onProgress('Creating the database.')
    return initialize(dataDir, location, programs, password, onLaunch)
  }
  if (version.trim() !== programs.major)
    throw new EmbeddedUnavailable(
      `The database in ${location.cluster} was written by PostgreSQL ${version.trim()}, and this release brings PostgreSQL ${programs.major}: restore a backup into an empty KELID_DATA_DIR, or set DATABASE_URL to a PostgreSQL ${version.trim()} server that has the data.`,
    )
  if (password) return password
  throw new EmbeddedUnavailable(
    `The database in ${location.cluster} has lost its password, the file ${passwordFile(dataDir)}: bring the file back, or move that database away to begin with an empty one.`,
  )
}

async function initialize(
  dataDir: string,
  location: ClusterLocation,
  programs: Programs,
  storedPassword: string | null,
  onLaunch: () => void,
): Promise<string> {
  if ((await exists(location.cluster)) && (await readdir(location.cluster)).length > 0)
    throw new EmbeddedUnavailable(
      `${location.cluster} holds files but no database: move it away, or set KELID_DATA_DIR to another folder.`,
    )
  const password = storedPassword ?? randomBytes(24).toString('base64url')
  if (!storedPassword) await writeDurably(passwordFile(dataDir), password, 0o600)

  const draft = await mkdtemp(join(location.home, draftPrefix))
  const draftPassword = join(draft, 'password')
  await writeFile(draftPassword, password, { mode: 0o600 })
  if (location.account)
    for (const path of [draft, draftPassword]) await chown(path, location.account.uid, location.account.gid)
  const initdb = supervise(location.account, [
    programs.initdb,
    `--pgdata=${join(draft, 'data')}`,
    `--username=${owner}`,
    `--pwfile=${draftPassword}`,
    '--auth=scram-sha-256',
    '--data-checksums',
    '--encoding=UTF8',
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ])
  onLaunch()
  const code = await initdb.exited
  // initdb has already synced every file.
  if (code === 0) await renameDurably(join(draft, 'data'), location.cluster)
  await removeDrafts(location.home)
  if (code === 0) return password
  throw new EmbeddedUnavailable(
    `The database could not be created in ${location.home}; initdb ended with code ${code} and said: ${initdb.lastLines()}`,
  )
}

/** An interrupted initdb may still be cleaning up, hence the retries. */
async function removeDrafts(home: string): Promise<void> {
  const drafts = (await readdir(home)).filter((name) => name.startsWith(draftPrefix))
  for (const draft of drafts)
    await rm(join(home, draft), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password')
}
