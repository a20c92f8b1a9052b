import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, desired } from '@kelid/contract'
import { type Channel, openChannel } from './channel.ts'
import type { Config } from './config.ts'
import { reasonOf } from './greet.ts'
import type { List } from './list.ts'

/** Longer than the control plane holds a question. */
const answerWithin = 30_000
const retryWithin = 4_000
const afterRefusal = 5_000

export interface Follower {
  readonly config: Config
  readonly version: string
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  readonly list: () => List
  /** Whether the list was taken. */
  take(answer: Answer<typeof desired>): Promise<boolean>
}

/** Holds a question for the node's list open at the control plane, always. */
export async function follow({ config, version, signal, say, list, take }: Follower): Promise<void> {
  let channel: Channel | null = null
  let failures = 0
  /** Of a list that was not taken: asked with its own digest, the control plane tells only what is news. */
  let refused: { epoch: string; digest: string } | null = null
  while (!signal.aborted) {
    try {
      channel ??= await openChannel(config, version, failures)
      const { epoch, digest } = refused ?? list()
      const answer = await channel.ask(desired, { epoch, digest }, signal, answerWithin)
      failures = 0
      const isTaken = await take(answer)
      if (isTaken) refused = null
      // The list itself comes again when it may be taken.
      else refused = answer.mayShrink && refused ? { epoch: '', digest: '' } : answer
      if (!isTaken) await sleep(answer.mayShrink ? 0 : afterRefusal, undefined, { signal })
    } catch (error) {
      channel?.close()
      channel = null
      if (signal.aborted) break
      failures += 1
      say(`no list from ${config.url}: ${reasonOf(error)}`)
      const pause = Math.min(250 * 2 ** failures, retryWithin) * (0.5 + Math.random() / 2)
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }
  channel?.close()
}
