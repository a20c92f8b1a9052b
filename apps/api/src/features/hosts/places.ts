import { type CountryOffer, Refusal, type TunnelType, type VpnType } from '@kelid/contract'
import type { Db } from '../../context.ts'
import {
  type Fit,
  givePlaceBack,
  hasPlace,
  listOffers,
  listTargets,
  lockPlaces,
  type Preference,
  takePlace,
} from './hosts.store.ts'

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
