import { timings } from '@kelid/contract'
import { type ComponentType, use, useState } from 'react'

/** A part of the program did not arrive: the network went away, or a new version took its place. */
export class ChunkFailed extends Error {
  constructor(cause: unknown) {
    super('Loading chunk failed', { cause })
    this.name = 'ChunkFailed'
  }
}

/** A part of the program, or ChunkFailed when it is not there after two minutes. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), timings.chunkTimeoutMs)
  })
  return Promise.race([load(), tooLate])
    .catch((error: unknown) => {
      throw new ChunkFailed(error)
    })
    .finally(() => clearTimeout(timer))
}

const failed = new Set<() => void>()

/** Lets every screen that did not arrive be asked for once more. */
export function retryFailedScreens(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/**
 * A screen or a dialog fetched when it is first shown, or earlier by `preload`. React.lazy would never ask again after
 * a failure, and would show its fallback for a moment even where the part has arrived already.
 */
export function lazyScreen<Props extends object = object>(load: () => Promise<ComponentType<Props>>) {
  let arrived: ComponentType<Props> | undefined
  let pending: Promise<ComponentType<Props>> | undefined
  const preload = () => {
    if (pending) return pending
    pending = loadPart(load)
    pending.then(
      (Screen) => (arrived = Screen),
      () => failed.add(() => (pending = undefined)),
    )
    return pending
  }
  const Arriving = (props: Props) => {
    const Screen = use(preload())
    return <Screen {...props} />
  }
  const LazyScreen = (props: Props) => {
    const [Screen] = useState(() => arrived ?? Arriving)
    return <Screen {...props} />
  }
  return Object.assign(LazyScreen, { preload })
}
