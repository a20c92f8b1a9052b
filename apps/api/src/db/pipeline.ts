import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import type { Db } from './database.ts'
import { connectionOf } from './prepared.ts'

/** "begin" goes out with the first statement and is not waited for: should it fail, so does what comes after it. */
class EagerDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    if (Object.keys(settings).length > 0) return super.beginTransaction(connection, settings)
    ended.set(connection, false)
    connection.executeQuery(CompiledQuery.raw('begin')).catch(() => {})
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (!ended.get(connection)) await super.commitTransaction(connection)
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (!ended.get(connection)) await super.rollbackTransaction(connection)
  }
}

/** Whether the transaction that was begun on a connection has sent its own "commit". */
const ended = new WeakMap<Pick<DatabaseConnection, 'executeQuery'>, boolean>()

/**
 * The last statement of a transaction, with "commit" right behind it, so that its locks do not last until we have read the
 * answer. It must fail where the transaction is not to be kept: "commit" then undoes everything.
 */
export async function andCommit<Answer>(tx: Db, statement: Promise<Answer>): Promise<Answer> {
  const connection = connectionOf(tx)
  if (!connection || !ended.has(connection)) return statement
  ended.set(connection, true)
  const [answer] = await together(statement, connection.executeQuery(CompiledQuery.raw('commit')))
  return answer
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
