import { Refusal, type TunnelType, type VpnType } from '@kelid/contract'
import type { Db } from '../../context.ts'
import { type Fit, givePlaceBack, hasPlace, takePlace } from './hosts.store.ts'

/** What an account asks of its server and its tunnel. */
export interface Requirements {
  vpnType: VpnType
  /** '' is none. */
  tunnelType: TunnelType | ''
  /** null is any. */
  countryId: number | null
}

/** The columns of the account that name its hosts. */
export interface Places {
  server_uuid: string
  tunnel_uuid: string | null
}

const serverFit = ({ vpnType, tunnelType, countryId }: Requirements): Fit => ({
  vpn_type: vpnType,
  tunnel_type: tunnelType,
  ...(countryId !== null && { country_id: countryId }),
})
const tunnelFit = ({ tunnelType }: Requirements): Fit => ({ type: tunnelType })

/** Whether a server has room for another account, and a tunnel as well if there is to be one. */
export const hasRoom = async (db: Db, account: Requirements): Promise<boolean> =>
  (await hasPlace(db, 'server', serverFit(account))) &&
  (account.tunnelType === '' || (await hasPlace(db, 'tunnel', tunnelFit(account))))

/** A place on a server, then one on a tunnel if there is to be one: everybody takes them in this order. */
export async function takePlaces(tx: Db, account: Requirements): Promise<Places> {
  const server_uuid = await takePlace(tx, 'server', serverFit(account))
  if (server_uuid === undefined) throw new Refusal('NO_CAPACITY')
  const tunnel_uuid = account.tunnelType === '' ? null : await takePlace(tx, 'tunnel', tunnelFit(account))
  if (tunnel_uuid === undefined) throw new Refusal('NO_CAPACITY')
  return { server_uuid, tunnel_uuid }
}

export async function givePlacesBack(tx: Db, { server_uuid, tunnel_uuid }: Places): Promise<void> {
  await givePlaceBack(tx, 'server', server_uuid)
  if (tunnel_uuid) await givePlaceBack(tx, 'tunnel', tunnel_uuid)
}
