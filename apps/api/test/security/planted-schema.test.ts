import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createQueues } from '../../src/jobs/create-queues.ts'
import { createSplitDatabase, query } from '../database.ts'
import { openProduct } from '../product.ts'

let database: Awaited<ReturnType<typeof createSplitDatabase>>
let owner: pg.ClientConfig
let everyday: string
let ownerName: string
beforeEach(async () => {
  database = await createSplitDatabase()
  owner = database.owner ?? {}
  await start()
  everyday = await nameOf(database.connection)
  ownerName = await nameOf(owner)
})
afterEach(() => database.close())

const start = async () => (await openProduct({ database })).close()
const nameOf = async (connection: pg.ClientConfig): Promise<string> =>
  (await query(connection, 'SELECT quote_ident(current_user) AS name')).rows[0].name
const isSuperuser = async (): Promise<boolean> =>
  (await query(owner, 'SELECT rolsuper FROM pg_roles WHERE rolname = $1', [everyday])).rows[0].rolsuper

/** A view that makes its reader hand out superuser rights, under the name of the table that a start reads first. */
const trap = (schema: string) => `
  CREATE FUNCTION ${schema}.promote() RETURNS SETOF int LANGUAGE plpgsql AS $$
  BEGIN
    IF current_user <> '${everyday}' THEN ALTER ROLE ${everyday} SUPERUSER; END IF;
    RETURN QUERY SELECT generate_series(1, 9);
  END $$;
  CREATE VIEW ${schema}.schema_migrations AS SELECT promote AS version FROM ${schema}.promote()`

/** Makes something the everyday role's, as a release that let it create schemas may have left it. */
const plant = (schema: string, statement: string) =>
  query(
    owner,
    `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${everyday}; SET ROLE ${everyday}; ${statement}; RESET ROLE;
     REVOKE CREATE ON SCHEMA ${schema} FROM ${everyday}`,
  )

test('the everyday role cannot plant a schema that the owner would search', async () => {
  const planted = await query(database.connection, `CREATE SCHEMA ${ownerName}; ${trap(ownerName)}`).catch(
    (error: Error) => error.message,
  )
  await start().catch(() => {})
  expect(await isSuperuser()).toBe(false)
  expect(planted).toMatch(/permission denied for database/)
})

test("a start is refused while a schema has the owner's name, and nothing in it runs", async () => {
  await query(owner, `CREATE SCHEMA ${ownerName} AUTHORIZATION ${everyday}`)
  await plant(ownerName, trap(ownerName))
  await expect(start()).rejects.toThrow(new RegExp(`The schema ${ownerName} has the name of the role`))
  expect(await isSuperuser()).toBe(false)
  await query(owner, `DROP SCHEMA ${ownerName} CASCADE`)
  await start()
})

test.each([
  [
    'a function',
    'CREATE FUNCTION public.now() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'function public.now()',
  ],
  [
    'an operator',
    `CREATE FUNCTION public.same(text, name) RETURNS bool LANGUAGE sql AS $$ SELECT true $$;
     CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = name, FUNCTION = public.same)`,
    'function public.same(text,name)',
  ],
  ['a table', 'CREATE TABLE public.planted (id int)', 'table public.planted'],
])('a start is refused while %s in public is the everyday role’s', async (_, statement, name) => {
  await plant('public', statement)
  await expect(start()).rejects.toThrow(`${name} belongs to`)
})

test('a start is refused while the everyday role may act as the owner', async () => {
  await query(owner, `CREATE ROLE ${everyday}_boss; GRANT ${everyday}_boss TO ${everyday}`)
  await query(owner, `CREATE TABLE planted (id int); ALTER TABLE planted OWNER TO ${everyday}_boss`)
  await expect(start()).rejects.toThrow('table public.planted belongs to')
  await query(owner, `DROP TABLE planted; DROP ROLE ${everyday}_boss`)
  await query(owner, `GRANT ${ownerName} TO ${everyday}`)
  await expect(start()).rejects.toThrow(/DATABASE_URL must name a role that cannot act as the owner/)
})

test('a queue that the everyday role owns is replaced, and none of its functions run as the owner', async () => {
  const { rows: names } = await query(owner, 'SELECT current_database() AS name')
  await query(owner, `DROP SCHEMA pgboss CASCADE; GRANT CREATE ON DATABASE ${names[0].name} TO ${everyday}`)
  const client = new pg.Client(database.connection)
  await client.connect()
  await createQueues(client)
  await client.query(`CREATE OR REPLACE FUNCTION pgboss.create_queue(queue_name text, options json)
    RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER ROLE ${everyday} SUPERUSER; END $$`)
  await client.end()
  await start()
  const { rows } = await query(
    owner,
    `SELECT array_agg(DISTINCT tableowner::text) AS owners FROM pg_tables WHERE schemaname = 'pgboss'`,
  )
  expect(rows).toEqual([{ owners: [ownerName] }])
  expect(await isSuperuser()).toBe(false)
})

