import type { HostKind } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { lastWordsOf, type PinnedKey } from '../hosts/hosts.ts'
import { openSecrets } from '../servers/servers.ts'
import { openTunnelSecrets } from '../tunnels/tunnels.ts'
import { findServer, findTunnel, type ServerRecord, type TunnelRecord } from './description.store.ts'
import type { RunRecord } from './provisioning.store.ts'

/** By what the host lets somebody in. Empty texts are none. */
export interface OwnAccess {
  user: string
  password: string
  key: string
  replacesPassword: boolean
}

interface Common {
  uuid: string
  name: string
  ipv4: string
  access: OwnAccess
  /** Of a machine that the host has left: who answered there. */
  pinned?: PinnedKey | null
}

/** The host of a run, as its row is now or was when it was removed or left that machine. */
export type Subject = Common & ({ kind: 'server'; row: ServerRecord } | { kind: 'tunnel'; row: TunnelRecord })

export async function subjectOf(ctx: Context, run: RunRecord): Promise<Subject | null> {
  return run.purpose === 'clean' ? fromLastWords(ctx, run) : presentOf(ctx, run)
}

/** null when the host is gone. */
export async function presentOf(ctx: Context, run: RunRecord): Promise<Subject | null> {
  return run.subject === 'server'
    ? asServer(ctx, await findServer(ctx.db, run.subject_uuid))
    : asTunnel(ctx, await findTunnel(ctx.db, run.subject_uuid))
}

function asServer(ctx: Context, row: ServerRecord | undefined): Subject | null {
  if (!row) return null
  const {
    serverSSHUsername,
    serverSSHPassword,
    serverSSHKey,
    replacePassword = false,
  } = openSecrets(ctx, row)
  const access = accessOf(serverSSHUsername, serverSSHPassword, serverSSHKey, replacePassword)
  return { kind: 'server', row, uuid: row.uuid, name: row.name, ipv4: row.ipv4, access }
}

function asTunnel(ctx: Context, row: TunnelRecord | undefined): Subject | null {
  if (!row) return null
  const {
    tunnelSSHUsername,
    tunnelSSHPassword,
    tunnelSSHKey,
    replacePassword = false,
  } = openTunnelSecrets(ctx, row)
  const access = accessOf(tunnelSSHUsername, tunnelSSHPassword, tunnelSSHKey, replacePassword)
  return { kind: 'tunnel', row, uuid: row.uuid, name: row.name, ipv4: row.ipv4, access }
}

const accessOf = (user: string, password: string, key: string, replacesPassword: boolean): OwnAccess => ({
  user: user || 'root',
  password,
  key,
  replacesPassword: replacesPassword && password !== '',
})

const readers: Record<HostKind, (ctx: Context, row: never) => Subject | null> = {
  server: asServer,
  tunnel: asTunnel,
}

function fromLastWords(ctx: Context, { uuid, subject, last_words }: RunRecord): Subject | null {
  if (!last_words) return null
  const { pinned, ...row } = lastWordsOf(ctx, { uuid, last_words })
  const found = readers[subject](ctx, row as never)
  return found && { ...found, pinned }
}
