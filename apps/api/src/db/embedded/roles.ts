import { createHmac } from 'node:crypto'
import { type Connection, query } from './connect.ts'

export const owner = 'kelid'
export const everyday = 'kelid_app'

/** Derived from the owner's password, so one file stores both. */
export const everydayPassword = (ownersPassword: string): string =>
  createHmac('sha256', ownersPassword).update(everyday).digest('base64url')

export interface Access {
  readonly connection: Connection
  readonly owner: Connection
}

export const accessTo = (host: string, port: number, password: string): Access => ({
  connection: { host, port, user: everyday, password: everydayPassword(password), database: owner },
  owner: { host, port, user: owner, password, database: owner },
})

/** Clusters of earlier releases had only the owner. */
export const ensureEveryday = (access: Access): Promise<void> =>
  query(
    access.owner,
    `SELECT pg_advisory_xact_lock(hashtext('${everyday}'));
     DO $$ BEGIN
       IF to_regrole('${everyday}') IS NULL THEN CREATE ROLE ${everyday}; END IF;
     END $$;
     ALTER ROLE ${everyday} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
       PASSWORD '${access.connection.password}'`,
  )
