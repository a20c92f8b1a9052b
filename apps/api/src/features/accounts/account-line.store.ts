import { type QueryCreator, sql } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { AccountRecord, whole } from './accounts.store.ts'

/** What an account's line is made of, in this order; when it expires comes first, so that it can be read alone. */
const fields = [
  'uuid',
  'user_id',
  'name',
  'vpn_type',
  'tunnel_type',
  'enabled',
  'abused',
  'abuse_devices',
  'abuse_seen_at',
  'created_at',
  'country_id',
  'server_ipv4',
  'server_url',
  'server_port',
  'server_sni',
  'tunnel_ipv4',
  'tunnel_port',
  'applied',
] as const satisfies readonly (keyof AccountRecord)[]

/**
 * An account as one line of JSON. The driver takes rows apart field by field, which for a page of accounts cost more than
 * everything else in the call together; and a line that was seen before need not be read again.
 */
export const line = sql<string>`json_build_array((extract(epoch FROM account.expires_at) * 1000)::bigint,
  encode(account.secrets, 'base64'), ${sql.join(fields.map((field) => sql.ref(`account.${field}`)))})::text`

/** `accounts` as lines: the table, or what the statement around it has just written under that name. */
export const linesOf = (db: QueryCreator<Schema>, accounts: ReturnType<typeof whole>) =>
  db.selectFrom(accounts.as('account'))

export const expiryOf = (text: string): number => Number(text.slice(1, text.indexOf(',')))

const dates = ['created_at', 'abuse_seen_at'] as const

export function recordOf(text: string): AccountRecord {
  const [expires, secrets, ...values] = JSON.parse(text)
  const record: Record<string, unknown> = {
    expires_at: new Date(expires),
    secrets: Buffer.from(secrets, 'base64'),
  }
  for (const [place, field] of fields.entries()) record[field] = values[place]
  for (const field of dates) record[field] &&= new Date(record[field] as string)
  return record as unknown as AccountRecord
}
