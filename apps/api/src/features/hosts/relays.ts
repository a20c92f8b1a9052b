import { createHash, createPrivateKey, createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import { type HostKind, type TunnelType, tunnelTypes } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { Reality } from '../../db/schema.ts'
import { createSshKey, type SshKeyPair } from '../../lib/openssh.ts'
import { productActor } from '../audit/audit.ts'
import { type Host, isMaintained, tryHoldHost } from './kinds.ts'
import * as store from './relays.store.ts'
import { hasOpenRun } from './runs.store.ts'
import { queueUpkeep } from './runs.ts'
import { defaultSshPort } from './secrets.ts'

export { connectionsOf, type Exit, slotsOf } from './relays.store.ts'

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

/** Head of a private X25519 key in PKCS#8. */
const x25519Head = Buffer.from('302e020100300506032b656e04220420', 'hex')

/**
 * Keys of the connections from tunnels to a server with REALITY. They are derived from the other secrets, so they last
 * as long, whichever keys customers get.
 */
export function relayRealityOf({ path, id }: RelaySecrets): Reality & { privateKey: string } {
  const derived = createHash('sha512').update(`${path} ${id} reality`).digest()
  const key = Buffer.concat([x25519Head, derived.subarray(0, 32)])
  const { x = '' } = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' })).export({
    format: 'jwk',
  })
  return {
    privateKey: derived.subarray(0, 32).toString('base64url'),
    publicKey: x,
    shortId: derived.subarray(32, 40).toString('hex'),
  }
}

/** Servers accept this key for their VPN port only. */
export async function relayKeyOf(
  ctx: Context,
  db: Db,
  tunnel: { uuid: string; relay_key: Buffer | null; relay_public_key: string | null },
): Promise<SshKeyPair> {
  const location = `tunnels.relay_key.${tunnel.uuid}` as const
  if (tunnel.relay_key && tunnel.relay_public_key)
    return { privateKey: ctx.seal.open(location, tunnel.relay_key), publicKey: tunnel.relay_public_key }
  const newKey = createSshKey(`tunnel:${tunnel.uuid}`)
  const storedKey = await store.keepRelayKey(
    db,
    tunnel.uuid,
    ctx.seal.close(location, newKey.privateKey),
    newKey.publicKey,
  )
  return { privateKey: ctx.seal.open(location, storedKey.sealed), publicKey: storedKey.publicKey }
}

export interface Peers {
  exits: store.Exit[]
  keys: string[]
  digest: Buffer
}

export async function otherEnds(db: Db, kind: HostKind, tunnelType: TunnelType | ''): Promise<Peers> {
  const exits = kind === 'tunnel' && tunnelType !== '' ? await store.exitsOf(db, tunnelType) : []
  // A wstunnel authenticates with secrets of the server; only ssh has a key per tunnel.
  const keys =
    kind === 'server' && tunnelType === 'ssh'
      ? (await store.entrancesOf(db, tunnelType)).map(({ key }) => key)
      : []
  const facts = exits.map(({ uuid, name, ipv4, port, sshPort, hostKey, isOwnAuthority, service = 1 }) => [
    uuid,
    name,
    ipv4,
    port,
    hostKey,
    isOwnAuthority,
    // Left out where they are the usual ones, so that the digests of earlier versions still hold.
    ...(sshPort === defaultSshPort ? [] : [sshPort]),
    ...(service === 1 ? [] : [{ service }]),
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
 * Provisions hosts in service again whose peers changed, or tunnels with many more accounts; they keep serving meanwhile. A provisioned host is up to
 * date, so this terminates. A host with an open run is checked again afterwards. Servers before tunnels, which is the
 * lock order.
 */
export async function refreshRelays(ctx: Context): Promise<number> {
  let queued = 0
  for (const kind of ['server', 'tunnel'] as const)
    for (const type of tunnelTypes) {
      const { digest } = await otherEnds(ctx.db, kind, type)
      for (const uuid of await store.outdatedHosts(ctx.db, kind, type, digest, ctx.clock.now()))
        queued += await provisionAgain(ctx, { kind, uuid })
    }
  for (const uuid of await store.busyTunnels(ctx.db, ctx.clock.now()))
    queued += await provisionAgain(ctx, { kind: 'tunnel', uuid })
  return queued
}

/** In any state: a tunnel that has failed still leads where its last successful run left it. */
export async function areTunnelsUpToDate(db: Db, tunnelType: TunnelType): Promise<boolean> {
  const { digest } = await otherEnds(db, 'tunnel', tunnelType)
  return !(await store.isATunnelOutdated(db, tunnelType, digest))
}

/** The host keeps serving meanwhile. Returns 0 if it already has a run. */
export const provisionAgain = (ctx: Context, host: Host): Promise<number> =>
  ctx.atomically(async (tx) => {
    const lockedHost = await tryHoldHost(tx, host)
    if (!lockedHost || !isMaintained(lockedHost) || (await hasOpenRun(tx, host))) return 0
    await queueUpkeep(ctx, tx, productActor, host, lockedHost.state)
    return 1
  })
