import type { Context } from '../../context.ts'
import { type ClientConfig, listenTo } from '../../db/listen.ts'

export interface Wait {
  /** true: the list may have changed since the last call; false: the wait timed out. */
  next(): Promise<boolean>
  end(): void
}

export interface Waits {
  begin(hostUUID: string): Wait
  close(): Promise<void>
}

const channel = 'kelid_nodes'
export const longestWait = 22_000
/** A node uses one connection and may have abandoned another; beyond the limit the oldest wait ends. */
const waitsPerNode = 4

interface Member {
  wake(): void
  finish(): void
}

/** One connection per process listens for changed lists from all instances and wakes the waiting nodes. */
export async function openWaits(
  ctx: Context,
  connection: ClientConfig,
  longest = longestWait,
): Promise<Waits> {
  const waiting = new Map<string, Set<Member>>()
  let isClosed = false
  const members = function* () {
    for (const few of waiting.values()) yield* few
  }
  const listening = await listenTo(connection, channel, {
    onNotice(host = '') {
      for (const member of host ? (waiting.get(host) ?? []) : members()) member.wake()
    },
    onTrouble: (reason) => ctx.log.warn({ reason }, 'account lists wait for the database'),
  })
  return {
    begin(host) {
      let isWoken = false
      let isOver = isClosed
      let wakeUp = () => {}
      const member: Member = {
        wake() {
          isWoken = true
          wakeUp()
        },
        finish() {
          isOver = true
          wakeUp()
        },
      }
      const few = waiting.get(host) ?? new Set()
      waiting.set(host, few.add(member))
      const [oldest] = few
      if (few.size > waitsPerNode) oldest?.finish()
      const timer = setTimeout(member.finish, longest)
      return {
        async next() {
          if (!isWoken && !isOver) await new Promise<void>((resolve) => (wakeUp = resolve))
          const hasNews = isWoken && !isOver
          isWoken = false
          return hasNews
        },
        end() {
          clearTimeout(timer)
          few.delete(member)
          if (few.size === 0 && waiting.get(host) === few) waiting.delete(host)
        },
      }
    },
    async close() {
      isClosed = true
      for (const member of members()) member.finish()
      await listening.close()
    },
  }
}
