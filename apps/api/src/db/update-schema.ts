import type pg from 'pg'
import { Client } from './client.ts'
import { migrate } from './migrate.ts'
import { refuseCreator, refusePlanted } from './owner-path.ts'

type Step = (client: pg.ClientBase) => Promise<void>

export interface Update {
  /** Who may change the schema; null: the role of the client does everything. */
  readonly owner: pg.ClientConfig | null
  /** Creates what the job queue needs. */
  readonly createQueues: Step
  readonly onProgress: (line: string) => void
}

/**
 * Brings the schema up to date as its owner. Where that is another role than the client's, the client's role is then
 * allowed to work with rows, and nothing else.
 */
export async function updateSchema(
  client: pg.ClientBase,
  { owner, createQueues, onProgress }: Update,
): Promise<void> {
  const update = async (asOwner: pg.ClientBase, everyday: string | null) => {
    await refusePlanted(asOwner, everyday)
    await migrate(asOwner, onProgress)
    await createQueues(asOwner)
  }
  if (!owner) return update(client, null)
  const { rows } = await client.query<{ name: string; quoted: string }>(
    'SELECT current_user AS name, quote_ident(current_user) AS quoted',
  )
  const { name = '', quoted = '' } = rows[0] ?? {}
  await client.query(dropOwnQueue)
  const asOwner = new Client({ ...owner, application_name: 'kelid migrations' })
  await asOwner.connect()
  try {
    await update(asOwner, name)
    await asOwner.query(grants(quoted))
    await refuseCreator(asOwner, name)
  } finally {
    await asOwner.end()
  }
}

/**
 * Earlier releases let the everyday role own the queue. It drops the queue itself, because the owner must not run functions
 * that this role could have changed; open work is sent again from our own tables.
 */
const dropOwnQueue = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'pgboss' AND nspowner = current_user::regrole) THEN
      DROP SCHEMA pgboss CASCADE;
    END IF;
  END $$`

/** Rows, but neither tables nor triggers; in append-only tables, existing rows cannot be changed. */
const grants = (role: string): string => `
  BEGIN;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${role};
  GRANT USAGE ON SCHEMA public, pgboss TO ${role};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, pgboss TO ${role};
  GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
  REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM ${role};
  DO $$
  DECLARE thing record;
  BEGIN
    EXECUTE format('REVOKE CREATE ON DATABASE %I FROM PUBLIC, ${role}', current_database());
    FOR thing IN SELECT DISTINCT tgrelid::regclass AS name FROM pg_trigger WHERE tgfoid = 'forbid_change'::regproc LOOP
      EXECUTE format('REVOKE UPDATE, DELETE ON %s FROM ${role}', thing.name);
    END LOOP;
  END $$;
  COMMIT;`
