import { setTimeout } from 'node:timers/promises'
import { Refusal } from '@kelid/contract'

export interface Turns {
  /** Runs the work when it is this key's turn; refuses it if too much work of this key waits. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>
}

interface Limits {
  readonly perKey: number
  readonly inAll?: number
  readonly waitingPerKey: number
}

const retryAfterSeconds = 5

/** A program that retries at once would otherwise keep the event loop busy with refusals. */
const refusalDelay = 1_000

/** A queue in front of the database's connections: waiting work holds none. */
export function openTurns({ perKey, inAll = Number.POSITIVE_INFINITY, waitingPerKey }: Limits): Turns {
  const waiting: { key: string; begin: () => void }[] = []
  const running = new Map<string, number>()
  let total = 0
  const runningOf = (key: string) => running.get(key) ?? 0
  const isFree = (key: string) => total < inAll && runningOf(key) < perKey

  function start(key: string): void {
    running.set(key, runningOf(key) + 1)
    total += 1
  }

  function next(): void {
    while (total < inAll) {
      const first = waiting.findIndex(({ key }) => isFree(key))
      const [turn] = first < 0 ? [] : waiting.splice(first, 1)
      if (!turn) return
      start(turn.key)
      turn.begin()
    }
  }

  async function wait(key: string): Promise<void> {
    if (waiting.filter((one) => one.key === key).length >= waitingPerKey) {
      await setTimeout(refusalDelay)
      throw new Refusal('TOO_MANY_ATTEMPTS', { seconds: retryAfterSeconds })
    }
    await new Promise<void>((begin) => waiting.push({ key, begin }))
  }

  return {
    async take(key, work) {
      if (isFree(key)) start(key)
      else await wait(key)
      try {
        return await work()
      } finally {
        const remaining = runningOf(key) - 1
        if (remaining > 0) running.set(key, remaining)
        else running.delete(key)
        total -= 1
        next()
      }
    },
  }
}

export const shareOf = (connections: number): number => Math.max(1, Math.floor(connections / 3))
