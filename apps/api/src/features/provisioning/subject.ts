import type { Context } from '../../context.ts'
import { hostCopyOf } from '../hosts/cleaning.ts'
import type { PinnedKey } from '../hosts/host-keys.ts'
import { findServer, findTunnel, type HostRow } from '../hosts/hosts.ts'
import { defaultSshPort, openSecrets, sshAccessOf } from '../hosts/secrets.ts'
import type { RunRecord } from './provisioning.store.ts'

export type OwnAccess = ReturnType<typeof sshAccessOf>

interface Common {
  uuid: string
  name: string
  ipv4: string
  /** Its number on its machine. */
  service: number
  sshPort: number
  access: OwnAccess
  pinned?: PinnedKey | null
}

/** The host's row, or its copy from before it was removed or left the machine. */
export type Subject = Common & HostRow

export async function subjectOf(ctx: Context, run: RunRecord): Promise<Subject | null> {
  return run.purpose === 'clean' ? fromLastWords(ctx, run) : presentOf(ctx, run)
}

export async function presentOf(ctx: Context, { subject: kind, subject_uuid: uuid }: RunRecord) {
  const row = kind === 'server' ? await findServer(ctx.db, uuid) : await findTunnel(ctx.db, uuid)
  return row ? toSubject(ctx, { kind, row } as HostRow) : null
}

function toSubject(ctx: Context, host: HostRow): Subject {
  const { uuid, name, ipv4 } = host.row
  // A copy by an earlier version has neither.
  const sshPort = host.row.ssh_port ?? defaultSshPort
  const service = host.row.service ?? 1
  const access = sshAccessOf(host.kind, openSecrets(ctx, host.kind, host.row))
  return { ...host, uuid, name, ipv4, service, sshPort, access }
}

function fromLastWords(ctx: Context, { uuid, subject: kind, last_words }: RunRecord): Subject | null {
  if (!last_words) return null
  const { pinned, ...row } = hostCopyOf(ctx, { uuid, last_words })
  return { ...toSubject(ctx, { kind, row } as unknown as HostRow), pinned }
}
