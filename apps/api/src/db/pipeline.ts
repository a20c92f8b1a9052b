import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import type { Tx } from './database.ts'
import { endingOf } from './prepared.ts'

/** The connections whose transaction has sent its own "commit". */
const committed = new WeakSet<object>()

/** "begin" leaves with the first statement and is not waited for: should it fail, so does what comes after it. */
class EagerDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    committed.delete(connection)
    if (settings.isolationLevel || settings.accessMode) await super.beginTransaction(connection, settings)
    else connection.executeQuery(CompiledQuery.raw('begin')).catch(() => {})
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (!committed.has(connection)) await super.commitTransaction(connection)
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (!committed.has(connection)) await super.rollbackTransaction(connection)
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

/**
 * The last statement of a transaction with "commit" right behind it, so that its locks do not last until we have read the
 * answer. It must fail by itself where the transaction is not to be kept: "commit" then undoes everything.
 * It has to be a prepared one: those leave at once, so that "commit" cannot overtake it. Inside somebody else's
 * transaction it is a statement like any other.
 */
export async function andCommit<Answer>(tx: Tx, last: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const answer = last(tx)
  const connection = endingOf(tx)
  if (!connection) return answer
  committed.add(connection)
  return (await together(answer, connection.executeQuery(CompiledQuery.raw('commit'))))[0]
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
