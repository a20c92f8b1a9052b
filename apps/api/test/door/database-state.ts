import type { Product } from '../product.ts'

/** Refusals may count here: that is what throttling and the audit log are for. */
const written = ['attempts', 'audit', 'sms_codes']

const statements = new WeakMap<Product, Promise<string>>()

async function statementFor({ ctx }: Product): Promise<string> {
  const { rows } = await ctx.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE (schemaname = 'public' OR (schemaname, tablename) = ('pgboss', 'job')) AND tablename <> ALL ($1)`,
    [written],
  )
  return rows
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, count(*)::text || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS state FROM ${name} t`,
    )
    .join(' UNION ALL ')
}

/** Every row of every table, as a count and a sum of hashes: cheap, whatever their order, and blind to nothing. */
export async function databaseState(product: Product): Promise<Record<string, string>> {
  const statement = statements.get(product) ?? statementFor(product)
  statements.set(product, statement)
  const { rows } = await product.ctx.pool.query<{ name: string; state: string }>(await statement)
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}
