import { Refusal, type TunnelType } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { hostCopyOf } from './cleaning.ts'
import type { Host } from './kinds.ts'
import * as store from './occupancy.store.ts'
import { tlsNameOf } from './tls-name.ts'

export { lockAddresses } from './occupancy.store.ts'

export const isAddressInUse = async (db: Db, ipv4: string): Promise<boolean> =>
  (await store.hostsAt(db, ipv4)).length > 0

/**
 * One host per address: a second one would overwrite the first. The caller has locked the addresses. A machine counts
 * as used while it is cleaned, and while the host that is leaving it is not ready elsewhere and so still serves from
 * it.
 */
export async function requireFreeAddress(
  ctx: Context,
  tx: Db,
  { uuid }: Host,
  address: string,
): Promise<void> {
  const occupant = (await store.hostsAt(tx, address)).find((host) => host.uuid !== uuid)
  if (occupant) throw new Refusal('ADDRESS_TAKEN', { address, name: occupant.name })
  for (const run of await store.openCleanings(tx, uuid)) {
    const { ipv4, name } = hostCopyOf(ctx, run)
    if (ipv4 !== address) continue
    if (run.state === 'running') throw new Refusal('ADDRESS_IN_CLEANING', { address, name })
    if ((run.host_state ?? 'ready') !== 'ready') throw new Refusal('ADDRESS_STILL_USED', { address, name })
  }
}

/**
 * Tunnels identify servers by TLS name only, and a renamed server keeps its former name until it is provisioned. The
 * caller has locked the addresses.
 */
export async function requireFreeTlsName(
  tx: Db,
  server: { uuid: string; url: string; sni: string | undefined; tunnelType: TunnelType | '' },
): Promise<void> {
  if (server.tunnelType === '') return
  const tlsName = tlsNameOf(server).toLowerCase()
  const others = await store.otherServersOf(tx, server.tunnelType, server.uuid)
  const namesake = others.find(({ url, details, serving }) =>
    [tlsNameOf({ url, sni: details.serverSNIAddress }), serving?.name].some(
      (name) => name?.toLowerCase() === tlsName,
    ),
  )
  if (namesake) throw new Refusal('TLS_NAME_TAKEN', { tlsName, name: namesake.name })
}
