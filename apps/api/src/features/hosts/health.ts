import type { hostHealths } from '@kelid/contract'

/** A node speaks every few seconds; after a minute of silence it is taken to be down. */
export const silence = 60_000

export const healthOf = (lastSeen: Date | null, now: Date): (typeof hostHealths)[number] => {
  if (!lastSeen) return 'unknown'
  return now.getTime() - lastSeen.getTime() < silence ? 'up' : 'down'
}
