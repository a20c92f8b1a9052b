import type pg from 'pg'
import type { Config } from '../config.ts'
import { attachEmbedded, startEmbedded } from './embedded/embedded.ts'

export interface DatabaseConnection {
  readonly connection: pg.ClientConfig
  readonly owner: pg.ClientConfig | null
  readonly lost: Promise<string>
  stop(): Promise<void>
}

const forever = new Promise<never>(() => {})
const nothingToStop = { lost: forever, stop: async () => {} }

export async function connectDatabase(
  config: Config,
  onProgress: (line: string) => void,
  onLaunch?: () => void,
): Promise<DatabaseConnection> {
  const { DATABASE_URL, DATABASE_OWNER_URL } = config
  if (DATABASE_URL)
    return {
      connection: { connectionString: DATABASE_URL },
      owner: DATABASE_OWNER_URL ? { connectionString: DATABASE_OWNER_URL } : null,
      ...nothingToStop,
    }
  return startEmbedded({ dataDir: config.KELID_DATA_DIR, onProgress, ...(onLaunch && { onLaunch }) })
}

/** For the CLI: uses the running embedded server, or starts it for the duration of the command. */
export async function joinDatabase(
  config: Config,
  onProgress: (line: string) => void,
): Promise<DatabaseConnection> {
  const running = config.DATABASE_URL ? null : await attachEmbedded(config.KELID_DATA_DIR)
  return running ? { ...running, ...nothingToStop } : connectDatabase(config, onProgress)
}
