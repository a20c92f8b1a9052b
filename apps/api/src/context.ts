import type { Kysely, Transaction } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { atomically, type Database, type Db } from './db/database.ts'
import type { Schema } from './db/schema.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Clock } from './lib/clock.ts'
import { createPasswords, type Passwords } from './lib/passwords.ts'
import { type Resolve, resolveName } from './lib/resolve.ts'
import { createSeal, type Seal } from './lib/seal.ts'

export interface Context {
  readonly config: Config
  readonly db: Kysely<Schema>
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly seal: Seal
  readonly passwords: Passwords
  readonly jobs: Jobs
  readonly log: Logger
  readonly resolve: Resolve
  atomically<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T>
}

export interface ContextParts {
  config: Config
  database: Database
  clock: Clock
  secretKey: Buffer
  jobs: Jobs
  log: Logger
  passwords?: Passwords | undefined
}

export function createContext({
  config,
  database,
  clock,
  secretKey,
  jobs,
  log,
  passwords = createPasswords(),
}: ContextParts): Context {
  return {
    config,
    db: database.db,
    pool: database.pool,
    clock,
    seal: createSeal(secretKey),
    passwords,
    jobs,
    log,
    resolve: resolveName,
    atomically: (work) => atomically(database.db, work),
  }
}

export type { Db }
