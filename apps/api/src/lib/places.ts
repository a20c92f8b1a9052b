import { Refusal } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Taking a place waits for the host's row; when that host filled up in the meantime another may still have room, so
 * "none" is only believed when a look at all of them says so too. The savepoint lets go of a host that filled up:
 * whoever waits for one host while holding another would sooner or later meet somebody who does the opposite.
 */
export async function takePlaceOrRefuse(
  tx: Db,
  take: () => Promise<{ uuid: string } | undefined>,
  isThereRoom: () => Promise<boolean>,
): Promise<string> {
  for (;;) {
    await sql`SAVEPOINT place`.execute(tx)
    const place = await take()
    if (place) {
      await sql`RELEASE SAVEPOINT place`.execute(tx)
      return place.uuid
    }
    await sql`ROLLBACK TO SAVEPOINT place`.execute(tx)
    if (!(await isThereRoom())) throw new Refusal('NO_CAPACITY')
  }
}
