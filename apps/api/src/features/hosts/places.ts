import {
  type CountryOffer,
  type HostKind,
  limits,
  Refusal,
  type TunnelType,
  type VpnType,
} from '@kelid/contract'
import type { Db } from '../../context.ts'
import { concernsAccount, isBlockedForAccount, type Target } from './blocks.store.ts'
import {
  type Fit,
  givePlaceBack,
  hasPlace,
  listOffers,
  listTargets,
  lockPlaces,
  noteReturn,
  type Places,
  type Preference,
  roomBesideServer,
  roomBesideTunnel,
  takePlace,
} from './hosts.store.ts'
import type { Host } from './kinds.ts'

export { type Block, blocksOf, deleteBlock, isStated, putBlock } from './blocks.store.ts'
export { concernsAccount, isBlockedForAccount, lockPlaces, noteReturn, type Places, type Target }

export interface Requirements {
  vpnType: VpnType
  tunnelType: TunnelType | ''
  countryId?: number | undefined
  /** Where the customer is, and whose network they use: hosts meant for them come first, blocked ones are left out. */
  targetCountry?: string | undefined
  targetOperator?: string | undefined
}

const serverFit = ({ vpnType, tunnelType, countryId }: Requirements): Fit => ({
  vpn_type: vpnType,
  tunnel_type: tunnelType,
  ...(countryId && { country_id: countryId }),
})
const serverPreference = ({ targetCountry, targetOperator }: Requirements): Preference => ({
  ...(targetCountry && { serverTargetCountry: targetCountry }),
  ...(targetOperator && { serverTargetOperator: targetOperator }),
})

const targetOf = ({ targetCountry = '', targetOperator = '' }: Requirements): Target => ({
  country: targetCountry,
  operator: targetOperator,
})

export const hasRoom = (db: Db, account: Requirements): Promise<boolean> =>
  hasPlace(db, 'server', serverFit(account), { target: targetOf(account) })

export async function offersByCountry(db: Db): Promise<ReadonlyMap<number, CountryOffer[]>> {
  const offers = new Map<number, CountryOffer[]>()
  for (const { country_id, vpn_type, tunnel_type } of await listOffers(db)) {
    const offer = { accountVPNType: vpn_type, accountTunnelType: tunnel_type }
    offers.set(country_id, [...(offers.get(country_id) ?? []), offer])
  }
  return offers
}

export const targetsOnOffer = (db: Db) => listTargets(db)

/** Always server before tunnel: this is the lock order. */
export async function takePlaces(
  tx: Db,
  account: Requirements,
  taken: readonly Places[] = [],
  { onlyElsewhere = true } = {},
): Promise<Places> {
  const target = targetOf(account)
  const choice = { preference: serverPreference(account), taken, onlyElsewhere, target }
  const server_uuid = await takePlace(tx, 'server', serverFit(account), choice)
  if (server_uuid === undefined) throw new Refusal('NO_CAPACITY')
  const tunnel_uuid =
    account.tunnelType === ''
      ? null
      : await takePlace(tx, 'tunnel', { server: server_uuid }, { taken, target })
  if (tunnel_uuid === undefined) throw new Refusal('NO_CAPACITY')
  return { server_uuid, tunnel_uuid }
}

export interface PlacedWay extends Requirements {
  readonly places: Places
}

/**
 * The first way and the chosen ones must be there, the chosen ones on machines of their own if possible. There may be
 * fewer than `count` of the account's type.
 */
export async function takePlacesAt(
  tx: Db,
  account: Requirements,
  { chosen, count }: { chosen: readonly Requirements[]; count: number },
): Promise<{ first: Places; further: PlacedWay[] }> {
  // Two purchases could wait for each other's servers.
  if (count > 1 || chosen.length > 0) await lockPlaces(tx)
  const wanted = [account, ...chosen].map((way, position) => ({ ...way, position }))
  const placed: (PlacedWay & { position: number })[] = []
  const taken = () => placed.map(({ places }) => places)
  // A way that may be anywhere leaves the servers of a country to the ways that must be there.
  for (const way of wanted.toSorted((one, other) => Number(!one.countryId) - Number(!other.countryId)))
    placed.push({ ...way, places: await takePlaces(tx, way, taken(), { onlyElsewhere: false }) })
  const most = Math.min(limits.waysMax, count + chosen.length)
  while (placed.length < most && (await hasPlaceBeside(tx, account, taken())))
    placed.push({ ...account, position: placed.length, places: await takePlaces(tx, account, taken()) })
  const [first, ...further] = placed.sort((one, other) => one.position - other.position)
  if (!first) throw new Error('the first way has no place')
  return { first: first.places, further }
}

interface MovedWay extends Requirements, Places {}

/**
 * Other places for a way of an account that has `taken`: behind the same server if only its tunnel is replaced, then in the
 * same country, then anywhere. null if there are none. Call it with all places locked; a replaced host must be paused,
 * down or blocked for the account.
 */
export async function takeOtherPlaces(
  tx: Db,
  replaced: HostKind,
  way: MovedWay,
  taken: readonly Places[],
): Promise<Places | null> {
  const { server_uuid } = way
  if (replaced === 'tunnel') {
    const choice = { taken, target: targetOf(way) }
    const tunnel_uuid = await takePlace(tx, 'tunnel', { server: server_uuid }, choice)
    if (tunnel_uuid) return { server_uuid, tunnel_uuid }
  }
  for (const account of [way, { ...way, countryId: undefined }])
    if (await hasPlaceBeside(tx, account, taken)) return takePlaces(tx, account, taken)
  return null
}

/** Of a way that has moved: a place that it still has stays taken. */
export async function leavePlaces(tx: Db, from: Places, to: Places): Promise<void> {
  if (from.server_uuid !== to.server_uuid) await givePlaceBack(tx, 'server', from.server_uuid)
  if (from.tunnel_uuid && from.tunnel_uuid !== to.tunnel_uuid)
    await givePlaceBack(tx, 'tunnel', from.tunnel_uuid)
}

/** Free places for accounts of a host elsewhere: in this country, and in all. */
export const roomBeside = (
  db: Db,
  { kind, uuid }: Host,
  target?: Target,
): Promise<{ here: number; all: number }> =>
  kind === 'server' ? roomBesideServer(db, uuid, target) : roomBesideTunnel(db, uuid, target)

const hasPlaceBeside = (tx: Db, account: Requirements, taken: readonly Places[]): Promise<boolean> =>
  hasPlace(tx, 'server', serverFit(account), { taken, onlyElsewhere: true, target: targetOf(account) })

/** Locks all places for more than one: a transaction that waits for a place may hold a full host, which could deadlock. */
export async function givePlacesBack(tx: Db, all: readonly Places[]): Promise<void> {
  if (all.length === 0) return
  if (all.length > 1) await lockPlaces(tx)
  for (const [uuid, count] of countsOf(all.map(({ server_uuid }) => server_uuid)))
    await givePlaceBack(tx, 'server', uuid, count)
  for (const [uuid, count] of countsOf(all.flatMap(({ tunnel_uuid }) => tunnel_uuid ?? [])))
    await givePlaceBack(tx, 'tunnel', uuid, count)
}

function countsOf(uuids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const uuid of uuids) counts.set(uuid, (counts.get(uuid) ?? 0) + 1)
  return counts
}
