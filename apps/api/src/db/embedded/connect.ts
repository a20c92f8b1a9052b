import { codeOf, EmbeddedUnavailable } from './unavailable.ts'

/** What node-postgres needs; `host` is the folder of the Unix socket. */
export interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

const noSuchDatabase = '3D000'
const wrongPassword = '28P01'
const maintenanceDatabase = 'postgres'

export type Answer = 'ready' | 'no database' | 'silent'

/** Connects once; everything but a clear answer counts as silence, since a server that begins or ends has many excuses. */
export async function askServer(connection: Connection): Promise<Answer> {
  try {
    await query(connection, 'SELECT 1')
    return 'ready'
  } catch (error) {
    if (codeOf(error) === noSuchDatabase) return 'no database'
    if (codeOf(error) !== wrongPassword) return 'silent'
    throw new EmbeddedUnavailable(
      'The password kept in KELID_DATA_DIR (postgres.password) is not that of the database beside it: bring back the file that belongs to it.',
    )
  }
}

export async function createDatabase(connection: Connection): Promise<void> {
  await query({ ...connection, database: maintenanceDatabase }, `CREATE DATABASE ${connection.database}`)
}

export async function query(connection: Connection, text: string): Promise<void> {
  // Not before it is needed: a first start spends the time until then on making the database.
  const { Client } = await import('../client.ts')
  const client = new Client({ ...connection, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}
