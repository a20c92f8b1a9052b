import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import { type App, createApp } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { type Context, createContext } from './context.ts'
import type { DatabaseConnection } from './db/connect.ts'
import { type Database, openDatabase } from './db/database.ts'
import { codeOf } from './db/failures.ts'
import { withMigrationLock } from './db/migrate.ts'
import { updateSchema } from './db/update-schema.ts'
import { anchorAudit } from './features/audit/audit.ts'
import { checkKey, createFirstAdmin, type FirstAdmin } from './features/auth/first-start.ts'
import { createAuthority } from './features/authority/authority.ts'
import { type Hub, openHub } from './features/events/hub.ts'
import { createEpoch } from './features/nodes/nodes.ts'
import { publicSshKey } from './features/provisioning/provisioning.ts'
import { serveMetrics } from './http/metrics.ts'
import { createNodeServer } from './http/node-server.ts'
import { hasWebClient } from './http/web-client.ts'
import { createQueues } from './jobs/create-queues.ts'
import { startJobs } from './jobs/jobs.ts'
import { startWorker } from './jobs/worker.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { logDestination, loggerOptions } from './lib/logger.ts'
import type { Passwords } from './lib/passwords.ts'
import { loadSecretKey } from './lib/secret-key.ts'

export interface Surroundings {
  readonly log: Logger
  readonly say: (line: string) => void
  readonly clock?: Clock
  readonly passwords?: Passwords
  readonly owner?: DatabaseConnection['owner']
}

export const createLog = ({ KELID_LOG_LEVEL }: Config): Logger =>
  pino(loggerOptions(KELID_LOG_LEVEL), logDestination())

export async function prepare(
  config: Config,
  database: Database,
  { log, say, clock = systemClock, passwords, owner = null }: Surroundings,
): Promise<Context> {
  const secretKey = await loadSecretKey(config.KELID_DATA_DIR, config.KELID_SECRET_KEY)
  return withMigrationLock(database.pool, async (client) => {
    await updateSchema(client, { owner, createQueues, onProgress: say })
    const jobs = await startJobs(database.pool, config.KELID_ROLE !== 'api', (error) =>
      log.warn({ reason: error.message }, 'the job queue failed'),
    )
    const ctx = createContext({ config, database, clock, secretKey, jobs, log, passwords })
    await checkKey(ctx)
    await createAuthority(ctx)
    await createEpoch(ctx.db)
    await ctx.atomically((tx) => anchorAudit(ctx, tx))
    await publicSshKey(ctx)
    await createFirstAdmin(ctx, (admin) => printFirstAdmin(admin, say))
    return ctx
  })
}

function printFirstAdmin({ email, password }: FirstAdmin, say: Surroundings['say']): void {
  say('')
  say('  The first administrator:')
  say(`    e-mail    ${email}`)
  say(`    password  ${password ?? '(the one in KELID_ADMIN_PASSWORD)'}`)
  if (password) say('  It is shown only once. Sign in and change it.')
  say('')
}

export interface Running {
  readonly url: string
  readonly lost: Promise<string>
  stop(): Promise<void>
}

export async function startProduct(
  config: Config,
  surroundings: Surroundings,
  connecting: Promise<DatabaseConnection>,
): Promise<Running> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse())
      await step().catch((error: Error) =>
        surroundings.log.warn({ reason: error.message }, 'a component did not stop cleanly'),
      )
  }
  try {
    const databaseConnection = await connecting
    undo.push(() => databaseConnection.stop())
    const database = openDatabase(
      { ...databaseConnection.connection, max: config.KELID_DATABASE_CONNECTIONS },
      surroundings.log,
    )
    undo.push(() => database.close())
    const ctx = await prepare(config, database, { ...surroundings, owner: databaseConnection.owner })
    undo.push(() => ctx.jobs.stop(finishJobsWithin))
    const stopping = new AbortController()
    undo.push(async () => stopping.abort())
    const [url] = await Promise.all([
      config.KELID_ROLE === 'worker' ? '' : listen(ctx, databaseConnection, undo),
      config.KELID_ROLE === 'api' ? null : startWorker(ctx, stopping.signal),
    ])
    database.hasStarted()
    return { url, lost: databaseConnection.lost, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const finishJobsWithin = 5_000

/**
 * After a stop signal the server keeps serving for a moment and closes each connection after its answer, so that no
 * client sends a request on an old connection when the listener closes.
 */
const lameDuck = 1_000

/** An explicitly named folder must contain a client; otherwise the package's own is served, if it is built. */
function refuseWithoutClient({ KELID_WEB_DIR: dir }: Config): void {
  if (dir && !hasWebClient(dir))
    throw new ConfigError(
      `KELID_WEB_DIR must be the folder of a built web client, with index.html in it; it is "${dir}".`,
    )
}

type HostName = 'HOST' | 'KELID_METRICS_HOST' | 'KELID_AGENT_HOST'
type PortName = 'PORT' | 'KELID_METRICS_PORT' | 'KELID_AGENT_PORT'

const explainListenFailure =
  (config: Config, host: HostName, port: PortName) =>
  (error: Error): never => {
    const noSuchAddress = `${host} must be an address of this machine; it is "${config[host]}".`
    const reasons: Record<string, string> = {
      EADDRINUSE: `${port} ${config[port]} is taken by another program; set it to a free one.`,
      EACCES: `${port} ${config[port]} is not for this user; set it to one from 1024 on.`,
      EADDRNOTAVAIL: noSuchAddress,
      EINVAL: noSuchAddress,
      ENOTFOUND: noSuchAddress,
      EAI_AGAIN: noSuchAddress,
    }
    const reason = reasons[codeOf(error)]
    throw reason ? new ConfigError(reason, { cause: error }) : error
  }

async function listen(
  ctx: Context,
  { connection }: DatabaseConnection,
  undo: (() => Promise<unknown>)[],
): Promise<string> {
  const { config } = ctx
  const listening = { ...connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  const hub: Hub = await openHub(ctx, { ...listening, application_name: 'kelid events' })
  undo.push(() => hub.close())
  refuseWithoutClient(config)
  const readiness = { isStopping: false }
  const { server, connections, metrics }: App = await createApp(ctx, hub, readiness)
  if (config.KELID_METRICS_PORT !== 0) {
    const metricsServer = await serveMetrics(
      metrics,
      config.KELID_METRICS_HOST,
      config.KELID_METRICS_PORT,
    ).catch(explainListenFailure(config, 'KELID_METRICS_HOST', 'KELID_METRICS_PORT'))
    undo.push(async () => metricsServer.close())
  }
  if (config.KELID_AGENT_PORT !== 0) {
    const nodeServer = await createNodeServer(ctx, listening, readiness, metrics)
    undo.push(() => nodeServer.close())
    await nodeServer
      .listen({ host: config.KELID_AGENT_HOST, port: config.KELID_AGENT_PORT })
      .catch(explainListenFailure(config, 'KELID_AGENT_HOST', 'KELID_AGENT_PORT'))
  }
  await server
    .listen({ host: config.HOST, port: config.PORT })
    .catch(explainListenFailure(config, 'HOST', 'PORT'))
  undo.push(async () => {
    readiness.isStopping = true
    await connections.drain(lameDuck)
    await server.close()
  })
  const { port } = server.server.address() as AddressInfo
  return `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`
}
