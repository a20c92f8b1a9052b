import { RefusedByServer } from '@kelid/contract'

/** A repaired line is used again within five seconds, including the connect timeout of three. */
const shortPauses = { first: 500, last: 2_000 }

/** A revoked certificate needs a new provisioning run, which restarts the agent. */
const pausesWhenRefused = { first: 500, last: 30_000 }

export const pausesFor = (error: unknown): typeof shortPauses =>
  error instanceof RefusedByServer && error.type === 'UNAUTHENTICATED' ? pausesWhenRefused : shortPauses

/** Exponential backoff with jitter, so that hosts do not reconnect at the same moment. */
export const pauseAfter = (failures: number, { first, last } = shortPauses, random = Math.random()): number =>
  Math.min(first * 2 ** (failures - 1), last) * (0.5 + random / 2)

export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)
