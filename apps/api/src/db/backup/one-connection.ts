import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Schema } from '../schema.ts'

export function onConnection(client: pg.ClientBase): Kysely<Schema> {
  const connection = {
    query: client.query.bind(client) as never,
    release: () => {},
  }
  return new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: { connect: async () => connection, end: async () => {}, options: {} },
    }),
  })
}
