import { timings } from '@kelid/contract'
import { type ComponentType, use } from 'react'

/** A part of the program did not arrive: the network went away, or a new version took its place. */
export class ChunkFailed extends Error {
  constructor(cause: unknown) {
    super('Loading chunk failed', { cause })
    this.name = 'ChunkFailed'
  }
}

const retryAfterMs = 1_000
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function inTime<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), timings.chunkTimeoutMs)
  })
  return Promise.race([load(), tooLate]).finally(() => clearTimeout(timer))
}

/** A part of the program, asked for once more if it did not arrive. */
export const loadTwice = <T,>(load: () => Promise<T>): Promise<T> =>
  inTime(load)
    .catch(() => wait(retryAfterMs).then(() => inTime(load)))
    .catch((error: unknown) => {
      throw new ChunkFailed(error)
    })

const failed = new Set<() => void>()

/** Lets every screen that did not arrive be asked for once more. */
export function retryFailedScreens(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/**
 * A screen or a dialog fetched when it is first shown, or earlier by `preload`. React.lazy would never ask again after
 * a failure.
 */
export function lazyScreen<Props extends object = object>(load: () => Promise<ComponentType<Props>>) {
  let pending: Promise<ComponentType<Props>> | undefined
  const preload = () => {
    if (pending) return pending
    const loading = loadTwice(load)
    // As React itself marks a promise that it has waited for: one that is fulfilled is not waited for at all.
    loading
      .then((value) => Object.assign(loading, { status: 'fulfilled', value }))
      .catch(() => failed.add(() => (pending = undefined)))
    pending = loading
    return loading
  }
  const LazyScreen = (props: Props) => {
    const Screen = use(preload())
    return <Screen {...props} />
  }
  return Object.assign(LazyScreen, { preload })
}
