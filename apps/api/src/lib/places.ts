import { Refusal } from '@kelid/contract'
import { Overtaken } from '../db/database.ts'

/**
 * Taking a place waits for the host's row; when that host filled up in the meantime another may still have room, so
 * "none" is only believed when a look at all of them says so too. A host that filled up is let go of first:
 * whoever waits for one host while holding another would sooner or later meet somebody who does the opposite.
 */
export async function takePlaceOrRefuse(
  take: () => Promise<{ uuid: string } | undefined>,
  isThereRoom: () => Promise<boolean>,
): Promise<string> {
  const place = await take()
  if (place) return place.uuid
  if (await isThereRoom()) throw new Overtaken()
  throw new Refusal('NO_CAPACITY')
}
