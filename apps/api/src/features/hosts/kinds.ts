import { type HostKind, type HostState, type LiveEvent, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { announce } from '../events/events.ts'
import { findAnyHost } from './heard.store.ts'
import * as store from './hosts.store.ts'

export { findAnyHost, type HeardHost, noteHeard } from './heard.store.ts'

export interface Host {
  kind: HostKind
  uuid: string
}

const events: Record<HostKind, (uuid: string, state: HostState) => LiveEvent> = {
  server: (serverUUID, state) => ({ type: 'server', serverUUID, state }),
  tunnel: (tunnelUUID, state) => ({ type: 'tunnel', tunnelUUID, state }),
}

const actionNames = {
  add: (kind) => `add${kind}`,
  change: (kind) => `change${kind}`,
  provision: (kind) => `provision${kind}`,
  ready: (kind) => `set${kind}ready`,
  cancel: (kind) => `cancel${kind}run`,
  pause: (kind) => `set${kind}paused`,
  upgrade: (kind) => `upgrade${kind}`,
  edit: (kind) => `edit${kind}`,
  moveAccounts: (kind) => `move${kind}accounts`,
  remove: (kind) => `remove${kind}`,
  clean: (kind) => `clean${kind}`,
  replace: (kind) => `replace${kind}`,
  stopReplacing: (kind) => `stopreplacing${kind}`,
  replaced: (kind) => `replaced${kind}`,
  endBlock: (kind) => `endblock${kind}`,
  acceptKey: (kind) => `accept${kind}hostkey`,
} as const satisfies Record<string, (kind: HostKind) => string>

export const actionOf = (kind: HostKind, act: keyof typeof actionNames): string => actionNames[act](kind)

export const announceHost = (ctx: Context, tx: Db, { kind, uuid }: Host, state: HostState): Promise<void> =>
  announce(ctx, tx, null, [events[kind](uuid, state)])

export async function requireHost(db: Db, uuid: string): Promise<Host> {
  const host = await findAnyHost(db, uuid)
  if (!host) throw new Refusal('RESOURCE_NOT_FOUND')
  return { kind: host.kind, uuid }
}

/** A host with customers serves them whatever its last run did. */
export const isInService = ({ state, accounts }: { state: HostState; accounts: number }): boolean =>
  state === 'ready' || accounts > 0

/** Runs that keep its state may be queued. A move or a first set-up is repeated by administrators only. */
export const isMaintained = ({ state, accounts }: { state: HostState; accounts: number }): boolean =>
  state === 'ready' || (state === 'failed' && accounts > 0)

/** Lock order: every change locks the host first, then its runs. */
export const tryHoldHost = (tx: Db, { kind, uuid }: Host): Promise<store.LockedHost | undefined> =>
  store.lockHost(tx, kind, uuid)

export async function holdHost(tx: Db, host: Host): Promise<store.LockedHost> {
  const lockedHost = await tryHoldHost(tx, host)
  if (!lockedHost) throw new Refusal('RESOURCE_NOT_FOUND')
  return lockedHost
}

export async function changeHost(
  ctx: Context,
  tx: Db,
  host: Host,
  change: {
    state: HostState
    ipv4?: string
    serving?: null
    served_port?: null
    set_by_hand?: boolean
    probe_applied_at?: null
  },
): Promise<void> {
  if (!(await store.updateHost(tx, host.kind, host.uuid, change))) throw new Refusal('RESOURCE_NOT_FOUND')
  await announceHost(ctx, tx, host, change.state)
}
