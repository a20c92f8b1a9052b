import type { HostKind } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { announceAccount, placesOf } from '../accounts/accounts.ts'
import { productActor, record } from '../audit/audit.ts'
import { actionOf, announceHost, type Host, tryHoldHost } from '../hosts/kinds.ts'
import { leavePlaces, lockPlaces, noteReturn, takeOtherPlaces } from '../hosts/places.ts'
import { currentSettings } from '../settings/settings.ts'
import * as store from './replacements.store.ts'
import { begin } from './replacements.ts'

/** Ways that get another host in a minute: customers' apps fetch their new subscriptions little by little. */
export const perMinute = 100

const minute = 60_000
/** If more hosts are down at once, the fault is more likely at the control plane or its network. */
const largestShareDown = 0.5

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
      const lockedHost = await tryHoldHost(tx, host)
      if (!lockedHost || !(await begin(ctx, tx, host, 'down'))) return
      await announceHost(ctx, tx, host, lockedHost.state)
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
    const { moved, stuck } = isOver ? { moved: 0, stuck: 0 } : await moveSome(ctx, tx, host, before)
    const left = lockedHost ? (await store.countWays(tx, host, before)).ways : 0
    // One that is down stays until it is back, because new accounts may come to it.
    const isDone = isOver || (left === 0 && before.reason === 'blocked')
    const now = ctx.clock.now()
    await store.noteProgress(tx, replacement, {
      ...{ moved: before.moved + moved, stuck, finished_at: isDone ? now : null },
    })
    if (isOver && lockedHost && !before.only_blocked) await noteReturn(tx, host.kind, host.uuid)
    if (lockedHost && (moved > 0 || stuck !== before.stuck || isDone))
      await announceHost(ctx, tx, host, lockedHost.state)
    if (isDone) {
      const detail = { moved: before.moved + moved, left }
      await record(ctx, tx, productActor, actionOf(host.kind, 'replaced'), host.uuid, detail)
    }
    return moved
  })

async function moveSome(
  ctx: Context,
  tx: Db,
  host: Host,
  which: store.Which,
): Promise<{ moved: number; stuck: number }> {
  const ways = await store.lockWays(tx, host, which, perMinute)
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
    {
      ...way,
      ...{ vpnType: way.vpn_type, tunnelType: way.tunnel_type, countryId: way.country_id },
      ...{ targetCountry: way.target_country, targetOperator: way.target_operator },
    },
    await placesOf(tx, [way.account_uuid]),
  )
