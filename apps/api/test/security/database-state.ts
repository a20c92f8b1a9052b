import type { Product } from '../product.ts'

/** Refusals may count here: that is what throttling and the audit log are for. */
const written = ['attempts', 'audit', 'audit_end', 'sms_codes']

const notebook = `
  CREATE SCHEMA watched;
  CREATE TABLE watched.changes (id bigserial PRIMARY KEY, what text NOT NULL);
  CREATE FUNCTION watched.note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO watched.changes (what) VALUES (TG_OP || ' ' || TG_TABLE_NAME);
      RETURN NULL;
    END $$;`

const watch = (table: string) => `
  CREATE TRIGGER watched AFTER INSERT OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION watched.note();
  CREATE TRIGGER watched_too AFTER UPDATE ON ${table} FOR EACH ROW WHEN (OLD.* *<> NEW.*) EXECUTE FUNCTION watched.note();`

const watched = new WeakMap<Product, Promise<unknown>>()

async function beginToWatch({ ctx }: Product): Promise<void> {
  const { rows } = await ctx.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE (schemaname = 'public' OR (schemaname, tablename) = ('pgboss', 'job')) AND tablename <> ALL ($1)`,
    [written],
  )
  await ctx.pool.query(notebook + rows.map(({ name }) => watch(name)).join(''))
}

/**
 * The last change to any row of any table that was kept, as a number and what it was. What is undone with its transaction
 * leaves no note, and however much there is, asking costs the same.
 */
export async function databaseState(product: Product): Promise<string> {
  const begun = watched.get(product) ?? beginToWatch(product)
  watched.set(product, begun)
  await begun
  const { rows } = await product.ctx.pool.query<{ id: number; what: string }>(
    'SELECT id, what FROM watched.changes ORDER BY id DESC LIMIT 1',
  )
  return rows[0] ? `${rows[0].id}: ${rows[0].what}` : 'nothing'
}
