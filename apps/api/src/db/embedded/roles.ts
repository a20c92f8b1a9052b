import { createHmac } from 'node:crypto'
import { type Connection, query } from './connect.ts'

/** Made with the cluster, and the name of its database: it owns the tables and changes the schema. */
export const owner = 'kelid'
/** What the server works as: it reads and writes rows, and can switch nothing off. */
export const everyday = 'kelid_app'

/** Follows from the owner's, but not the other way round: one file keeps both. */
export const everydayPassword = (ownersPassword: string): string =>
  createHmac('sha256', ownersPassword).update(everyday).digest('base64url')

export interface Access {
  readonly connection: Connection
  /** Who may change the schema. */
  readonly owner: Connection
}

export const accessTo = (host: string, port: number, password: string): Access => ({
  connection: { host, port, user: everyday, password: everydayPassword(password), database: owner },
  owner: { host, port, user: owner, password, database: owner },
})

/** Also in a cluster of an earlier release, which had only its owner. */
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
