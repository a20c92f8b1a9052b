import { openTurns, shareOf } from '../lib/turns.ts'

/** A browser sends a few calls at once; this also admits a program's burst. Waiting calls hold no connection. */
const waitingPerKey = 64

/**
 * Serialises the calls of a signed-in user, because calls that lock their caller would wait for each other, each with
 * a database connection. First by session, because resolving a token also needs the database.
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
