import { RefusedByServer } from '@kelid/contract'

/** With the three seconds that a connection is waited for, soon enough for a line that is mended: five seconds in all. */
const soon = { first: 500, last: 2_000 }

/** A certificate that was taken back is mended by setting the host up again, which starts the agent anew. */
const refused = { first: 500, last: 30_000 }

export const pausesFor = (error: unknown): typeof soon =>
  error instanceof RefusedByServer && error.type === 'UNAUTHENTICATED' ? refused : soon

/** Longer after each failure, up to a limit, and never the same for two hosts: a control plane that comes back is not overrun. */
export const pauseAfter = (failures: number, { first, last } = soon, random = Math.random()): number =>
  Math.min(first * 2 ** (failures - 1), last) * (0.5 + random / 2)

/** One line, whatever came back. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)
