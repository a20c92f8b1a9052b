import type pg from 'pg'
import type { Config } from '../config.ts'
import { attachEmbedded, startEmbedded } from './embedded/embedded.ts'

export interface Connected {
  readonly connection: pg.ClientConfig
  /** Who may change the schema; null: the one role that the operator has given does everything. */
  readonly owner: pg.ClientConfig | null
  /** Resolves with the reason when an embedded server ended by itself. */
  readonly lost: Promise<string>
  stop(): Promise<void>
}

const forever = new Promise<never>(() => {})
const nothingToStop = { lost: forever, stop: async () => {} }

/** The server that DATABASE_URL names, or a private one in the data folder. */
export async function connectDatabase(
  config: Config,
  onProgress: (line: string) => void,
  onLaunch?: () => void,
): Promise<Connected> {
  const { DATABASE_URL, DATABASE_OWNER_URL } = config
  if (DATABASE_URL)
    return {
      connection: { connectionString: DATABASE_URL },
      owner: DATABASE_OWNER_URL ? { connectionString: DATABASE_OWNER_URL } : null,
      ...nothingToStop,
    }
  return startEmbedded({ dataDir: config.KELID_DATA_DIR, onProgress, ...(onLaunch && { onLaunch }) })
}

/** For the command line: the private server that runs already, or else one for the time of the command. */
export async function joinDatabase(config: Config, onProgress: (line: string) => void): Promise<Connected> {
  const running = config.DATABASE_URL ? null : await attachEmbedded(config.KELID_DATA_DIR)
  return running ? { ...running, ...nothingToStop } : connectDatabase(config, onProgress)
}
