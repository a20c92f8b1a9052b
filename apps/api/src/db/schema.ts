import type {
  Account,
  AccountStart,
  DataReset,
  HostAlert,
  Language,
  Movement,
  TroubleKind,
  TunnelType,
  VpnType,
} from '@kelid/contract'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type {
  CompensationRow,
  ForeignHostRow,
  HealthChangeRow,
  HostBlockRow,
  HostKeyRow,
  ProbeRow,
  ProvisionRunRow,
  ReplacementRow,
  RolloutRow,
  ServerRow,
  TargetCheckRow,
  TunnelRow,
  WayRow,
} from './host-rows.ts'
import type {
  AuthorityRow,
  HostCertificateRow,
  HostTraffic,
  NodeCertificateRow,
  NodeListRow,
  NodeReportRow,
  NodeStateRow,
  Traffic,
} from './node-rows.ts'

export type * from './host-rows.ts'
export type * from './node-rows.ts'

type Id = Generated<number>
type WithDefault<T> = ColumnType<T, T | undefined, T>

export interface UserRow {
  id: Id
  email: string
  phone: string | null
  contact: WithDefault<string>
  password_hash: string
  level: number
  points: WithDefault<number>
  tunnel_credit: WithDefault<number>
  debt_cents: WithDefault<number>
  debt_limit_cents: WithDefault<number>
  debt_since: Date | null
  credit_rate: number | null
  suspended_at: Date | null
  suspended_reason: WithDefault<string>
  accounts_closed: WithDefault<boolean>
  created_at: Date
}
export type UserRecord = Selectable<UserRow>

export interface SessionRow {
  id: string
  user_id: number
  token_hash: Buffer
  created_at: Date
  last_seen_at: Date
  user_agent: string
  address: string
}

export interface SecondFactorRow {
  user_id: number
  secret: Buffer
  started_at: Date
  confirmed_at: Date | null
  last_step: WithDefault<number>
}

export interface SmsCodeRow {
  uuid: string
  mobile: string
  address: string
  tries: number
  asked_at: Date
  expires_at: Date
}

export interface AttemptRow {
  key: string
  failures: number
  last_at: Date
  blocked_until: Date
}

export type PlanNames = Readonly<Record<Language, string>>

/** A way as a plan has it; country 0 is open. */
export interface PlanWay {
  readonly vpnType: VpnType
  readonly tunnelType: TunnelType | ''
  readonly countryId: number
}

/** What an account must have so that a plan can renew it. */
export interface PlanTerms {
  readonly ways: readonly PlanWay[]
  readonly devices: number | null
}

/** Written as JSON text, read as the value. */
type Json<T> = ColumnType<T, string, string>
type OrNone<T> = ColumnType<T | null, T | null | undefined, T | null>

export interface PlanRow {
  uuid: string
  revision: WithDefault<number>
  names: Json<PlanNames>
  ways: Json<readonly PlanWay[]>
  days: number
  gigabytes: number | null
  data_reset: DataReset
  start: AccountStart
  devices: number | null
  points: number
  tunnel_credit: number
  position: number
  active: boolean
  for_all: boolean
  created_at: Date
}

export interface PlanResellerRow {
  plan_uuid: string
  user_id: number
}

export type RefusedDevices = NonNullable<Account['accountRefusedDevices']>

export interface AccountRow {
  uuid: string
  user_id: number
  name: string
  vpn_type: VpnType
  tunnel_type: TunnelType | ''
  server_uuid: string
  tunnel_uuid: string | null
  expires_at: Date
  expiry_noted_at: Date | null
  enabled: boolean
  abused: WithDefault<boolean>
  abuse_devices: number | null
  abuse_seen_at: Date | null
  abuse_since: Date | null
  abuse_minutes: number | null
  cleared_by_owner: WithDefault<Date[]>
  refusal: OrNone<RefusedDevices>
  max_devices: number | null
  speed_limit: number | null
  extra_devices: WithDefault<number>
  starts_by: Date | null
  first_used_at: Date | null
  exhausted: WithDefault<boolean>
  chosen_ways: WithDefault<number>
  target_country: WithDefault<string>
  target_operator: WithDefault<string>
  plan_uuid: OrNone<string>
  plan_names: OrNone<PlanNames>
  plan_terms: OrNone<PlanTerms>
  closed_by_suspension: WithDefault<boolean>
  secrets: Buffer
  subscription_hash: Buffer
  revision: WithDefault<number>
  applied_revision: number | null
  secret_number: WithDefault<number>
  changed_at: ColumnType<Date | null, undefined, never>
  applied_ms: number | null
  created_at: Date
}

export interface AccountWayRow {
  account_uuid: string
  /** 2 and more; the first way is in AccountRow. */
  position: number
  vpn_type: VpnType
  tunnel_type: TunnelType | ''
  server_uuid: string
  tunnel_uuid: string | null
  applied_revision: number | null
}

export interface DataLimitRow {
  account_uuid: string
  bytes: number
  monthly_bytes: number | null
  used: WithDefault<number>
  period_began_at: Date
  /** 0, 80 or 100. */
  reminded: WithDefault<number>
}

