import { randomUUID } from 'node:crypto'
import { type HostKind, Refusal, type ReplacementReason } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { announceAccount, placesOf } from '../accounts/accounts.ts'
import { type Actor, productActor, record } from '../audit/audit.ts'
import { findRow } from '../hosts/hosts.ts'
import { actionOf, type Host, holdHost, tryHoldHost } from '../hosts/kinds.ts'
import { holdMachine } from '../hosts/machine.ts'
import { servicesAt } from '../hosts/occupancy.ts'
import { leavePlaces, lockPlaces, noteReturn, roomBeside, takeOtherPlaces } from '../hosts/places.ts'
import { pauseHost } from '../hosts/upkeep.ts'
import { currentSettings } from '../settings/settings.ts'
import * as store from './replacements.store.ts'

/** Ways that get another host in a minute: customers' apps fetch their new subscriptions little by little. */
export const perMinute = 100

const minute = 60_000
/** If more hosts are down at once, the fault is more likely at the control plane or its network. */
const largestShareDown = 0.5

const servicesBeside = async (db: Db, { kind, uuid }: Host): Promise<Host[]> => {
  const host = await findRow(db, kind, uuid)
  // It may have been removed since.
  return host ? servicesAt(db, host.row.ipv4) : []
}

async function roomFor(db: Db, host: Host) {
  const [ways, room] = await Promise.all([store.countWays(db, host), roomBeside(db, host)])
  const placed = Math.min(ways, room.all)
  return { ways, placed, elsewhere: Math.max(0, placed - room.here) }
}

/** Services of the same type are counted as if each had the free places for itself. */
export async function readReplacement({ db }: Context, host: Host, isWholeMachine: boolean) {
  const hosts = isWholeMachine ? await servicesBeside(db, host) : [host]
  const rooms = await Promise.all(hosts.map((one) => roomFor(db, one)))
  const sum = (name: 'ways' | 'placed' | 'elsewhere') => rooms.reduce((total, room) => total + room[name], 0)
  const latest = await store.latestOf(db, host.uuid)
  return {
    ...{ ways: sum('ways'), placed: sum('placed'), elsewhere: sum('elsewhere') },
    latest: latest
      ? {
          reason: latest.reason,
          startedDate: latest.started_at.toISOString(),
          startedBy: latest.started_by,
          moved: latest.moved,
          stuck: latest.stuck,
          finishedDate: latest.finished_at?.toISOString() ?? null,
        }
      : null,
  }
}

export const replaceHost = (
  ctx: Context,
  by: Actor,
  host: Host,
  { reason, wholeMachine = false }: { reason: string; wholeMachine?: boolean | undefined },
): Promise<void> =>
  ctx.atomically(async (tx) => {
    if (wholeMachine) await holdMachine(tx, host)
    let begun = 0
    for (const one of wholeMachine ? await servicesBeside(tx, host) : [host]) {
      const { name, state } = await holdHost(tx, one)
      if (!(await begin(ctx, tx, one, 'blocked', by.email))) continue
      begun += 1
      await pauseHost(ctx, tx, one, state)
      await record(ctx, tx, by, actionOf(one.kind, 'replace'), one.uuid, { name, reason })
    }
    if (begun === 0) throw new Refusal('BEING_REPLACED')
  })

const begin = (
  ctx: Context,
  tx: Db,
  { kind, uuid }: Host,
  reason: ReplacementReason,
  startedBy: string,
): Promise<boolean> =>
  store.insertReplacement(tx, {
    ...{ uuid: randomUUID(), kind, host_uuid: uuid, reason },
    ...{ started_by: startedBy, started_at: ctx.clock.now() },
  })

export const stopReplacing = (ctx: Context, by: Actor, host: Host): Promise<void> =>
  ctx.atomically(async (tx) => {
    const { name } = await holdHost(tx, host)
    const latest = await store.latestOf(tx, host.uuid)
    const open = latest && (await store.lockOpen(tx, latest.uuid))
    if (!open) throw new Refusal('NOTHING_RUNS')
    const { moved, stuck } = open
    await store.noteProgress(tx, open.uuid, { moved, stuck, finished_at: ctx.clock.now() })
    await record(ctx, tx, by, actionOf(host.kind, 'stopReplacing'), host.uuid, { name, moved, stuck })
  })

/** Begins to replace hosts that have been down for the time in the settings, and goes on with all that were begun. */
export async function replaceWays(ctx: Context): Promise<{ moved: number }> {
  await beginWithThoseDown(ctx)
  let moved = 0
  for (const { uuid, kind, host_uuid } of await store.openReplacements(ctx.db))
    moved += await goOn(ctx, uuid, { kind, uuid: host_uuid })
  return { moved }
}

async function beginWithThoseDown(ctx: Context): Promise<void> {
  const { replaceDownAfter } = await currentSettings(ctx.db)
  if (replaceDownAfter === 0) return
  const since = new Date(ctx.clock.now().getTime() - replaceDownAfter * minute)
  for (const { kind, uuid, name, share } of await store.downSince(ctx.db, since)) {
    if (share > largestShareDown) return
    await ctx.atomically(async (tx) => {
      const host = { kind, uuid }
      if (!(await tryHoldHost(tx, host)) || !(await begin(ctx, tx, host, 'down', ''))) return
      await record(ctx, tx, productActor, actionOf(kind, 'replace'), uuid, { name, reason: 'down' })
    })
  }
}

/** One transaction, which blocks purchases for the fraction of a second that it takes. */
const goOn = (ctx: Context, replacement: string, host: Host): Promise<number> =>
  ctx.atomically(async (tx) => {
    // First of all: whoever holds a host and then wants all places could wait for another who does the same.
    await lockPlaces(tx)
    const lockedHost = await tryHoldHost(tx, host)
    const before = await store.lockOpen(tx, replacement)
    if (!before) return 0
    const isOver = !lockedHost || (before.reason === 'down' && !(await store.isDown(tx, host.uuid)))
    const { moved, stuck } = isOver ? { moved: 0, stuck: 0 } : await moveSome(ctx, tx, host)
    const left = lockedHost ? await store.countWays(tx, host) : 0
    // One that is down stays until it is back, because new accounts may come to it.
    const isDone = isOver || (left === 0 && before.reason === 'blocked')
    const now = ctx.clock.now()
    await store.noteProgress(tx, replacement, {
      ...{ moved: before.moved + moved, stuck, finished_at: isDone ? now : null },
    })
    if (isOver && lockedHost) await noteReturn(tx, host.kind, host.uuid)
    if (isDone) {
      const detail = { moved: before.moved + moved, left }
      await record(ctx, tx, productActor, actionOf(host.kind, 'replaced'), host.uuid, detail)
    }
    return moved
  })

async function moveSome(ctx: Context, tx: Db, host: Host): Promise<{ moved: number; stuck: number }> {
  const ways = await store.lockWays(tx, host, perMinute)
  let stuck = 0
  for (const way of ways) {
    const places = await otherPlaces(tx, host.kind, way)
    if (!places) {
      stuck += 1
      continue
    }
    await store.moveWay(tx, way, places)
    await leavePlaces(tx, way, places)
    await announceAccount(ctx, tx, way.user_id, way.account_uuid)
  }
  return { moved: ways.length - stuck, stuck }
}

const otherPlaces = async (tx: Db, replaced: HostKind, way: store.ReplacedWay) =>
  takeOtherPlaces(
    tx,
    replaced,
    { ...way, vpnType: way.vpn_type, tunnelType: way.tunnel_type, countryId: way.country_id },
    await placesOf(tx, [way.account_uuid]),
  )
