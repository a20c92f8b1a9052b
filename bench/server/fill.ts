import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { attachEmbedded } from '../../apps/api/src/db/embedded/embedded.ts'
import { sealSecrets } from '../../apps/api/src/features/accounts/account-shape.ts'
import { createSeal } from '../../apps/api/src/lib/seal.ts'
import { hashOf, randomToken } from '../../apps/api/src/lib/tokens.ts'
import { addHosts, type Hosts } from './hosts.ts'
import { secretKey } from './product-process.ts'

export interface Size {
  users: number
  accounts: number
  /** Pairs of a direct server and one behind a tunnel, with equally many accounts. */
  pairs?: number
  /** Of each account, to different servers. */
  ways?: number
}

/** Session tokens of users who make the calls. */
export interface People {
  /** Has exactly `readerAccounts` accounts. */
  reader: string
  buyers: string[]
  admin: string
  /** The number of users, including these. */
  users: number
}

export const readerAccounts = 50
/** Exactly this many users have the word in their e-mail. */
export const rare = { word: 'zarrinpoosh', users: 20 }

const buyers = 8
const pointsPerAccount = 300
const creditPerAccount = 30
const balance = 900_000_000

export async function connectionTo(dataDir: string) {
  const access = await attachEmbedded(dataDir)
  if (!access) throw new Error(`no database runs on ${dataDir}`)
  return access.owner
}

/** Fills the database of a running product by SQL, with the rows that the product itself would have written. */
export async function fill(dataDir: string, { users, accounts, pairs, ways = 1 }: Size): Promise<People> {
  const client = new pg.Client(await connectionTo(dataDir))
  await client.connect()
  try {
    // Skips the foreign key checks: the rows are consistent.
    await client.query('SET session_replication_role = replica')
    const hosts = await addHosts(client, accounts, pairs)
    const firstUser = await addUsers(client, users)
    const owners = Array.from({ length: accounts }, (_, index) =>
      index < readerAccounts ? firstUser : firstUser + 1 + (index % (users - 1)),
    )
    const uuids = await addAccounts(client, hosts, owners)
    await addFurtherWays(client, hosts, uuids, ways)
    await addLedger(client)
    const people: People = {
      reader: await openSession(client, firstUser),
      buyers: [],
      users,
      admin: await openSession(client, await promote(client, firstUser + 1)),
    }
    for (let index = 1; index <= buyers; index++)
      people.buyers.push(await openSession(client, firstUser + users - index))
    await client.query('VACUUM (ANALYZE)')
    return people
  } finally {
    await client.end()
  }
}

const names = ['ali', 'sara', 'reza', 'maryam', 'hossein', 'niloofar', 'omid', 'parisa', 'kian', 'laleh']
const domains = ['example.com', 'example.org', 'mail.example.net', 'shop.example.com']

async function addUsers(client: pg.Client, users: number): Promise<number> {
  const { rows } = await client.query<{ first: string }>(
    `WITH added AS (
       INSERT INTO users (email, password_hash, level, points, tunnel_credit, created_at)
       SELECT CASE WHEN n % ($1::int / $2) = 0 THEN $3 ELSE ($4::text[])[1 + n % 10] END
                || '.' || n || '@' || ($5::text[])[1 + n % 4],
              'none', 1, $6, $6, now() - n * interval '1 minute'
       FROM generate_series(0, $1::int - 1) n RETURNING id)
     SELECT min(id) AS first FROM added`,
    [users, rare.users, rare.word, names, domains, balance],
  )
  return Number(rows[0]?.first)
}

