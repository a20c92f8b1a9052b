import { type RawBuilder, sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'

/** Where a customer is and whose network they use, as said at the purchase; '' is not said. */
export interface Target {
  readonly country: string
  readonly operator: string
}

export interface Block extends Target {
  readonly alsoUnstated: boolean
}

const anyone = { country: '', operator: '' } as const satisfies Target

export const isStated = ({ country, operator }: Target): boolean => country !== '' || operator !== ''

type Value = RawBuilder<unknown>

const concerns = (block: { [name in keyof Block]: Value }, target: { [name in keyof Target]: Value }) => {
  const parts = (['country', 'operator'] as const).map(
    (name) => sql`(${block[name]} = '' OR lower(${block[name]}) = lower(${target[name]})
      OR (${block.alsoUnstated} AND ${target[name]} = ''))`,
  )
  return sql<boolean>`(${sql.join(parts, sql` AND `)})`
}

const values = <Of extends object>(of: Of) =>
  Object.fromEntries(
    Object.entries(of).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? sql`${value}::boolean` : sql`${value}::text`,
    ]),
  ) as { [name in keyof Of]: Value }

const accountTarget = (account: string) => ({
  country: sql.ref(`${account}.target_country`),
  operator: sql.ref(`${account}.target_operator`),
})

export const hasBlock = (host: Value, target: { [name in keyof Target]: Value }) =>
  sql<boolean>`EXISTS (SELECT FROM host_blocks b WHERE b.host_uuid = ${host}
    AND ${concerns({ country: sql`b.country`, operator: sql`b.operator`, alsoUnstated: sql`b.also_unstated` }, target)})`

/** Whether the host is blocked for customers there. */
export const isBlockedFor = (host: Value, target: Target = anyone) => hasBlock(host, values(target))

/** The same for an account of the query. */
export const isBlockedForAccount = (host: Value, account: string) => hasBlock(host, accountTarget(account))

/** Whether a block would concern an account of the query. */
export const concernsAccount = ({ country, operator, alsoUnstated }: Block, account: string) =>
  concerns(values({ country, operator, alsoUnstated }), accountTarget(account))

export const blocksOf = (db: Db, hostUUID: string) =>
  db
    .selectFrom('host_blocks')
    .selectAll()
    .where('host_uuid', '=', hostUUID)
    .orderBy('country')
    .orderBy('operator')
    .execute()

/** Whether that changes anything. */
export async function putBlock(
  tx: Db,
  hostUUID: string,
  { country, operator, alsoUnstated }: Block,
  { by, since }: { by: string; since: Date },
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`INSERT INTO host_blocks AS known (host_uuid, country, operator, also_unstated, blocked_by, since)
      VALUES (${hostUUID}, ${country}, ${operator}, ${alsoUnstated}, ${by}, ${since})
      ON CONFLICT (host_uuid, lower(country), lower(operator)) DO UPDATE SET also_unstated = excluded.also_unstated
        WHERE known.also_unstated <> excluded.also_unstated`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

export const deleteBlock = (tx: Db, hostUUID: string, { country, operator }: Target) =>
  first(
    tx,
    sql<{ since: Date }>`DELETE FROM host_blocks WHERE host_uuid = ${hostUUID}
      AND (lower(country), lower(operator)) = (lower(${country}), lower(${operator})) RETURNING since`,
  )
