import type {
  Account,
  Alpn,
  Fingerprint,
  HealthReason,
  HostAlert,
  HostHealth,
  HostKind,
  HostState,
  Movement,
  ProbeOutcome,
  Programs,
  RefusedList,
  RolloutState,
  RunPurpose,
  RunState,
  ServerType,
  TroubleKind,
  TunnelType,
  VpnType,
} from '@kelid/contract'
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'
import type { PerProcessor, Processor } from '../lib/processor.ts'

type Id = Generated<number>
type WithDefault<T> = ColumnType<T, T | undefined, T>

export interface UserRow {
  id: Id
  email: string
  phone: string | null
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

export interface ServerDetails {
  serverVersion: string
  serverVPNVersion: string
  serverProtocol: string
  serverExpireDate: string
  serverIPV6: string
  serverLocation: string
  serverDescription: string
  serverProvider: string
  serverTargetCountry: string
  serverTargetOperator: string
  serverSNIAddress: string
  serverConfigName: string
  serverFingerprint: Fingerprint | ''
  serverAlpn: Alpn | ''
  serverHasConfigJson: boolean
  serverHasSSHSecret: boolean
  serverHasHostingSecret: boolean
}

export interface Serving {
  name: string
  ipv4: string
  port: number
  sshPort: number
  hostKey: string
  isOwnAuthority: boolean
}

export interface FailedUpgrade {
  programs: Programs
  run: string | null
  at: string
}

interface ProgramColumns {
  processor: ColumnType<Processor | null, Processor | null | undefined, Processor | null>
  wanted_programs: ColumnType<Programs | null, string | null | undefined, string | null>
  installed_programs: ColumnType<Programs | null, string | null | undefined, string | null>
  failed_upgrade: ColumnType<FailedUpgrade | null, string | null | undefined, string | null>
}

export interface RolloutRow {
  uuid: string
  programs: ColumnType<PerProcessor<Programs>, string, string>
  state: RolloutState
  started_at: Date
  started_by: string
  finished_at: Date | null
  failed_host: string | null
}

export interface ServerRow extends ProgramColumns {
  uuid: string
  request_hash: Buffer
  name: string
  type: ServerType
  vpn_type: VpnType
  tunnel_type: TunnelType | ''
  ipv4: string
  url: string
  port: number
  ssh_port: WithDefault<number>
  max_accounts: number
  accounts: WithDefault<number>
  removals: WithDefault<number>
  country_id: number
  details: ColumnType<ServerDetails, string, string>
  secrets: Buffer | null
  relay_secrets: Buffer | null
  serving: ColumnType<Serving | null, string | null | undefined, string | null>
  told: Buffer | null
  state: HostState
  paused: WithDefault<boolean>
  upkeep_failures: WithDefault<number>
  upkeep_retry_at: Date | null
  set_by_hand: WithDefault<boolean>
  probe_applied_at: Date | null
  last_seen_at: Date | null
  reporting_since: Date | null
  created_at: Date
}

export interface TunnelRow extends ProgramColumns {
  uuid: string
  request_hash: Buffer
  name: string
  version: string
  type: TunnelType
  creator_email: string
  ipv4: string
  ipv6: WithDefault<string>
  url: string
  port: number
  ssh_port: WithDefault<number>
  max_accounts: number
  accounts: WithDefault<number>
  secrets: Buffer | null
  relay_key: Buffer | null
  relay_public_key: string | null
  told: Buffer | null
  served_port: number | null
  state: HostState
  paused: WithDefault<boolean>
  upkeep_failures: WithDefault<number>
  upkeep_retry_at: Date | null
  set_by_hand: WithDefault<boolean>
  last_seen_at: Date | null
  created_at: Date
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
  refusal: ColumnType<RefusedDevices | null, RefusedDevices | null | undefined, RefusedDevices | null>
  max_devices: number | null
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
}

export interface LedgerEntryRow {
  id: Id
  transaction_id: number
  user_id: number | null
  unit: LedgerUnit
  amount: number
  balance: number | null
}

export interface ProvisionRunRow {
  uuid: string
  subject: HostKind
  subject_uuid: string
  state: RunState
  attempts: WithDefault<number>
  lines: WithDefault<number>
  bytes: WithDefault<number>
  asked_by: WithDefault<string>
  state_if_cancelled: WithDefault<'ready' | 'failed'>
  purpose: WithDefault<RunPurpose>
  keeps_state: WithDefault<boolean>
  beat_at: Date | null
  has_reached: WithDefault<boolean>
  last_words: Buffer | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

export interface HostKeyRow {
  host_uuid: string
  address: string
  key: string
  fingerprint: string
  first_seen_at: Date
  trusts_product: WithDefault<boolean>
}

export interface ForeignHostRow {
  authority: string
  host_uuid: string
  at: Date
}

export interface ProbeRow {
  host_uuid: string
  subject: HostKind
  outcome: ProbeOutcome
  detail: string
  failures: number
  tried_at: Date
  answered_at: Date | null
  certificate_issuer: string
  certificate_until: Date | null
}

export interface WayRow {
  exit_uuid: string
  entry_uuid: string
  known: ColumnType<Serving | null, string | null | undefined, string | null>
  relay_key: string | null
  outcome: WithDefault<ProbeOutcome | ''>
  detail: WithDefault<string>
  failures: WithDefault<number>
  tried_at: Date | null
  answered_at: Date | null
}

export interface HealthChangeRow {
  host_uuid: string
  subject: HostKind
  health: HostHealth
  reason: HealthReason
  detail: string
  since: Date
  until: Date | null
}

export interface CompensationRow {
  uuid: string
  subject: HostKind
  subject_uuid: string
  subject_name: string
  days: number
  down_from: Date | null
  down_until: Date | null
  reason: string
  given_by: string
  accounts: number
  done: WithDefault<number>
  skipped: WithDefault<number>
  created_at: Date
  finished_at: Date | null
}

export interface AuthorityRow {
  id: number
  certificate: string
  key: Buffer
  created_at: Date
  fingerprint: GeneratedAlways<string>
}

export interface HostCertificateRow {
  host_uuid: string
  use: 'node' | 'server' | 'acme' | 'dns'
  name: string
  sealed: Buffer
  until: Date
  renew_at: WithDefault<Date | null>
}

export interface NodeCertificateRow {
  serial: string
  host_uuid: string
  issued_at: Date
  until: Date
  revoked_at: Date | null
  is_renewal: WithDefault<boolean>
}

export interface NodeReportRow {
  host_uuid: string
  agent_version: string
  core_version: string
  clock_offset_ms: number
  at: Date
  certificate_issuer: string | null
  certificate_until: Date | null
  certificate_authority: string | null
}

export interface NodeListRow {
  host_uuid: string
  number: WithDefault<number>
  digest: WithDefault<string>
  last_cut: WithDefault<number>
  held_number: WithDefault<number>
  may_shrink_until: Date | null
  may_shrink_after: number | null
}

export interface NodeStateRow {
  host_uuid: string
  core_version: string
  boot_id: string
  up_since: Date | null
  connections: number
  load: number
  refused_list: RefusedList
  refused_since: Date | null
  troubles_at: Date | null
  at: Date
}

interface Traffic {
  account_uuid: string
  up: WithDefault<number>
  down: WithDefault<number>
}

interface HostTraffic {
  exit_uuid: string
  entry_uuid: string
  up: number
  down: number
}

export interface Schema {
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
    network: string
    first_seen_at: Date
    last_seen_at: Date
    refused_until: Date | null
  }
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
  relays: { tunnel_uuid: string; server_uuid: string; slot: number }
  provision_lines: { run_uuid: string; number: number; at: Date; line: string }
  probes: ProbeRow
  ways: WayRow
  knocks: ForeignHostRow
  health_changes: HealthChangeRow
  rollouts: RolloutRow
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
