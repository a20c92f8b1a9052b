import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'

/** "begin" leaves with the first statement and is not waited for: should it fail, so does what comes after it. */
class EagerDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    if (settings.isolationLevel || settings.accessMode) await super.beginTransaction(connection, settings)
    else connection.executeQuery(CompiledQuery.raw('begin')).catch(() => {})
  }
}

export class EagerDialect extends PostgresDialect {
  constructor(private readonly config: PostgresDialectConfig) {
    super(config)
  }

  override createDriver(): PostgresDriver {
    return new EagerDriver(this.config)
  }
}

/** Statements that are asked for at the same time leave in one piece: each piece wakes two processes. */
export function sendTogether(client: pg.Client, query: pg.Client['query']): pg.Client['query'] {
  let isHeld = false
  return ((...parts: unknown[]) => {
    const { stream } = (client as unknown as { connection: { stream: NodeJS.WritableStream & Corked } })
      .connection
    if (!isHeld) {
      isHeld = true
      stream.cork()
      process.nextTick(() => {
        isHeld = false
        stream.uncork()
      })
    }
    return (query as (...parts: unknown[]) => unknown)(...parts)
  }) as pg.Client['query']
}

interface Corked {
  cork(): void
  uncork(): void
}

type Answers<Statements extends readonly Promise<unknown>[]> = {
  -readonly [Index in keyof Statements]: Awaited<Statements[Index]>
}

/**
 * Statements of one transaction that need nothing from each other, in the order in which they are to run. All have
 * ended before the first failure is thrown, so that none is left behind when the transaction is.
 */
export async function together<const Statements extends readonly Promise<unknown>[]>(
  ...statements: Statements
): Promise<Answers<Statements>> {
  const settled = await Promise.allSettled(statements)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  }) as Answers<Statements>
}
