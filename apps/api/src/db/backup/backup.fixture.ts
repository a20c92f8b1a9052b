import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Insertable } from 'kysely'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { createDatabase, query, type TestDatabase } from '../../../test/database.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { testEnvironment } from '../../../test/product.ts'
import { withContext } from '../../cli/installation.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { openDemo } from '../../demo/open-demo.ts'
import { keyCheckOf } from '../../features/auth/first-start.ts'
import { issueNodeCertificate } from '../../features/authority/authority.ts'
import { publicSshKey } from '../../features/provisioning/provisioning.ts'
import { createSeal, type Seal } from '../../lib/seal.ts'
import { openDatabase } from '../database.ts'
import type { Schema } from '../schema.ts'
import { writeBackup } from './backup.ts'
import { endMark, macOf, manifestLine, type Sum } from './format.ts'
import { restoreBackup } from './restore.ts'
import { keptTables } from './tables.ts'
import { type KeyAtHand, readUsable } from './usable.ts'

const seal = createSeal(Buffer.from(testEnvironment.KELID_SECRET_KEY, 'hex'))
export const testKey: KeyAtHand = { seal, keyCheck: keyCheckOf(seal) }

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kelid-backup-'))
  folders.push(folder)
  return folder
}

export const configFor = (database: TestDatabase, dataDir: string): Config =>
  readConfig({ ...testEnvironment, DATABASE_URL: database.url, KELID_DATA_DIR: dataDir })

type Rows = { [Table in keyof Schema]?: Insertable<Schema[Table]> | Insertable<Schema[Table]>[] }

export async function makeBusiness(dataDir: string, share = 0.04): Promise<TestDatabase> {
  const database = await createDatabase({ isEmpty: true })
  await inContext(database, dataDir, async (ctx) => {
    await openDemo(ctx, { say: () => {}, share })
    const now = ctx.clock.now()
    const first = async (table: 'provision_runs' | 'servers' | 'tunnels' | 'accounts') =>
      (await ctx.db.selectFrom(table).select('uuid').limit(1).executeTakeFirstOrThrow()).uuid
    const { id: user_id } = await ctx.db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
    const [host_uuid, account_uuid] = [await first('servers'), await first('accounts')]
    const [tunnel_uuid, run_uuid] = [await first('tunnels'), await first('provision_runs')]
    await issueNodeCertificate(ctx, host_uuid)
    await publicSshKey(ctx)
    const awkward = ['\\.', '\\N', 'a\tb\\', 'two\nlines\r', 'می\u200cشود', '-- manifest {}', '']
    const many = { up: 2 ** 40, down: 2 ** 50 }
    const through = { exit_uuid: host_uuid, entry_uuid: tunnel_uuid, ...many }
    const day = '2026-05-06'
    const planUUID = randomUUID()
    /** What the demo does not fill. */
    const rows: Rows = {
      known_addresses: { user_id, address: '203.0.113.9', last_seen_at: now },
      provision_lines: awkward.map((line, index) => ({
        run_uuid,
        number: 900 + index,
        at: now,
        line,
      })),
      node_revocations: { host_uuid, before: now },
      host_keys: {
        host_uuid,
        address: '192.0.2.1',
        key: 'ssh-ed25519 AAAA',
        fingerprint: 'SHA256:',
        first_seen_at: now,
      },
      host_certificates: { host_uuid, use: 'node', name: host_uuid, sealed: randomBytes(48), until: now },
      dns_provider: {
        id: 1,
        provider: 'desec',
        variables: ['DESEC_TOKEN'],
        sealed: randomBytes(48),
        updated_at: now,
      },
      acme_accounts: { directory: 'https://acme.example.com/dir', email: '', sealed: randomBytes(48) },
      rollouts: {
        uuid: randomUUID(),
        programs: '{}',
        state: 'stopped',
        started_at: now,
        started_by: 'admin@example.com',
        finished_at: now,
        failed_host: null,
      },
      replacements: {
        ...{ uuid: randomUUID(), kind: 'server', host_uuid, reason: 'blocked' },
        ...{ started_by: 'admin@example.com', started_at: now, finished_at: now },
      },
      host_blocks: {
        ...{ host_uuid, country: 'Iran', operator: '', also_unstated: false },
        ...{ blocked_by: 'admin@example.com', since: now },
      },
      relays: { tunnel_uuid, server_uuid: host_uuid, slot: 1 },
      ways: { exit_uuid: host_uuid, entry_uuid: tunnel_uuid, relay_key: 'ssh-ed25519 AAAA' },
      health_changes: {
        host_uuid,
        subject: 'server',
        health: 'down',
        reason: 'TIMEOUT',
        detail: 'thr-1',
        since: now,
        until: null,
      },
      account_ways: {
        account_uuid,
        position: 2,
        vpn_type: 'trojan',
        tunnel_type: 'wstunnel',
        server_uuid: host_uuid,
        tunnel_uuid,
      },
      plans: {
        ...{
          uuid: planUUID,
          names: '{"en":"Month","fa":"ماهانه"}',
          days: 30,
          gigabytes: 50,
          data_reset: 'none',
        },
        ways: '[{"vpnType":"trojan","tunnelType":"ssh","countryId":0}]',
        ...{ start: 'now', devices: null, points: 300, tunnel_credit: 30 },
        ...{ position: 1, active: true, for_all: false, created_at: now },
      },
      plan_resellers: { plan_uuid: planUUID, user_id },
      data_limits: {
        account_uuid,
        ...{ bytes: 2 ** 40, monthly_bytes: 2 ** 40, used: 2 ** 39, period_began_at: now },
      },
      data_leases: {
        ...{ account_uuid, server_uuid: host_uuid, frame: randomUUID() },
        ...{ spent: 2 ** 39, held: 2 ** 40, offered: 2 ** 40, until: 2 ** 40, at: now },
      },
      departures: { account_uuid, server_uuid: host_uuid, tunnel_uuid: null, at: now },
      node_boots: { host_uuid, boot_id: 'boot-1', at: now },
      usage_counters: { account_uuid, ...many, host_uuid, boot_id: 'boot-1', at: now },
      usage_days: { account_uuid, ...many, day },
      usage_totals: { account_uuid, ...many, last_seen_at: now },
      host_usage_days: { ...through, day },
      host_usage_totals: through,
      abuse_findings: { account_uuid, at: now, devices: 3, allowed: 2, samples: '[{"devices":3}]' },
      idempotency_keys: {
        user_id,
        key: 'k'.repeat(20),
        request_hash: randomBytes(32),
        account_uuid: null,
        created_at: now,
      },
      second_factors: { user_id, secret: randomBytes(48), started_at: now, confirmed_at: now },
      recovery_codes: { user_id, hash: randomBytes(32) },
    }
    for (const [table, values] of Object.entries(rows))
      await ctx.db
        .insertInto(table as keyof Schema)
        .values(values as never)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  })
  return database
}

