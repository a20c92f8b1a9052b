import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { day, hasReality, Refusal, realityOverlapDays } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { Reality } from '../../db/schema.ts'
import { type Actor, productActor, record } from '../audit/audit.ts'
import { findServer } from './hosts.store.ts'
import { holdHost, isMaintained, tryHoldHost } from './kinds.ts'
import * as store from './reality.store.ts'
import { queueProvisioning, queueUpkeep } from './runs.ts'

interface Keys extends Reality {
  privateKey: string
}
interface RealityKeys {
  current: Keys
  /** Accepted until all apps have had time to fetch the current ones. */
  previous: Keys | null
}

const locationOf = (uuid: string) => `servers.reality_keys.${uuid}` as const

function newKeys(): Keys {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  return { privateKey: d, publicKey: x, shortId: randomBytes(8).toString('hex') }
}

export const publicPart = ({ publicKey, shortId }: Reality): Reality => ({ publicKey, shortId })

export function newRealityColumns(ctx: Context, uuid: string) {
  const current = newKeys()
  return {
    reality: JSON.stringify(publicPart(current)),
    reality_keys: sealKeys(ctx, uuid, { current, previous: null }),
  }
}

const sealKeys = (ctx: Context, uuid: string, keys: RealityKeys) =>
  ctx.seal.close(locationOf(uuid), JSON.stringify(keys))

export function openRealityKeys(
  ctx: Context,
  { uuid, reality_keys: sealed }: { uuid: string; reality_keys: Buffer | null },
): RealityKeys {
  if (!sealed) throw new Error(`server ${uuid} has no keys for REALITY`)
  return JSON.parse(ctx.seal.open(locationOf(uuid), sealed))
}

const overlap = realityOverlapDays * day

/** Links get the new keys when a run has installed them. Customers with those before come in until the overlap ends. */
export const newRealityKeys = (ctx: Context, by: Actor, uuid: string): Promise<void> =>
  ctx.atomically(async (tx) => {
    const host = { kind: 'server', uuid } as const
    const { state } = await holdHost(tx, host)
    const row = await findServer(tx, uuid)
    if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
    if (!hasReality(row.vpn_type)) throw new Refusal('NO_REALITY', { vpnType: row.vpn_type })
    if (row.reality_changed_at) {
      const end = new Date(row.reality_changed_at.getTime() + overlap)
      throw new Refusal('KEYS_CHANGING', { date: end.toISOString().slice(0, 10) })
    }
    const { current } = openRealityKeys(ctx, row)
    const keys = { current: newKeys(), previous: current }
    await store.keepKeys(tx, uuid, sealKeys(ctx, uuid, keys), ctx.clock.now())
    await queueProvisioning(ctx, tx, by, host, state)
    await record(ctx, tx, by, 'newrealitykeys', uuid, { name: row.name })
  })

/** Ends overlaps. A host without customers and out of service gets its new file with its next run. */
export async function retireRealityKeys(ctx: Context): Promise<number> {
  const due = await store.findOverlapsBegunBefore(ctx.db, new Date(ctx.clock.now().getTime() - overlap))
  for (const uuid of due) await ctx.atomically((tx) => retire(ctx, tx, uuid))
  return due.length
}

async function retire(ctx: Context, tx: Db, uuid: string): Promise<void> {
  const host = { kind: 'server', uuid } as const
  const lockedHost = await tryHoldHost(tx, host)
  const row = await findServer(tx, uuid)
  if (!lockedHost || !row) return
  const { current } = openRealityKeys(ctx, row)
  await store.keepKeys(tx, uuid, sealKeys(ctx, uuid, { current, previous: null }), null)
  if (isMaintained(lockedHost)) await queueUpkeep(ctx, tx, productActor, host, lockedHost.state)
}
