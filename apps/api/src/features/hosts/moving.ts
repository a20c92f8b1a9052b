import { isDeepStrictEqual } from 'node:util'
import { type Input, limits, type MoveRefusal, moveHostAccounts, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { announceAccountsOf } from '../events/events.ts'
import { answerOnce } from '../idempotency/idempotency.ts'
import { lockUser } from '../users/users.ts'
import { givePlaceBack, lockPlaces } from './hosts.store.ts'
import { actionOf, announceHost, type Host, requireHost } from './kinds.ts'
import * as store from './moving.store.ts'
import type { Places } from './places.ts'

export { forgetEndedWays } from './moving.store.ts'

export interface Move {
  from: Host
  to: Host
}

/** A host of the other kind is treated like an unknown UUID. */
export const moveOf = (from: Host, toHostUUID: string): Move => ({
  from,
  to: { kind: from.kind, uuid: toHostUUID },
})

const placesOf = async (db: Db, { kind, uuid }: Host): Promise<store.HostPlaces> => {
  const places = await store.findPlaces(db, kind, uuid)
  if (!places) throw new Refusal('RESOURCE_NOT_FOUND')
  return places
}

export async function listMoveTargets(
  { db }: Context,
  host: Host,
  { search, limit = limits.pageMax }: { search?: string | undefined; limit?: number | undefined },
) {
  const places = await placesOf(db, host)
  const ends = await store.otherEnds(db, host.kind, host.uuid)
  const rows = await store.listTargets(db, host.kind, places, ends, { search, limit })
  return { items: rows.map(({ uuid: hostUUID, name: hostName, room }) => ({ hostUUID, hostName, room })) }
}

function refusalOf(source: store.HostPlaces, target: store.HostPlaces): MoveRefusal | null {
  if (source.uuid === target.uuid || !isDeepStrictEqual(source.fit, target.fit)) return 'NOT_THE_SAME_KIND'
  if (target.state !== 'ready' || target.paused || target.quota_state === 'exhausted') return 'HOST_NOT_READY'
  return target.room < source.accounts ? 'NO_ROOM' : null
}

export async function quoteMove(db: Db, { from, to }: Move) {
  const [source, target] = [await placesOf(db, from), await placesOf(db, to)]
  const ends = await store.otherEnds(db, from.kind, from.uuid)
  const leads = await store.leadsTo(db, to.kind, to.uuid, ends)
  const refusal = refusalOf(source, target) ?? (leads ? null : 'NO_WAY_THERE')
  return {
    accounts: source.accounts,
    room: target.room,
    fits: refusal === null,
    refusal,
    sameCountry: source.countryId === target.countryId,
    states: [source.state, target.state] as const,
  }
}

async function requireMovable(tx: Db, move: Move, quotedAccounts: number) {
  const { accounts, room, refusal, states } = await quoteMove(tx, move)
  if (accounts !== quotedAccounts) throw new Refusal('CHANGED_MEANWHILE')
  if (refusal) throw new Refusal(refusal, refusal === 'NO_ROOM' ? { accounts, room } : {})
  return states
}

interface Mover {
  readonly caller: { readonly userId: number }
  readonly by: Actor
  readonly idempotencyKey: string | null
}

/**
 * Moves all accounts of a host to another of the same kind, if their number is still the quoted one. A purchase may
 * hold a host that filled up meanwhile, and a move holds two, so the move locks all places and checks again.
 */
export const moveAccounts = (
  ctx: Context,
  { caller, by, idempotencyKey: key }: Mover,
  input: Input<typeof moveHostAccounts>,
): Promise<{ accounts: number }> =>
  ctx.atomically(async (tx) => {
    const { accounts, toHostUUID } = input
    const user = await lockUser(tx, caller.userId)
    const request = { userId: user.id, key, call: moveHostAccounts, input }
    return answerOnce(tx, request, ctx.clock.now(), async () => {
      const from = await requireHost(tx, input.hostUUID)
      const move = moveOf(from, toHostUUID)
      const { to } = move
      await requireMovable(tx, move, accounts)
      await store.lockAccountsOf(tx, from.kind, from.uuid)
      await lockPlaces(tx)
      const [stateOfSource, stateOfTarget] = await requireMovable(tx, move, accounts)
      await announceAccountsOf(ctx, tx, from.kind, from.uuid)
      await store.moveAccounts(tx, from.kind, from.uuid, to.uuid, accounts)
      await announceHost(ctx, tx, from, stateOfSource)
      await announceHost(ctx, tx, to, stateOfTarget)
      await record(ctx, tx, by, actionOf(from.kind, 'moveAccounts'), from.uuid, {
        from: from.uuid,
        to: to.uuid,
        accounts,
      })
      return { accounts }
    })
  })

/** An unchanged tunnel is named again. Two opposite moves would deadlock, so it locks all places. */
export async function movePlaces(tx: Db, from: Places, to: Places): Promise<void> {
  const pairs = [
    ['server', from.server_uuid, to.server_uuid],
    ['tunnel', from.tunnel_uuid, to.tunnel_uuid],
  ] as const
  const moves = pairs.filter(([, here, there]) => here !== there)
  if (moves.length === 0) throw new Refusal('NOT_THE_SAME_KIND')
  await lockPlaces(tx)
  for (const [kind, here, there] of moves) {
    if (here === null || there === null) throw new Refusal('NOT_THE_SAME_KIND')
    const source = { ...(await placesOf(tx, { kind, uuid: here })), accounts: 1 }
    const target = await placesOf(tx, { kind, uuid: there })
    const refusal = refusalOf(source, target)
    if (refusal) throw new Refusal(refusal, refusal === 'NO_ROOM' ? { accounts: 1, room: target.room } : {})
    await givePlaceBack(tx, kind, here)
    await givePlaceBack(tx, kind, there, -1)
  }
  if (!(await store.leadsTo(tx, 'server', to.server_uuid, [to.tunnel_uuid])))
    throw new Refusal('NO_WAY_THERE')
}
