import { Refusal } from '@kelid/contract'
import type { Db } from '../../context.ts'
import * as servers from '../servers/servers.ts'
import * as tunnels from '../tunnels/tunnels.ts'
import { NoPlace } from './purchase.store.ts'

/** Whether a server has room for another account, and a tunnel as well if there is to be one. */
export const hasRoom = async (db: Db, wish: servers.Wish): Promise<boolean> =>
  (await servers.hasPlace(db, wish)) &&
  (wish.tunnelType === '' || (await tunnels.hasPlace(db, wish.tunnelType)))

/**
 * Taking a place waits for the host's row; when that host filled up in the meantime another may still have room, so
 * "none" is only believed when a look at all of them says so too. A host that filled up is let go of first:
 * whoever waits for one host while holding another would sooner or later meet somebody who does the opposite.
 */
export async function whileThereIsRoom<Result>(
  db: Db,
  wish: servers.Wish,
  take: () => Promise<Result>,
): Promise<Result> {
  for (;;)
    try {
      return await take()
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error
      if (!(await hasRoom(db, wish))) throw new Refusal('NO_CAPACITY')
    }
}
