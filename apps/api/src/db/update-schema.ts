import pg from 'pg'
import { migrate } from './migrate.ts'

/**
 * Up to date by its owner, where that is another role than the one that the server works as and that has the client;
 * then the server's may use what there is.
 */
export async function updateSchema(
  client: pg.PoolClient,
  owner: pg.ClientConfig | null,
  onProgress: (line: string) => void,
): Promise<void> {
  if (!owner) return migrate(client, onProgress)
  const { rows } = await client.query<{ everyday: string }>('SELECT quote_ident(current_user) AS everyday')
  const asOwner = new pg.Client({ ...owner, application_name: 'kelid migrations' })
  asOwner.on('error', () => {})
  await asOwner.connect()
  try {
    await migrate(asOwner, onProgress)
    await asOwner.query(grants(rows[0]?.everyday ?? ''))
  } finally {
    await asOwner.end()
  }
}

/**
 * Rows, but neither tables nor triggers; and of what is append-only not even the rows that are there. The job queue makes
 * its tables itself, in a schema of its own, which an earlier release made under the owner's name.
 */
const grants = (role: string): string => `
  BEGIN;
  GRANT USAGE ON SCHEMA public TO ${role};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
  GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role};
  REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM ${role};
  DO $$
  DECLARE thing record;
  BEGIN
    EXECUTE format('GRANT CREATE ON DATABASE %I TO ${role}', current_database());
    FOR thing IN SELECT DISTINCT tgrelid::regclass AS name FROM pg_trigger WHERE tgfoid = 'forbid_change'::regproc LOOP
      EXECUTE format('REVOKE UPDATE, DELETE ON %s FROM ${role}', thing.name);
    END LOOP;
    FOR thing IN
      SELECT format('SCHEMA %I', nspname) AS name FROM pg_namespace
        WHERE nspname = 'pgboss' AND nspowner <> '${role}'::regrole
      UNION ALL SELECT format('TABLE %s', oid::regclass) FROM pg_class
        WHERE relnamespace = to_regnamespace('pgboss') AND relkind IN ('r', 'p') AND relowner <> '${role}'::regrole
      UNION ALL SELECT format('ROUTINE %s', oid::regprocedure) FROM pg_proc
        WHERE pronamespace = to_regnamespace('pgboss') AND proowner <> '${role}'::regrole
      UNION ALL SELECT format('TYPE %s', oid::regtype) FROM pg_type
        WHERE typnamespace = to_regnamespace('pgboss') AND typtype = 'e' AND typowner <> '${role}'::regrole
    LOOP
      EXECUTE format('ALTER %s OWNER TO ${role}', thing.name);
    END LOOP;
  END $$;
  COMMIT;`
