import { Refusal } from '@kelid/contract'

/**
 * Taking a place waits for the host's row; when that host filled up in the meantime another may still have
 * room, so "none" is only believed when a look at all of them says so too.
 */
export async function takePlaceOrRefuse(
  take: () => Promise<{ uuid: string } | undefined>,
  isThereRoom: () => Promise<boolean>,
): Promise<string> {
  for (;;) {
    const place = await take()
    if (place) return place.uuid
    if (!(await isThereRoom())) throw new Refusal('NO_CAPACITY')
  }
}
