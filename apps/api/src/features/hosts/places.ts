import { type CountryOffer, type HostKind, Refusal, type TunnelType, type VpnType } from '@kelid/contract'
import type { Db } from '../../context.ts'
import {
  type Fit,
  givePlaceBack,
  hasPlace,
  listOffers,
  listTargets,
  lockPlaces,
  type Preference,
  roomBesideServer,
  roomBesideTunnel,
  takePlace,
} from './hosts.store.ts'
import type { Host } from './kinds.ts'

export { lockPlaces }

export interface Requirements {
  vpnType: VpnType
  tunnelType: TunnelType | ''
  countryId?: number | undefined
  /** Where the customer is, and whose network they use: a preference, not a requirement. */
  targetCountry?: string | undefined
  targetOperator?: string | undefined
}

export interface Places {
  server_uuid: string
  tunnel_uuid: string | null
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

export const hasRoom = (db: Db, account: Requirements): Promise<boolean> =>
  hasPlace(db, 'server', serverFit(account))

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
): Promise<Places> {
  const preference = serverPreference(account)
  const servers = taken.map((places) => places.server_uuid)
  const server_uuid = await takePlace(tx, 'server', serverFit(account), { preference, except: servers })
  if (server_uuid === undefined) throw new Refusal('NO_CAPACITY')
  const except = taken.flatMap(({ tunnel_uuid }) => tunnel_uuid ?? [])
  const tunnel_uuid =
    account.tunnelType === '' ? null : await takePlace(tx, 'tunnel', { server: server_uuid }, { except })
  if (tunnel_uuid === undefined) throw new Refusal('NO_CAPACITY')
  return { server_uuid, tunnel_uuid }
}

/** The first one must be there; there may be fewer further ones than wanted. */
export async function takePlacesAt(
  tx: Db,
  account: Requirements,
  count: number,
): Promise<{ first: Places; further: Places[] }> {
  // Two purchases could wait for each other's servers.
  if (count > 1) await lockPlaces(tx)
  const first = await takePlaces(tx, account)
  const further: Places[] = []
  while (further.length < count - 1 && (await hasPlaceBeside(tx, account, [first, ...further])))
    further.push(await takePlaces(tx, account, [first, ...further]))
  return { first, further }
}

interface PlacedWay extends Requirements, Places {}

/**
 * Other places for a way of an account that has `taken`: behind the same server if only its tunnel is replaced, then in the
 * same country, then anywhere. null if there are none. Call it with all places locked; a replaced host must be paused
 * or down.
 */
export async function takeOtherPlaces(
  tx: Db,
  replaced: HostKind,
  way: PlacedWay,
  taken: readonly Places[],
): Promise<Places | null> {
  const { server_uuid } = way
  if (replaced === 'tunnel') {
    const except = taken.flatMap(({ tunnel_uuid }) => tunnel_uuid ?? [])
    const tunnel_uuid = await takePlace(tx, 'tunnel', { server: server_uuid }, { except })
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
export const roomBeside = (db: Db, host: Host): Promise<{ here: number; all: number }> =>
  host.kind === 'server' ? roomBesideServer(db, host.uuid) : roomBesideTunnel(db, host.uuid)

const hasPlaceBeside = (tx: Db, account: Requirements, taken: readonly Places[]): Promise<boolean> =>
  hasPlace(tx, 'server', serverFit(account), { except: taken.map(({ server_uuid }) => server_uuid) })

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
