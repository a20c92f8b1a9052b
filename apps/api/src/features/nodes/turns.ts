import { openTurns, shareOf, type Turns } from '../../lib/turns.ts'

/** An agent sends one request after the other. More queued requests than this: a rogue or broken agent. */
const waitingPerKey = 8

/** Separate queues, because cutting off an account must not wait for usage reports. */
export interface NodeTurns {
  readonly lists: Turns
  readonly reports: Turns
}

export function openNodeTurns(connections: number): NodeTurns {
  const limits = { perKey: 1, inAll: shareOf(connections), waitingPerKey }
  return { lists: openTurns(limits), reports: openTurns(limits) }
}
