import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, desired } from '@kelid/contract'
import { type Channel, openChannel } from './channel.ts'
import type { Config } from './config.ts'
import type { List } from './list.ts'
import type { Outcome } from './list-keeper.ts'
import { pauseAfter, pausesFor, reasonOf } from './retry.ts'

/** Longer than the control plane holds a long poll. */
const answerWithin = 30_000

export interface Follower {
  readonly config: Config
  readonly version: string
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  readonly list: () => List
  take(answer: Answer<typeof desired>): Promise<Outcome>
  interrupted(): AbortSignal
}

type Position = Pick<List, 'epoch' | 'digest'>
const nothing: Position = { epoch: '', digest: '' }

export async function follow({
  config,
  version,
  signal,
  say,
  list,
  take,
  interrupted,
}: Follower): Promise<void> {
  let channel: Channel | null = null
  let failures = 0
  /** If shrinking is allowed, it asks without a position, so that the control plane sends the whole list. */
  let isAllowed = false
  while (!signal.aborted) {
    try {
      channel ??= await openChannel(config, version, failures)
      const { epoch, digest }: Position = isAllowed ? nothing : list()
      const until = AbortSignal.any([signal, interrupted()])
      const answer: Answer<typeof desired> = await channel.ask(
        desired,
        { epoch, digest },
        until,
        answerWithin,
      )
      failures = 0
      isAllowed = (await take(answer)) === 'allowed'
    } catch (error) {
      channel?.close()
      channel = null
      if (signal.aborted) break
      failures += 1
      if (failures === 1) say(`no list from ${config.url}: ${reasonOf(error)}`)
      await sleep(pauseAfter(failures, pausesFor(error)), undefined, { signal }).catch(() => {})
    }
  }
  channel?.close()
}