async function addAccounts(client: pg.Client, hosts: Hosts, owners: number[]): Promise<string[]> {
  const uuids = owners.map(() => randomUUID())
  const seal = createSeal(secretKey)
  const now = Date.now()
  function* lines() {
    for (const [index, owner] of owners.entries()) {
      const uuid = uuids[index] ?? ''
      const { secrets, subscription_hash } = sealSecrets({ seal }, uuid)
      const created = new Date(now - (index % 100_000) * 60_000)
      const { vpnType, tunnelType, server, tunnel } = hosts.of(index)
      const values = [
        uuid,
        owner,
        `customer_${index}`,
        vpnType,
        tunnelType,
        server,
        tunnel ?? '\\N',
        new Date(created.getTime() + 100 * 86_400_000).toISOString(),
        true,
        `\\\\x${secrets.toString('hex')}`,
        `\\\\x${subscription_hash.toString('hex')}`,
        created.toISOString(),
      ]
      yield `${values.join('\t')}\n`
    }
  }
  const columns =
    'uuid, user_id, name, vpn_type, tunnel_type, server_uuid, tunnel_uuid, expires_at, enabled, secrets, subscription_hash, created_at'
  await pipeline(Readable.from(lines()), client.query(copyFrom(`COPY accounts (${columns}) FROM STDIN`)))
  return uuids
}

/** Each account's ways are at neighbouring pairs, so all servers have equally many. */
async function addFurtherWays(
  client: pg.Client,
  hosts: Hosts,
  uuids: readonly string[],
  ways: number,
): Promise<void> {
  for (let position = 2; position <= ways; position += 1) {
    const places = uuids.map((_, index) => hosts.of(index + 2 * (position - 1)))
    await client.query(
      `INSERT INTO account_ways (account_uuid, position, vpn_type, tunnel_type, server_uuid, tunnel_uuid)
       SELECT account, $2, vpn_type, tunnel_type, server, tunnel
       FROM unnest($1::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[]) AS way (account, vpn_type, tunnel_type, server, tunnel)`,
      [
        uuids,
        position,
        places.map(({ vpnType }) => vpnType),
        places.map(({ tunnelType }) => tunnelType),
        places.map(({ server }) => server),
        places.map(({ tunnel }) => tunnel),
      ],
    )
  }
}

/** Gives credit once and pays each account from it, so that the hourly ledger check has work. */
async function addLedger(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO ledger_transactions (at, movement, user_id, actor, reason)
    SELECT created_at, 'adjustment', id, 'system', 'for the bench' FROM users WHERE points > 0;
    INSERT INTO ledger_transactions (at, movement, user_id, actor, actor_email, reason, account_uuid, account_name)
    SELECT a.created_at, 'create', u.id, 'user', u.email, '30 days of ' || a.vpn_type, a.uuid, a.name
    FROM accounts a JOIN users u ON u.id = a.user_id;

    CREATE TEMP TABLE amounts AS
    SELECT t.id, t.user_id, unit, ${balance}::bigint AS balance,
           CASE WHEN t.movement = 'create' THEN -price
                ELSE ${balance} + price * (SELECT count(*) FROM accounts a WHERE a.user_id = t.user_id) END AS amount
    FROM ledger_transactions t
    CROSS JOIN (VALUES ('points', ${pointsPerAccount}), ('tunnelCredit', ${creditPerAccount})) AS prices (unit, price);
    INSERT INTO ledger_entries (transaction_id, user_id, unit, amount, balance)
    SELECT id, side.user_id, unit, amount * side.sign, CASE WHEN side.user_id IS NOT NULL THEN balance END
    FROM amounts CROSS JOIN LATERAL (VALUES (user_id, 1), (NULL, -1)) AS side (user_id, sign);
    DROP TABLE amounts`)
}

async function promote(client: pg.Client, userId: number): Promise<number> {
  await client.query('UPDATE users SET level = 10 WHERE id = $1', [userId])
  return userId
}

async function openSession(client: pg.Client, userId: number): Promise<string> {
  const token = randomToken(256)
  await client.query(
    `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, user_agent, address)
     VALUES ($1, $2, $3, now(), now(), 'bench', '127.0.0.1')`,
    [randomUUID(), userId, hashOf(token)],
  )
  return token
}
