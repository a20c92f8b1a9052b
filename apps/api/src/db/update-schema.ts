import type pg from 'pg'
import { Client } from './client.ts'
import { migrate } from './migrate.ts'
import { refuseCreator, refusePlanted } from './owner-path.ts'

type Step = (client: pg.ClientBase) => Promise<void>

export interface Update {
  readonly owner: pg.ClientConfig | null
  readonly createQueues: Step
  readonly onProgress: (line: string) => void
}

/** Migrates as the owner, then grants the client's role access to rows only. */
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
 * Earlier releases let the everyday role own the queue. That role drops it itself, because the owner must not run
 * functions that the role could have changed; open jobs are queued again from our tables.
 */
const dropOwnQueue = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'pgboss' AND nspowner = current_user::regrole) THEN
      DROP SCHEMA pgboss CASCADE;
    END IF;
  END $$`

/** Access to rows, not to tables or triggers; rows of append-only tables cannot be changed. */
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
