import { Refusal } from '@kelid/contract'

/** Of the database's connections nodes may hold one in so many: people come first. */
const shareOfNodes = 3
/** An agent asks one thing after the other; whoever has more than this waiting is none of ours, or has gone mad. */
const waitingPerNode = 8

export interface Turns {
  /** When it is this node's turn: a node holds one connection at most, and all of them together leave some to people. */
  take<T>(hostUUID: string, work: () => Promise<T>): Promise<T>
}

export function openTurns(connections: number): Turns {
  const atOnce = Math.max(1, Math.floor(connections / shareOfNodes))
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
