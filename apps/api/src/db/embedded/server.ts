import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterLocation } from './cluster-location.ts'
import { askServer, type Connection, createDatabase } from './connect.ts'
import { readText } from './files.ts'
import { type Supervised, supervise, type Watching } from './supervisor.ts'
import { EmbeddedUnavailable } from './unavailable.ts'

const defaultSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  // Failed statements are not logged, because their text may contain secrets.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

export type Settings = Readonly<Record<string, string>>

const lockedExitCode = 75
const readyMs = 120_000
const pollMs = 10

/**
 * Runs PostgreSQL under a flock that the kernel releases when its last process ends. With this lock, a postmaster.pid
 * left by a power cut is stale even if its process id is in use again, unless someone started PostgreSQL on the
 * folder by hand. Without flock or /proc, PostgreSQL's own stricter checks remain.
 */
const lockAndRun = `
data=$1 sockets=$2 pid=none
shift 2
if command -v flock >/dev/null; then
  exec 9>>"$data/running.lock"
  flock -n 9 || exit ${lockedExitCode}
  [ ! -e "$data/postmaster.pid" ] || read -r pid <"$data/postmaster.pid"
  if [ -d /proc/self/cwd ] && [ ! "/proc/$pid/cwd" -ef "$data" ]; then
    rm -f "$data/postmaster.pid" "$sockets"/.s.PGSQL.*
  fi
fi
exec "$@"
`

export async function startServer(
  location: ClusterLocation,
  postgres: string,
  connection: Connection,
  { onProgress, onLaunch, settings = {} }: Watching & { settings?: Settings },
  timeoutMs = 15_000,
): Promise<Supervised> {
  const deadline = Date.now() + timeoutMs
  for (let attempt = 1; ; attempt++) {
    const server = supervise(location.account, command(location.cluster, postgres, connection, settings))
    onLaunch()
    try {
      if (await becomesReady(server, location.cluster, connection)) return server
    } catch (error) {
      await end(server)
      throw error
    }
    const isTaken =
      (await end(server)) === lockedExitCode || /lock file .* already exists/.test(server.lastLines())
    if (!isTaken || Date.now() > deadline) throw await startFailure(server, location.cluster, isTaken)
    if (attempt === 1) onProgress('Waiting for the former database server to shut down.')
    await sleep(100)
  }
}

function end(server: Supervised): Promise<number> {
  server.end()
  return server.exited
}

function command(
  cluster: string,
  postgres: string,
  { host, port }: Connection,
  settings: Settings,
): string[] {
  const all = {
    ...defaultSettings,
    ...settings,
    port: String(port),
    unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['/bin/sh', '-c', lockAndRun, 'sh', cluster, host, postgres, '-D', cluster, ...flags]
}

async function becomesReady(server: Supervised, cluster: string, connection: Connection): Promise<boolean> {
  const deadline = Date.now() + readyMs
  while (!server.hasExited() && Date.now() < deadline) {
    const answer = (await isServing(server, cluster)) ? await askServer(connection) : 'silent'
    if (answer === 'ready') return true
    if (answer === 'no database') await createDatabase(connection)
    else await Promise.race([sleep(pollMs), server.exited])
  }
  return false
}

/** Checks the pid file first, because the previous server may still answer on the socket. */
async function isServing(server: Supervised, cluster: string): Promise<boolean> {
  const lines = (await readText(join(cluster, 'postmaster.pid')))?.split('\n') ?? []
  return Number(lines[0]) === server.pid() && lines[7]?.trim() === 'ready'
}

async function startFailure(server: Supervised, cluster: string, isTaken: boolean): Promise<Error> {
  const pid = (await readText(join(cluster, 'postmaster.pid')))?.split('\n')[0]
  return new EmbeddedUnavailable(
    isTaken
      ? `Another PostgreSQL still runs on ${cluster} (process ${pid ?? 'unknown'}, perhaps in another container): stop it, or set KELID_DATA_DIR to another folder.`
      : `PostgreSQL did not start on ${cluster}: ${server.lastLines()}`,
  )
}
