import { codeOf, EmbeddedUnavailable } from './unavailable.ts'

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

/** Every error except a definite answer counts as silence, because a starting or stopping server fails in many ways. */
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
  // Loaded late: a first start spends this time on creating the database.
  const { Client } = await import('../client.ts')
  const client = new Client({ ...connection, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}