export interface DataLeaseRow {
  account_uuid: string
  server_uuid: string
  frame: string
  spent: number
  held: number
  offered: number
  until: number
  at: Date
}

export type LedgerUnit = 'points' | 'tunnelCredit' | 'cents'
export type ActorKind = 'user' | 'administrator' | 'system'

export interface LedgerTransactionRow {
  id: Id
  at: Date
  movement: Movement
  user_id: number
  actor: ActorKind
  actor_email: string | null
  reason: string
  account_uuid: string | null
  account_name: string | null
  plan_uuid: OrNone<string>
  plan_names: OrNone<PlanNames>
}

export interface LedgerEntryRow {
  id: Id
  transaction_id: number
  user_id: number | null
  unit: LedgerUnit
  amount: number
  balance: number | null
}

export interface Tables {
  installation: { id: number; key_check: Buffer }
  authority: AuthorityRow
  node_certificates: NodeCertificateRow
  node_revocations: { host_uuid: string; before: Date }
  node_reports: NodeReportRow
  node_lists: NodeListRow
  node_cuts: {
    id: Id
    host_uuid: string
    exit_uuid: string | null
    address: string
    port: number
    ports: string | null
    at: Date
  }
  node_states: NodeStateRow
  departures: { account_uuid: string; server_uuid: string; tunnel_uuid: string | null; at: Date }
  node_boots: { host_uuid: string; boot_id: string; at: Date }
  node_alerts: {
    host_uuid: string
    alert: HostAlert
    count: number
    since: Date
    at: Date
    audited_at: Date
  }
  node_troubles: { host_uuid: string; kind: TroubleKind; detail: string; repaired: boolean; since: Date }
  usage_counters: Traffic & { host_uuid: string; boot_id: string; at: Date }
  usage_days: Traffic & { day: ColumnType<Date, string, string> }
  usage_totals: Traffic & { last_seen_at: Date | null }
  host_usage_days: HostTraffic & { day: ColumnType<Date, string, string> }
  host_usage_totals: HostTraffic
  devices: {
    account_uuid: string
    server_uuid: string
    network: string
    first_seen_at: Date
    last_seen_at: Date
    refused_until: Date | null
  }
  movements: { host_uuid: string; network: string; until: Date; slices: number }
  crowds: { account_uuid: string; at: Date; devices: number }
  abuse_findings: {
    account_uuid: string
    at: Date
    devices: number
    allowed: number
    samples: ColumnType<unknown, string, string>
    host_uuid: WithDefault<string | null>
    act: WithDefault<'refuse' | 'stop'>
    entrance_uuid: WithDefault<string | null>
  }
  epoch: { id: number; uuid: string }
  settings: { id: number; value: ColumnType<unknown, string, string>; updated_at: Date }
  users: UserRow
  sessions: SessionRow
  attempts: AttemptRow
  known_addresses: { user_id: number; address: string; last_seen_at: Date }
  sms_codes: SmsCodeRow
  second_factors: SecondFactorRow
  recovery_codes: { user_id: number; hash: Buffer }
  servers: ServerRow
  tunnels: TunnelRow
  accounts: AccountRow
  account_ways: AccountWayRow
  plans: PlanRow
  plan_resellers: PlanResellerRow
  data_limits: DataLimitRow
  data_leases: DataLeaseRow
  ledger_transactions: LedgerTransactionRow
  ledger_entries: LedgerEntryRow
  idempotency_keys: {
    user_id: number
    key: string
    request_hash: Buffer
    account_uuid: string | null
    reply: ColumnType<unknown, string | null, string | null>
    created_at: Date
  }
  provision_runs: ProvisionRunRow
  ssh_key: { id: number; private: Buffer; public: string; created_at: Date }
  host_keys: HostKeyRow
  host_certificates: HostCertificateRow
  dns_provider: { id: number; provider: string; variables: string[]; sealed: Buffer; updated_at: Date }
  acme_accounts: { directory: string; email: string; sealed: Buffer }
  failed_issuances: { host_uuid: string; failures: number; retry_at: Date }
  relays: { tunnel_uuid: string; server_uuid: string; slot: number; connections: Generated<number> }
  provision_lines: { run_uuid: string; number: number; at: Date; line: string }
  probes: ProbeRow
  target_checks: TargetCheckRow
  ways: WayRow
  knocks: ForeignHostRow
  health_changes: HealthChangeRow
  rollouts: RolloutRow
  replacements: ReplacementRow
  host_blocks: HostBlockRow
  compensations: CompensationRow
  compensation_accounts: { compensation_uuid: string; account_uuid: string; done_at: Date | null }
  events: {
    id: Id
    xid: Generated<string>
    at: Date
    user_id: number | null
    payload: ColumnType<unknown, string, string>
  }
  audit_end: { id: number; line: number; hash: Buffer; mac: Buffer | null }
  audit: {
    id: number
    at: Date
    actor: string
    action: string
    subject: string
    detail: string
    address: string
    previous: Buffer
    hash: Buffer
  }
  job_marks: { name: string; succeeded_at: Date; outcome: ColumnType<unknown, string, string> }
}

export interface Schema extends Tables {
  /** A view of all ways, the first ones too. */
  placements: AccountWayRow
}
