import type {
  Alpn,
  Fingerprint,
  HealthReason,
  HostHealth,
  HostKind,
  HostState,
  ProbeOutcome,
  Programs,
  QuotaState,
  ReplacementReason,
  RolloutState,
  RunPurpose,
  RunState,
  ServerType,
  TargetProblem,
  TunnelType,
  VpnType,
} from '@kelid/contract'
import type { ColumnType } from 'kysely'
import type { PerProcessor, Processor } from '../lib/processor.ts'

type WithDefault<T> = ColumnType<T, T | undefined, T>

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
  /** Missing in rows of earlier versions. */
  serverRealityTarget?: string
  serverSite?: string
  serverObfuscated?: boolean
  serverHopPorts?: string
  serverHasConfigJson: boolean
  serverHasSSHSecret: boolean
  serverHasHostingSecret: boolean
}

/** Options of a server over QUIC, as its last successful run has installed them. */
export interface QuicOptions {
  isObfuscated: boolean
  hopPorts: string
}

export interface Serving {
  name: string
  ipv4: string
  port: number
  sshPort: number
  hostKey: string
  isOwnAuthority: boolean
  /** Its number on its machine; missing for the first. */
  service?: number
  /** Missing without options. */
  quic?: QuicOptions
}

/** What customers' apps need to know of a server with REALITY. */
export interface Reality {
  publicKey: string
  shortId: string
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

interface QuotaColumns {
  quota: WithDefault<number>
  quota_day: WithDefault<number>
  quota_state: WithDefault<QuotaState>
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

export interface ServerRow extends ProgramColumns, QuotaColumns {
  uuid: string
  request_hash: Buffer
  name: string
  type: ServerType
  vpn_type: VpnType
  tunnel_type: TunnelType | ''
  ipv4: string
  service: WithDefault<number>
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
  reality: ColumnType<Reality | null, string | null | undefined, string | null>
  reality_keys: Buffer | null
  reality_changed_at: Date | null
  serving: ColumnType<Serving | null, string | null | undefined, string | null>
  told: Buffer | null
  state: HostState
  paused: WithDefault<boolean>
  returned_at: ColumnType<Date | null, undefined, Date | null>
  upkeep_failures: WithDefault<number>
  upkeep_retry_at: Date | null
  set_by_hand: WithDefault<boolean>
  probe_applied_at: Date | null
  last_seen_at: Date | null
  reporting_since: Date | null
  created_at: Date
}

export interface TunnelRow extends ProgramColumns, QuotaColumns {
  uuid: string
  request_hash: Buffer
  name: string
  version: string
  type: TunnelType
  creator_email: string
  ipv4: string
  service: WithDefault<number>
  ipv6: WithDefault<string>
  site: WithDefault<string>
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
  returned_at: ColumnType<Date | null, undefined, Date | null>
  upkeep_failures: WithDefault<number>
  upkeep_retry_at: Date | null
  set_by_hand: WithDefault<boolean>
  last_seen_at: Date | null
  created_at: Date
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
  address: string | null
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

export interface TargetCheckRow {
  server_uuid: string
  target: string
  sni: string
  problems: TargetProblem[]
  failures: number
  since: Date
  due_at: Date
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

export interface ReplacementRow {
  uuid: string
  kind: HostKind
  host_uuid: string
  reason: ReplacementReason
  started_by: string
  started_at: Date
  moved: WithDefault<number>
  stuck: WithDefault<number>
  only_blocked: WithDefault<boolean>
  finished_at: Date | null
}

export interface HostBlockRow {
  host_uuid: string
  /** At least one of the two; '' is any. */
  country: string
  operator: string
  also_unstated: boolean
  blocked_by: string
  since: Date
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
