import { openTurns, shareOf } from '../lib/turns.ts'

/** A browser sends a handful of calls at once. These wait without a connection, so that a burst of a program passes too. */
const waitingPerKey = 64

/**
 * The calls of one signed-in user take turns, because calls that lock their caller wait for each other, each with a database
 * connection. A reseller's call holds one at a time. By session first: who a token belongs to is a question to the database
 * as well.
 */
export interface CallersTurns {
  ofSession<T>(token: string | null, work: () => Promise<T>): Promise<T>
  ofUser<T>(userId: number, work: () => Promise<T>): Promise<T>
}

export function openCallersTurns(connections: number): CallersTurns {
  const limits = { perKey: shareOf(connections), waitingPerKey }
  const [sessions, users] = [openTurns(limits), openTurns(limits)]
  return {
    ofSession: (token, work) => (token === null ? work() : sessions.take(token, work)),
    ofUser: (userId, work) => users.take(String(userId), work),
  }
}
