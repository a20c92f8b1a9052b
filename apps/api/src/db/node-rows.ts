import type { RefusedList } from '@kelid/contract'
import type { ColumnType, GeneratedAlways } from 'kysely'

type WithDefault<T> = ColumnType<T, T | undefined, T>

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

export interface Traffic {
  account_uuid: string
  up: WithDefault<number>
  down: WithDefault<number>
}

export interface HostTraffic {
  exit_uuid: string
  entry_uuid: string
  up: number
  down: number
}
