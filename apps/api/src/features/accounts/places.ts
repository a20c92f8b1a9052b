import { Refusal } from '@kelid/contract'
import type { Db } from '../../context.ts'
import * as servers from '../servers/servers.ts'
import * as tunnels from '../tunnels/tunnels.ts'

/** Whether a server has room for another account, and a tunnel as well if there is to be one. */
export const hasRoom = async (db: Db, wish: servers.Wish): Promise<boolean> =>
  (await servers.hasPlace(db, wish)) &&
  (wish.tunnelType === '' || (await tunnels.hasPlace(db, wish.tunnelType)))

/** A place on a server, then one on a tunnel if there is to be one: everybody takes them in this order. */
export async function takePlaces(tx: Db, wish: servers.Wish) {
  const server_uuid = await servers.takePlace(tx, wish)
  if (server_uuid === undefined) throw new Refusal('NO_CAPACITY')
  const tunnel_uuid = wish.tunnelType === '' ? null : await tunnels.takePlace(tx, wish.tunnelType)
  if (tunnel_uuid === undefined) throw new Refusal('NO_CAPACITY')
  return { server_uuid, tunnel_uuid }
}
