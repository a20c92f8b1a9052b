import pg from 'pg'
import type { Config } from '../config.ts'
import { onConnection } from '../db/backup/one-connection.ts'
import { attachEmbedded } from '../db/embedded/embedded.ts'
import { hearFromHosts } from './demo.store.ts'
import { silentHosts } from './fill.ts'

const every = 20_000

/** The demo has no nodes, so while it runs somebody must say that they are there. */
export function pretendNodes(config: Config): void {
  setInterval(() => void speak(config).catch(() => {}), every).unref()
}

async function speak(config: Config): Promise<void> {
  const connection = config.DATABASE_URL
    ? { connectionString: config.DATABASE_URL }
    : await attachEmbedded(config.KELID_DATA_DIR)
  if (!connection) return
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await hearFromHosts(onConnection(client), silentHosts, new Date())
  } finally {
    await client.end()
  }
}
