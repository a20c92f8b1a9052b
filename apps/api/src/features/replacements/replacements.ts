import { randomUUID } from 'node:crypto'
import {
  type Input,
  Refusal,
  type ReplacementReason,
  type replaceHost as replaceHostCall,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { findRow } from '../hosts/hosts.ts'
import { actionOf, announceHost, type Host, holdHost } from '../hosts/kinds.ts'
import { holdMachine } from '../hosts/machine.ts'
import { servicesAt } from '../hosts/occupancy.ts'
import {
  type Block,
  blocksOf,
  deleteBlock,
  isStated,
  putBlock,
  roomBeside,
  type Target,
} from '../hosts/places.ts'
import { pauseHost } from '../hosts/upkeep.ts'
import * as store from './replacements.store.ts'

export { openReplacements, replaceableHosts } from './shown.ts'

type Wish = Pick<
  Input<typeof replaceHostCall>,
  'wholeMachine' | 'accountTargetCountry' | 'accountTargetOperator' | 'alsoUnstated'
>

const targetOf = ({
  accountTargetCountry = '',
  accountTargetOperator = '',
}: Omit<Wish, 'wholeMachine'>): Target => ({
  country: accountTargetCountry,
  operator: accountTargetOperator,
})

/** null: the host is blocked for everybody. */
const blockOf = (wish: Wish): Block | null => {
  const target = targetOf(wish)
  return isStated(target) ? { ...target, alsoUnstated: wish.alsoUnstated ?? false } : null
}

const servicesBeside = async (db: Db, { kind, uuid }: Host): Promise<Host[]> => {
  const host = await findRow(db, kind, uuid)
  // It may have been removed since.
  return host ? servicesAt(db, host.row.ipv4) : []
}

async function roomFor(db: Db, host: Host, block: Block | null) {
  const [{ ways, unstated }, room] = await Promise.all([
    block ? store.countConcerned(db, host, block) : store.countWays(db, host),
    roomBeside(db, host, block ?? undefined),
  ])
  const placed = Math.min(ways, room.all)
  return { ways, unstated, placed, elsewhere: Math.max(0, placed - room.here) }
}

/** Services of the same type are counted as if each had the free places for itself. */
export async function readReplacement({ db }: Context, host: Host, wish: Wish) {
  const hosts = wish.wholeMachine ? await servicesBeside(db, host) : [host]
  const rooms = await Promise.all(hosts.map((one) => roomFor(db, one, blockOf(wish))))
  const sum = (name: 'ways' | 'unstated' | 'placed' | 'elsewhere') =>
    rooms.reduce((total, room) => total + room[name], 0)
  const [blocks, latest, latestOfBlocks, targets] = await Promise.all([
    blocksOf(db, host.uuid),
    store.latestOf(db, host.uuid, { onlyBlocked: false }),
    store.latestOf(db, host.uuid, { onlyBlocked: true }),
    store.targetsOf(db, host),
  ])
  return {
    ...{ ways: sum('ways'), unstated: sum('unstated'), placed: sum('placed'), elsewhere: sum('elsewhere') },
    latest: toReplacement(latest),
    latestOfBlocks: toReplacement(latestOfBlocks),
    blocks: blocks.map(({ country, operator, also_unstated, since, blocked_by }) => ({
      ...{ accountTargetCountry: country, accountTargetOperator: operator, alsoUnstated: also_unstated },
      ...{ sinceDate: since.toISOString(), blockedBy: blocked_by },
    })),
    targets: targets.map(({ country, operator, ways }) => ({
      ...{ accountTargetCountry: country, accountTargetOperator: operator, ways },
    })),
  }
}

const toReplacement = (row: store.Replacement | undefined) =>
  row
    ? {
        reason: row.reason,
        startedDate: row.started_at.toISOString(),
        startedBy: row.started_by,
        moved: row.moved,
        stuck: row.stuck,
        finishedDate: row.finished_at?.toISOString() ?? null,
      }
    : null

/** A host that is blocked for everybody takes no new accounts at all. */
export const replaceHost = (
  ctx: Context,
  by: Actor,
  host: Host,
  { reason, ...wish }: Wish & { reason: string },
): Promise<void> =>
  ctx.atomically(async (tx) => {
    const block = blockOf(wish)
    if (wish.wholeMachine) await holdMachine(tx, host)
    let begun = 0
    for (const one of wish.wholeMachine ? await servicesBeside(tx, host) : [host]) {
      const { name, state } = await holdHost(tx, one)
      const isNew =
        block !== null && (await putBlock(tx, one.uuid, block, { by: by.email, since: ctx.clock.now() }))
      const isBegun = await begin(ctx, tx, one, 'blocked', { by: by.email, onlyBlocked: block !== null })
      if (!isBegun && !isNew) continue
      begun += 1
      if (block) await announceHost(ctx, tx, one, state)
      else await pauseHost(ctx, tx, one, state)
      await record(ctx, tx, by, actionOf(one.kind, 'replace'), one.uuid, { name, reason, ...block })
    }
    if (begun === 0) throw new Refusal('BEING_REPLACED')
  })

/** Returns whether it is new. */
export const begin = (
  ctx: Context,
  tx: Db,
  { kind, uuid }: Host,
  reason: ReplacementReason,
  { by = '', onlyBlocked = false } = {},
): Promise<boolean> =>
  store.insertReplacement(tx, {
    ...{ uuid: randomUUID(), kind, host_uuid: uuid, reason, only_blocked: onlyBlocked },
    ...{ started_by: by, started_at: ctx.clock.now() },
  })

/** Of all accounts; a block is ended instead. */
export const stopReplacing = (ctx: Context, by: Actor, host: Host): Promise<void> =>
  ctx.atomically(async (tx) => {
    const { name, state } = await holdHost(tx, host)
    const stopped = await finish(ctx, tx, host, { onlyBlocked: false })
    if (!stopped) throw new Refusal('NOTHING_RUNS')
    await announceHost(ctx, tx, host, state)
    await record(ctx, tx, by, actionOf(host.kind, 'stopReplacing'), host.uuid, { name, ...stopped })
  })

async function finish(ctx: Context, tx: Db, host: Host, which: { onlyBlocked: boolean }) {
  const latest = await store.latestOf(tx, host.uuid, which)
  const open = latest && (await store.lockOpen(tx, latest.uuid))
  if (!open) return null
  const { moved, stuck } = open
  await store.noteProgress(tx, open.uuid, { moved, stuck, finished_at: ctx.clock.now() })
  return { moved, stuck }
}

export const endBlock = (
  ctx: Context,
  by: Actor,
  host: Host,
  wish: Omit<Wish, 'wholeMachine' | 'alsoUnstated'>,
): Promise<void> =>
  ctx.atomically(async (tx) => {
    const { name, state } = await holdHost(tx, host)
    const target = targetOf(wish)
    if (!(await deleteBlock(tx, host.uuid, target))) throw new Refusal('NOTHING_RUNS')
    if ((await blocksOf(tx, host.uuid)).length === 0) await finish(ctx, tx, host, { onlyBlocked: true })
    await announceHost(ctx, tx, host, state)
    await record(ctx, tx, by, actionOf(host.kind, 'endBlock'), host.uuid, { name, ...target })
  })
