import type { Context } from '../../context.ts'
import { type ClientConfig, listenTo } from '../../db/listen.ts'

/** One request of a node that waits for news of its list. */
export interface Wait {
  /** true: there may be news since it began, or since it was last asked; false: it has waited for long enough. */
  next(): Promise<boolean>
  end(): void
}

export interface Waits {
  begin(hostUUID: string): Wait
  /** Lets everybody go. */
  close(): Promise<void>
}

const channel = 'kelid_nodes'
export const longestWait = 22_000
/** A node has one connection, and perhaps an old one that it has given up; of more than these the oldest is let go. */
const waitsPerNode = 4

interface Member {
  wake(): void
  finish(): void
}

/** One connection of this process hears which nodes have news, by whichever instance, and wakes those that wait here. */
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
    /** Whoever cannot be told by name is among all. */
    onNotice(host = '') {
      for (const member of host ? (waiting.get(host) ?? []) : members()) member.wake()
    },
    onTrouble: (reason) => ctx.log.warn({ reason }, 'news for nodes wait for the database'),
  })
  return {
    begin(host) {
      let isWoken = false
      let isOver = isClosed
      let tell = () => {}
      const member: Member = {
        wake() {
          isWoken = true
          tell()
        },
        finish() {
          isOver = true
          tell()
        },
      }
      const few = waiting.get(host) ?? new Set()
      waiting.set(host, few.add(member))
      const [oldest] = few
      if (few.size > waitsPerNode) oldest?.finish()
      const timer = setTimeout(member.finish, longest)
      return {
        async next() {
          if (!isWoken && !isOver) await new Promise<void>((told) => (tell = told))
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
