import { Refusal } from '@kelid/contract'
import type { Db } from '../../context.ts'
import { Overtaken } from '../../db/database.ts'
import * as servers from '../servers/servers.ts'
import * as tunnels from '../tunnels/tunnels.ts'

/** Whether a server has room for another account, and a tunnel as well if there is to be one. */
export const hasRoom = async (db: Db, wish: servers.Wish): Promise<boolean> =>
  (await servers.hasPlace(db, wish)) &&
  (wish.tunnelType === '' || (await tunnels.hasPlace(db, wish.tunnelType)))

/**
 * Taking a place waits for the host's row; when that host filled up in the meantime another may still have room, so
 * "none" is only believed when a look at all of them says so too. A host that filled up is let go of first:
 * whoever waits for one host while holding another would sooner or later meet somebody who does the opposite.
 */
export async function refusePlace(tx: Db, wish: servers.Wish): Promise<never> {
  throw (await hasRoom(tx, wish)) ? new Overtaken() : new Refusal('NO_CAPACITY')
}
