import { timings } from '@kelid/contract'
import { type ComponentType, use, useState } from 'react'

/** The network failed or a new version replaced the file. */
export class ChunkFailed extends Error {
  constructor(cause: unknown) {
    super('Loading chunk failed', { cause })
    this.name = 'ChunkFailed'
  }
}

/** Throws ChunkFailed after two minutes. */
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

export function retryFailedScreens(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/** Unlike React.lazy, it can retry after a failure, and shows no fallback if the chunk has already loaded. */
export function lazyScreen<Props extends object = object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  let pending: Promise<ComponentType<Props>> | undefined
  const preload = () => {
    if (pending) return pending
    pending = loadPart(load)
    pending.then(
      (Screen) => (loaded = Screen),
      () => failed.add(() => (pending = undefined)),
    )
    return pending
  }
  const Lazy = (props: Props) => {
    const Screen = use(preload())
    return <Screen {...props} />
  }
  const LazyScreen = (props: Props) => {
    const [Screen] = useState(() => loaded ?? Lazy)
    return <Screen {...props} />
  }
  return Object.assign(LazyScreen, { preload })
}
