import { writeFile } from 'node:fs/promises'

const atMostEvery = 300_000
/** The relay has received the request by then, and a silent connection has timed out. */
const restartAfter = 60_000

/**
 * The last resort: a removed account still transfers bytes a minute later. A restart ends all connections, and active
 * accounts reconnect at once, so it happens rarely.
 */
export function createRestarter(file: string, say: (line: string) => void, now: () => number = Date.now) {
  const outSince = new Map<string, number>()
  const bytesOf = new Map<string, number>()
  let last = Number.NEGATIVE_INFINITY
  return async (stillThere: ReadonlyMap<string, number>): Promise<boolean> => {
    for (const id of [...outSince.keys()]) if (!stillThere.has(id)) outSince.delete(id)
    for (const id of stillThere.keys()) if (!outSince.has(id)) outSince.set(id, now())
    const isMoving = (id: string) => (stillThere.get(id) ?? 0) > (bytesOf.get(id) ?? Number.POSITIVE_INFINITY)
    const isDue = [...outSince].some(([id, since]) => now() - since >= restartAfter && isMoving(id))
    bytesOf.clear()
    for (const [id, bytes] of stillThere) bytesOf.set(id, bytes)
    if (!isDue || now() - last < atMostEvery) return false
    last = now()
    say('a removed account is still connected: restarting the core')
    await writeFile(file, `${new Date(now()).toISOString()}\n`)
    return true
  }
}
