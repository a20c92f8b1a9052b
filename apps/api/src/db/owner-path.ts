import type pg from 'pg'
import { ConfigError } from '../config.ts'
import { searchPath } from './client.ts'

/**
 * Refuses a database in which another role has left objects that the owner's statements could run, or whose tables
 * are in another schema. It runs before the owner's first other statement.
 */
export async function refusePlanted(owner: pg.ClientBase, everyday: string | null): Promise<void> {
  const { rows: paths } = await owner.query<{ search_path: string }>('SHOW search_path')
  if (paths[0]?.search_path !== searchPath)
    throw new ConfigError(
      'The database connection ignores the search path that Kelid asks for: connect to PostgreSQL itself, without a pooler in between.',
    )
  await owner.query('BEGIN')
  try {
    // Planted functions and operators must not affect the queries below.
    await owner.query('SET LOCAL search_path = pg_catalog, pg_temp')
    await refuseOtherSchema(owner)
    await refuseNamesake(owner)
    if (everyday !== null) {
      await refuseMembership(owner, everyday)
      await refuseOwnedBy(owner, everyday)
    }
  } finally {
    await owner.query('ROLLBACK')
  }
}

/** Earlier releases created tables in the first schema of the search path. */
async function refuseOtherSchema(owner: pg.ClientBase): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT quote_ident(nspname) AS name FROM pg_namespace n
     WHERE to_regclass('public.schema_migrations') IS NULL AND (SELECT count(*) FROM pg_class
       WHERE relnamespace = n.oid AND relkind = 'r' AND relname IN ('schema_migrations', 'ledger_entries')) = 2
     ORDER BY 1 LIMIT 1`,
  )
  const name = rows[0]?.name
  if (name)
    throw new ConfigError(
      `Kelid's tables are in the schema ${name}, and this release looks for them in public alone. Back the database up, then make that schema public, as a superuser: ALTER SCHEMA public RENAME TO public_before; ALTER SCHEMA ${name} RENAME TO public; ALTER EXTENSION pg_trgm SET SCHEMA public;`,
    )
}

async function refuseNamesake(owner: pg.ClientBase): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    'SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname = current_user',
  )
  const name = rows[0]?.name
  if (name)
    throw new ConfigError(
      `The schema ${name} has the name of the role that owns the tables, so that PostgreSQL would search it before Kelid's schema, public. Find out who created it, then drop or rename it.`,
    )
}

async function refuseMembership(owner: pg.ClientBase, everyday: string): Promise<void> {
  const { rows } = await owner.query(`SELECT WHERE pg_has_role($1::name, current_user, 'MEMBER')`, [everyday])
  if (rows.length > 0)
    throw new ConfigError(
      `DATABASE_URL must name a role that cannot act as the owner: "${everyday}" is a superuser or a member of the role in DATABASE_OWNER_URL.`,
    )
}

async function refuseOwnedBy(owner: pg.ClientBase, everyday: string): Promise<void> {
  const { rows } = await owner.query<{ object: string }>(
    `SELECT pg_describe_object(classid, objid, 0) AS object FROM pg_shdepend
     WHERE deptype = 'o' AND refclassid = 'pg_authid'::regclass
       AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND pg_has_role($1::name, refobjid, 'MEMBER')
       AND NOT starts_with(coalesce((pg_identify_object(classid, objid, 0)).schema, ''), 'pg_temp')
     ORDER BY 1 LIMIT 1`,
    [everyday],
  )
  const object = rows[0]?.object
  if (object)
    throw new ConfigError(
      `In the database, ${object} belongs to "${everyday}", which must own nothing: the owner's statements could run it. Find out who created it, then drop it.`,
    )
}

export async function refuseCreator(owner: pg.ClientBase, everyday: string): Promise<void> {
  const { rows } = await owner.query(
    `SELECT WHERE pg_catalog.has_database_privilege($1::name, pg_catalog.current_database(), 'CREATE')
       OR pg_catalog.has_schema_privilege($1::name, 'public', 'CREATE')`,
    [everyday],
  )
  if (rows.length > 0)
    throw new ConfigError(
      `"${everyday}", the role in DATABASE_URL, may create objects in the database, and the owner could not revoke it: let the role in DATABASE_OWNER_URL own the database and its schema public.`,
    )
}
