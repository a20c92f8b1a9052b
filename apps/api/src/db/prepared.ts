import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Db, Tx } from './database.ts'

/** Stands in a statement for a value that each run brings along. */
class Slot {
  constructor(readonly name: string) {}
}

const known = new Map<string | symbol, Slot>()
const slotOf = (name: string | symbol) => known.get(name) ?? known.set(name, new Slot(String(name))).get(name)
const slots = new Proxy({}, { get: (_, name) => slotOf(name) })
const names = new Map<string, string>()

/** A `*` may come to mean other columns while we run, which PostgreSQL does not allow of a prepared statement. */
const hasFixedColumns = (text: string) => !/^\s*select (?:\S+\.)?\*|returning \*\s*$/i.test(text)

/** The name under which connections keep a statement, if they are to keep it. */
export const nameOf = (text: string): string | undefined => names.get(text)

const connections = new WeakMap<Db, Pick<DatabaseConnection, 'executeQuery'>>()
const ended = { executeQuery: () => Promise.reject(new Error('the transaction has ended')) }

/** The connection of a transaction that is ours to end; it takes no prepared statement from here on. */
export function endingOf(tx: Tx) {
  const connection = connections.get(tx)
  if (connection) connections.set(tx, ended)
  return connection
}

/** The prepared statements of a transaction go to its connection as they come, and do not wait for one another. */
export async function directly<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  await tx.getExecutor().provideConnection(async (connection) => void connections.set(tx, connection))
  try {
    return await work(tx)
  } finally {
    connections.set(tx, ended)
  }
}

/** A value that a statement uses in several places is sent once. */
function withoutRepetition<Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> {
  const { parameters } = statement
  const first = (part: unknown, place: number) => (part instanceof Slot ? parameters.indexOf(part) : place)
  const kept = parameters.map(first).filter((from, place) => from === place)
  const sql = statement.sql.replace(/\$(\d+)/g, (_, number) => {
    const place = Number(number) - 1
    return `$${kept.indexOf(first(parameters[place], place)) + 1}`
  })
  return { ...statement, sql, parameters: kept.map((place) => parameters[place]) }
}

type Statement<Row> = { compile(db: Db): CompiledQuery<Row> }

/**
 * For the statements of the busiest calls: composed once, whatever the values, and planned once by each connection.
 * Composing a statement costs this process as much as running it. `build` must not look at the values.
 */
export function prepared<Args extends object, Row>(
  build: (db: Db, args: Args) => Statement<Row>,
): (db: Db, args: Args) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined
  const compile = (db: Db) => {
    const statement = withoutRepetition(build(db, slots as Args).compile(db))
    if (hasFixedColumns(statement.sql) && !names.has(statement.sql))
      names.set(statement.sql, `kelid-${names.size}`)
    return statement
  }
  return (db, args) => {
    compiled ??= compile(db)
    const filled = (part: unknown) => (part instanceof Slot ? args[part.name as keyof Args] : part)
    const statement = { ...compiled, parameters: compiled.parameters.map(filled) }
    return (connections.get(db) ?? db).executeQuery(statement)
  }
}
