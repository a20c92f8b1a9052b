import type { TunnelType, VpnType } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isCheckViolation, isNotNullViolation } from '../../db/failures.ts'
import { andCommit } from '../../db/pipeline.ts'
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
  (tx, key: Key) => sql<{ beginning: Beginning }>`
    WITH claimed AS (${claiming(key)}), buyer AS ${lockingQuery(tx, key)},
    beginning AS (
      SELECT buyer.*, EXISTS (SELECT FROM claimed) AS is_claimed, ${settingsQuery(tx)} AS settings FROM buyer
    )
    SELECT row_to_json(beginning) AS beginning FROM beginning`,
)

/** Who pays, first in the lock order; whether the key is theirs to use now, and what holds for the purchase. */
export async function beginPurchase(tx: Db, key: Key): Promise<Beginning> {
  const [row] = (await begin(tx, key)).rows
  if (!row) throw new Error(`there is no user ${key.userId}`)
  return row.beginning
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
      VALUES (${it.accountUUID}, ${it.userId}, ${it.accountName}, ${it.vpnType}, ${it.tunnelType},
        (SELECT uuid FROM servers), (SELECT uuid FROM tunnels), ${it.expires}, true, ${it.secrets},
        ${it.subscription_hash}, ${it.at})
      RETURNING *
    ),
    ${posting(it)},
    announced AS (${announcing(it)})
    ${linesOf(tx, whole(tx)).select([line.as('line'), entriesWritten.as('entries')])}`,
)

/** No server, or no tunnel, has room; or the one that had was filled up while we waited for it. */
export class NoPlace extends Error {}

/** An account has a server, and a tunnel exactly if it is of a tunnelled kind: the table itself insists on both. */
const isWithoutPlace = (error: unknown) =>
  isNotNullViolation(error, 'server_uuid') || isCheckViolation(error, 'accounts_check')

/** Takes the places, opens the account, takes what it costs and ends the transaction, in one go. */
export async function openAccount(tx: Tx, opening: Opening): Promise<AccountRecord> {
  try {
    const { rows } = await andCommit(tx, (tx) => open(tx, opening))
    checkPosted(opening, rows[0]?.entries)
    return recordOf(rows[0]?.line ?? '')
  } catch (error) {
    throw isWithoutPlace(error) ? new NoPlace() : error
  }
}
