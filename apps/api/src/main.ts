import type { Logger } from 'pino'
import { type Config, ConfigError, readConfig } from './config.ts'
import { connectDatabase, type DatabaseConnection } from './db/connect.ts'
import { EmbeddedUnavailable } from './db/embedded/unavailable.ts'
import { isConnectionFailure, whyNoDatabase } from './db/failures.ts'
import type { Running } from './start.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Errors that the operator can fix are one sentence; any other keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof EmbeddedUnavailable) return error.message
  return whyNoDatabase(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
}

function fail(error: unknown): never {
  process.stderr.write(`Kelid could not start. ${explain(error)}\n`)
  process.exit(1)
}

/** The job queue writes in the background; a database outage then must not end the process. */
function goOnWithoutDatabase(log: Logger): void {
  process.on('unhandledRejection', (reason) => {
    if (!isConnectionFailure(reason)) throw reason
    log.warn({ reason: (reason as Error).message }, 'the database was unreachable')
  })
}

/** Loading modules blocks this process, so it waits until the database's program has been started. */
async function start(config: Config): Promise<Running> {
  let connecting!: Promise<DatabaseConnection>
  await new Promise<void>((resolve) => {
    connecting = connectDatabase(config, say, resolve)
    connecting.then(
      () => resolve(),
      () => resolve(),
    )
  })
  const { createLog, startProduct } = await import('./start.ts')
  const log = createLog(config)
  goOnWithoutDatabase(log)
  return startProduct(config, { log, say }, connecting)
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  say('Kelid is starting …')
  const product = await start(config)

  let isStopping = false
  const stop = async (code: number) => {
    if (isStopping) return
    isStopping = true
    say('Kelid is stopping …')
    await product.stop()
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0))
  void product.lost.then((reason) => {
    process.stderr.write(`The database ended by itself: ${reason}\n`)
    void stop(1)
  })

  say(product.url ? `Kelid is ready at ${product.url}` : 'The Kelid worker is ready.')
}

main().catch(fail)