test('rows that the everyday role writes into the queue never run as the owner, nor stop a start', async () => {
  const command = `ALTER ROLE ${everyday} SUPERUSER`
  await query(
    database.connection,
    `INSERT INTO pgboss.bam (name, version, table_name, command) VALUES ('x', 43, 'job', '${command}');
     UPDATE pgboss.queue SET partition = true, table_name = 'job; ${command}' WHERE name = 'sms';
     UPDATE pgboss.version SET bam_on = NULL`,
  )
  await start()
  for (const version of [25, 1_000]) {
    await query(database.connection, `UPDATE pgboss.version SET version = ${version}`)
    await start()
  }
  expect(await isSuperuser()).toBe(false)
})

test('an owner that is no superuser takes the queue over as well', async () => {
  const { rows } = await query(owner, 'SELECT current_database() AS name')
  const plain = `${everyday}_owner`
  await query(owner, `CREATE ROLE ${plain} LOGIN PASSWORD 'x'; DROP EXTENSION pg_trgm CASCADE`)
  await query(owner, 'DROP SCHEMA public CASCADE; DROP SCHEMA pgboss CASCADE')
  await query(
    owner,
    `ALTER DATABASE ${rows[0].name} OWNER TO ${plain}; CREATE SCHEMA public AUTHORIZATION ${plain}`,
  )
  await query(owner, `CREATE SCHEMA pgboss AUTHORIZATION ${everyday}`)
  const url = new URL(database.ownerUrl)
  url.username = plain
  url.password = 'x'
  const product = await openProduct({ database: { ...database, owner: { connectionString: url.href } } })
  const { rows: schemas } = await query(
    owner,
    `SELECT nspowner::regrole::text AS owner FROM pg_namespace WHERE nspname = 'pgboss'`,
  )
  expect(schemas).toEqual([{ owner: plain }])
  await product.close()
  await query(owner, `REASSIGN OWNED BY ${plain} TO ${ownerName}; DROP OWNED BY ${plain}; DROP ROLE ${plain}`)
})

test('the search path of a role or of an address is ignored', async () => {
  await query(owner, `CREATE SCHEMA elsewhere; ALTER ROLE ${everyday} SET search_path = elsewhere`)
  const url = new URL(database.url)
  url.searchParams.set('options', '-c search_path=elsewhere -c work_mem=5MB')
  const product = await openProduct({ database: { ...database, connection: { connectionString: url.href } } })
  const rows = await product.sql(
    `SELECT current_setting('search_path') AS path, current_setting('work_mem') AS memory`,
  )
  expect(rows).toEqual([{ path: 'public,pg_temp', memory: '5MB' }])
  await product.close()
})

test.each([
  ['another schema', async () => 'elsewhere'],
  ['a schema with the name of the owner', async () => ownerName],
])(
  'a start is refused while earlier tables are in %s, and following its advice restores them',
  async (_, nameSchema) => {
    const schema = await nameSchema()
    const { rows: before } = await query(owner, 'SELECT uuid FROM epoch')
    expect(before).toHaveLength(1)
    await query(owner, `ALTER SCHEMA public RENAME TO ${schema}; CREATE SCHEMA public`)
    await query(owner, 'ALTER EXTENSION pg_trgm SET SCHEMA public')
    const refusal = await start().catch((error: Error) => error.message)
    expect(refusal).toContain(`Kelid's tables are in the schema ${schema}`)
    expect(refusal).not.toContain('drop')
    expect((await query(owner, `SELECT to_regclass('public.users') AS users`)).rows).toEqual([
      { users: null },
    ])
    await query(owner, /ALTER SCHEMA .*;/.exec(refusal ?? '')?.[0] ?? '')
    await start()
    expect((await query(owner, 'SELECT uuid FROM epoch')).rows).toEqual(before)
  },
)

test("tables of another program's migrations do not prevent a first start", async () => {
  const empty = await createSplitDatabase()
  await query(empty.owner ?? {}, 'CREATE SCHEMA other; CREATE TABLE other.schema_migrations (version bigint)')
  await (await openProduct({ database: empty })).close()
  await empty.close()
})
