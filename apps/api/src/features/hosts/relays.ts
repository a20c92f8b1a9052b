import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type HostKind, type TunnelType, tunnelTypes } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { createSshKey, type SshKeyPair } from '../../lib/openssh.ts'
import type { By } from '../audit/audit.ts'
import { type Host, tryHoldHost } from './kinds.ts'
import * as store from './relays.store.ts'
import { hasOpenRun } from './runs.store.ts'
import { queueRun } from './runs.ts'

export { type Exit, slotsOf } from './relays.store.ts'

/** Runs that nobody asked for. */
const byHouse: By = { email: 'the product', address: '' }

/** By which a server knows what comes through its tunnels. */
export interface RelaySecrets {
  path: string
  id: string
}

export async function relaySecretsOf(
  ctx: Context,
  db: Db,
  server: { uuid: string; relaySecrets: Buffer | null },
): Promise<RelaySecrets> {
  const location = `servers.relay_secrets.${server.uuid}` as const
  const make = () =>
    store.keepRelaySecrets(
      db,
      server.uuid,
      ctx.seal.close(
        location,
        JSON.stringify({ path: `/${randomBytes(18).toString('base64url')}`, id: randomUUID() }),
      ),
    )
  return JSON.parse(ctx.seal.open(location, server.relaySecrets ?? (await make())))
}

/** The tunnel's own: servers let it in by it, to their VPN port and nowhere else. */
export async function relayKeyOf(
  ctx: Context,
  db: Db,
  tunnel: { uuid: string; relay_key: Buffer | null; relay_public_key: string | null },
): Promise<SshKeyPair> {
  const location = `tunnels.relay_key.${tunnel.uuid}` as const
  if (tunnel.relay_key && tunnel.relay_public_key)
    return { privateKey: ctx.seal.open(location, tunnel.relay_key), publicKey: tunnel.relay_public_key }
  const made = createSshKey(`tunnel:${tunnel.uuid}`)
  const kept = await store.keepRelayKey(
    db,
    tunnel.uuid,
    ctx.seal.close(location, made.privateKey),
    made.publicKey,
  )
  return { privateKey: ctx.seal.open(location, kept.sealed), publicKey: kept.publicKey }
}

/** Who is at the other end of a host's tunnels, and a digest to tell by whether that has changed. */
export interface OtherEnds {
  exits: store.Exit[]
  keys: string[]
  digest: Buffer
}

export async function otherEnds(db: Db, kind: HostKind, tunnelType: TunnelType | ''): Promise<OtherEnds> {
  const exits = kind === 'tunnel' && tunnelType !== '' ? await store.exitsOf(db, tunnelType) : []
  // A wstunnel shows a secret of the server; only ssh lets each tunnel in by a key of its own.
  const keys =
    kind === 'server' && tunnelType === 'ssh'
      ? (await store.entrancesOf(db, tunnelType)).map(({ key }) => key)
      : []
  const facts = exits.map(({ uuid, name, ipv4, port, hostKey, isOwnAuthority }) => [
    uuid,
    name,
    ipv4,
    port,
    hostKey,
    isOwnAuthority,
  ])
  return {
    exits,
    keys,
    digest: createHash('sha256')
      .update(JSON.stringify([facts, keys]))
      .digest(),
  }
}

/**
 * Hosts in service whose other ends have changed are set up again, and go on serving meanwhile. It ends by itself: once a
 * host was set up with what there is, it is up to date. One that has a run is looked at again when that is over. Servers
 * before tunnels, as everybody locks them.
 */
export async function refreshRelays(ctx: Context): Promise<number> {
  let queued = 0
  for (const kind of ['server', 'tunnel'] as const)
    for (const type of tunnelTypes) {
      const { digest } = await otherEnds(ctx.db, kind, type)
      for (const uuid of await store.outdatedHosts(ctx.db, kind, type, digest))
        queued += await setUpAgain(ctx, { kind, uuid })
    }
  return queued
}

/** Whether every tunnel of the type that is in service leads to where its servers are now. */
export async function areTunnelsUpToDate(db: Db, tunnelType: TunnelType): Promise<boolean> {
  const { digest } = await otherEnds(db, 'tunnel', tunnelType)
  return (await store.outdatedHosts(db, 'tunnel', tunnelType, digest)).length === 0
}

/** A host in service, which goes on serving meanwhile; 0 when it has a run already. */
export const setUpAgain = (ctx: Context, host: Host): Promise<number> =>
  ctx.atomically(async (tx) => {
    const held = await tryHoldHost(tx, host)
    if (held?.state !== 'ready' || (await hasOpenRun(tx, host))) return 0
    await queueRun(ctx, tx, byHouse, host, { stateIfCancelled: 'ready', keepsState: true })
    return 1
  })
