import type { TunnelType, VpnType } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { checkPosted, entriesWritten, type Posting, posting } from '../credit/credit.ts'
import { announcing } from '../events/events.ts'
import { placeOnServer } from '../servers/servers.ts'
import { settingsQuery } from '../settings/settings.ts'
import { placeOnTunnel } from '../tunnels/tunnels.ts'
import { type LockedUser, lockingQuery } from '../users/users.ts'
import { line, linesOf, recordOf } from './account-line.store.ts'
import { type AccountRecord, whole } from './accounts.store.ts'
import { claiming, type Key } from './idempotency.store.ts'

export interface Beginning extends LockedUser {
  is_claimed: boolean
  settings: string | null
}

const begin = prepared(
  (tx, key: Key) => sql<Beginning>`
    WITH claimed AS (${claiming(key)}), buyer AS ${lockingQuery(tx, key)}
    SELECT buyer.*, EXISTS (SELECT FROM claimed) AS is_claimed, ${settingsQuery(tx)} AS settings FROM buyer`,
)

/** Who pays, first in the lock order; whether the key is theirs to use now, and what holds for the purchase. */
export async function beginPurchase(tx: Db, key: Key): Promise<Beginning> {
  const [beginning] = (await begin(tx, key)).rows
  if (!beginning) throw new Error(`there is no user ${key.userId}`)
  return beginning
}

export interface Opening extends Posting {
  accountUUID: string
  accountName: string
  vpnType: VpnType
  tunnelType: TunnelType | ''
  countryId: number | null
  expires: Date
  secrets: Buffer
  subscription_hash: Buffer
  /** What is announced of it, as JSON. */
  events: string
}

/** From here on `servers`, `tunnels` and `accounts` are the rows that this statement has just written. */
const open = prepared(
  (tx, it: Opening) => sql<{ line: string; entries: number }>`
    WITH servers AS (${placeOnServer(tx, it)}),
    tunnels AS (${placeOnTunnel(tx, it.tunnelType)}),
    accounts AS (
      INSERT INTO accounts (uuid, user_id, name, vpn_type, tunnel_type, server_uuid, tunnel_uuid, expires_at, enabled,
        secrets, subscription_hash, created_at)
      SELECT ${it.accountUUID}, ${it.userId}, ${it.accountName}, ${it.vpnType}, ${it.tunnelType}, servers.uuid,
        tunnels.uuid, ${it.expires}, true, ${it.secrets}, ${it.subscription_hash}, ${it.at}
      FROM servers LEFT JOIN tunnels ON true WHERE ${it.tunnelType} = '' OR tunnels.uuid IS NOT NULL
      RETURNING *
    ),
    ${posting(it)},
    announced AS (${announcing(it)})
    ${linesOf(tx, whole(tx)).select([line.as('line'), entriesWritten.as('entries')])}`,
)

/**
 * Takes the places, opens the account and takes what it costs, in one statement. Undefined when there was no place: then
 * the rest was written all the same, and the transaction must not be committed.
 */
export async function openAccount(tx: Db, opening: Opening): Promise<AccountRecord | undefined> {
  const [row] = (await open(tx, opening)).rows
  if (!row) return undefined
  checkPosted(opening, row.entries)
  return recordOf(row.line)
}