export function businessForAllTests(share?: number) {
  const folder = folderForAllTests()
  return { folder, business: openForAllTests(() => makeBusiness(folder, share)) }
}

export const inContext = <T>(
  database: TestDatabase,
  dataDir: string,
  work: (ctx: Context) => Promise<T>,
): Promise<T> => withContext(configFor(database, dataDir), () => {}, work, { mayBeEmpty: true })

export async function withPool<T>(database: TestDatabase, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const reopened = openDatabase({ ...database.connection, max: 2 }, pino({ level: 'silent' }))
  return work(reopened.pool).finally(() => reopened.close())
}

export const backUp = (database: TestDatabase, path: string, now = new Date()) =>
  withPool(database, (pool) => writeBackup(pool, path, { now, key: testKey }))

export async function restoreInto(database: TestDatabase, path: string, migrations?: string): Promise<void> {
  const options = migrations ? { migrations } : {}
  const manifest = await readUsable(path, testKey, options)
  await withPool(database, (pool) =>
    restoreBackup(pool, path, manifest, { confirm: async () => {}, ...options }),
  )
}

export async function contentOf(database: TestDatabase): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const table of keptTables) {
    const { rows } = await query(database.connection, `SELECT t::text AS row FROM ${table} t ORDER BY 1`)
    content[table] = rows.map(({ row }) => row)
  }
  return content
}

export async function tablesLeftIn(database: TestDatabase): Promise<string[]> {
  const { rows } = await query(
    database.connection,
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  return rows.map(({ relname }) => relname)
}

export const textIn = (zipped: Buffer): string => gunzipSync(zipped).toString('utf8')
export const zip = (text: string): Buffer => gzipSync(text)

export function repack(
  text: string,
  change: (rows: string, table: string) => string,
  by: Seal = seal,
): Buffer {
  const [heading = '', ...rest] = text.split(/(?=^COPY |^-- manifest \{"format)/m)
  const manifest = JSON.parse(rest.pop()?.replace('-- manifest ', '') ?? '')
  const sections = rest.map((section) => {
    const [first = ''] = section.split('\n', 1)
    const name = first.split(' ')[1] ?? ''
    const rows = change(section.slice(first.length + 1, -endMark.length), name)
    const sum = manifest.tables.find((table: Sum) => table.name === name)
    sum.rows = rows.split('\n').length - 1
    sum.sha256 = createHash('sha256').update(`${first}\n${rows}`).digest('hex')
    return `${first}\n${rows}${endMark}`
  })
  manifest.mac = macOf(by, manifest)
  return zip([heading, ...sections, manifestLine(manifest)].join(''))
}

export const withoutSeal = (text: string): Buffer =>
  zip(text.replaceAll('"format":2', '"format":1').replace(/,"mac":"[0-9a-f]{64}"/, ''))

export const namesIn = (folder: string): Promise<string[]> => readdir(folder)
