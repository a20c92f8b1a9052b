import type pg from 'pg'
import type { Tables } from '../schema.ts'
import { BackupRefusal } from './refusal.ts'

/**
 * Every table of the schema, in an order that satisfies foreign keys. Excluded tables must not come back (a restored
 * backup revives no session, and transaction numbers belong to one database) or are filled again.
 */
const isBackedUp: Record<keyof Tables, boolean> = {
  installation: true,
  authority: true,
  node_certificates: true,
  node_revocations: true,
  node_reports: false,
  node_lists: false,
  node_cuts: false,
  node_states: false,
  node_alerts: false,
  node_troubles: false,
  epoch: false,
  settings: true,
  users: true,
  plans: true,
  plan_resellers: true,
  sessions: false,
  attempts: false,
  known_addresses: true,
  sms_codes: false,
  second_factors: true,
  recovery_codes: true,
  servers: true,
  tunnels: true,
  ssh_key: true,
  host_keys: true,
  host_certificates: true,
  dns_provider: true,
  acme_accounts: true,
  failed_issuances: false,
  relays: true,
  accounts: true,
  account_ways: true,
  data_limits: true,
  data_leases: true,
  departures: true,
  node_boots: true,
  usage_counters: true,
  usage_days: true,
  usage_totals: true,
  host_usage_days: true,
  host_usage_totals: true,
  devices: false,
  movements: false,
  crowds: false,
  abuse_findings: true,
  ledger_transactions: true,
  ledger_entries: true,
  idempotency_keys: true,
  provision_runs: true,
  provision_lines: true,
  probes: false,
  target_checks: false,
  ways: true,
  knocks: false,
  health_changes: true,
  rollouts: true,
  replacements: true,
  host_blocks: true,
  compensations: true,
  compensation_accounts: true,
  events: false,
  audit: true,
  audit_end: true,
  job_marks: false,
}

export const migrationsTable = 'schema_migrations'
const names = Object.entries(isBackedUp)
export const keptTables: readonly string[] = names.filter(([, isKept]) => isKept).map(([name]) => name)
export const leftOutTables: readonly string[] = [
  migrationsTable,
  ...names.filter(([, isKept]) => !isKept).map(([name]) => name),
]

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

export async function tablesIn(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    GROUP BY c.relname ORDER BY c.relname`)
  return rows
}

/** Tables of the backup in loading order. An undecided table is refused, so that none is forgotten. */
export function tablesToBackUp(tables: readonly Table[]): Table[] {
  const undecided = tables.find(({ name }) => !keptTables.includes(name) && !leftOutTables.includes(name))
  if (undecided)
    throw new BackupRefusal(
      `The table ${undecided.name} is none of Kelid's, so a backup would not be whole: keep other programs' tables in another database.`,
    )
  return keptTables.flatMap((name) => tables.find((table) => table.name === name) ?? [])
}

export async function versionOf(client: pg.ClientBase, tables: readonly Table[]): Promise<number | null> {
  if (!tables.some(({ name }) => name === migrationsTable)) return null
  const { rows } = await client.query<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${migrationsTable}`,
  )
  return rows[0]?.version ?? null
}

/** The text form of values depends on session settings, so backup and restore use the same ones. */
export const plainTexts = `
  SET LOCAL client_encoding TO 'UTF8';
  SET LOCAL datestyle TO 'ISO, YMD';
  SET LOCAL intervalstyle TO 'postgres';
  SET LOCAL timezone TO 'UTC';
  SET LOCAL bytea_output TO 'hex';
  SET LOCAL extra_float_digits TO 1`
