import { pino } from 'pino'
import type { Config } from '../config.ts'
import { joinDatabase } from '../db/connect.ts'
import { openDatabase } from '../db/database.ts'
import { hearFromHosts } from './demo.store.ts'
import { silentHosts } from './fill.ts'

const every = 20_000

/** Simulates heartbeats, because the demo has no nodes. */
export function pretendNodes(config: Config): void {
  setInterval(() => void sendHeartbeats(config).catch(() => {}), every).unref()
}

async function sendHeartbeats(config: Config): Promise<void> {
  const { connection } = await joinDatabase(config, () => {})
  const { db, close } = openDatabase({ ...connection, max: 1 }, pino({ level: 'silent' }))
  try {
    await hearFromHosts(db, silentHosts, new Date())
  } finally {
    await close()
  }
}
