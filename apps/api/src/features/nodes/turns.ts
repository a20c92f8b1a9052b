import { Refusal } from '@kelid/contract'

/** Of the database's connections lists may hold one in so many, and reports as many: the rest is for people. */
const shareOfEach = 3
/** An agent asks one thing after the other; whoever has more than this waiting is none of ours, or has gone mad. */
const waitingPerNode = 8

export interface Turns {
  /** When it is this node's turn: a node holds one connection at most, and all of them together so many. */
  take<T>(hostUUID: string, work: () => Promise<T>): Promise<T>
}

/** Apart, because whoever is to be cut off must not wait until everybody else has told what they used. */
export interface NodeTurns {
  readonly lists: Turns
  readonly reports: Turns
}

export const openNodeTurns = (connections: number): NodeTurns => ({
  lists: openTurns(connections),
  reports: openTurns(connections),
})

function openTurns(connections: number): Turns {
  const atOnce = Math.max(1, Math.floor(connections / shareOfEach))
  const waiting: { host: string; begin: () => void }[] = []
  const working = new Set<string>()
  function next(): void {
    while (working.size < atOnce) {
      const first = waiting.findIndex(({ host }) => !working.has(host))
      const [turn] = first < 0 ? [] : waiting.splice(first, 1)
      if (!turn) return
      working.add(turn.host)
      turn.begin()
    }
  }
  return {
    async take(host, work) {
      if (waiting.filter((one) => one.host === host).length >= waitingPerNode)
        throw new Refusal('TOO_MANY_ATTEMPTS', { seconds: 5 })
      await new Promise<void>((begin) => {
        waiting.push({ host, begin })
        next()
      })
      try {
        return await work()
      } finally {
        working.delete(host)
        next()
      }
    },
  }
}
