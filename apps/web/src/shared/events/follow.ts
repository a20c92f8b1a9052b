import { type LiveEvent, liveEvent, routes } from '@kelid/contract'
import type { QueryClient } from '@tanstack/react-query'
import { forgetFirstCalls } from '../../calls/first-calls.ts'
import { loadConfig } from '../../lib/config.ts'
import { closeSession, sessionStore } from '../../lib/session.ts'
import { readEvents } from './event-stream.ts'
import { emitLiveEvent } from './live-events.ts'
import { staleAfter } from './stale.ts'

const firstWaitMs = 1_000
const longestWaitMs = 60_000
/** The server sends something every 15 seconds; three times that means a dead connection. */
const silenceMs = 45_000
const batchMs = 50

const parse = (data: string): LiveEvent | null => {
  try {
    return liveEvent.parse(JSON.parse(data))
  } catch {
    return null
  }
}

/** Returns the id of the last event. */
async function listen(
  token: string,
  lastId: string | undefined,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<string | undefined> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  resetTimer()
  let last = lastId
  try {
    const { replyServer } = await loadConfig()
    const reply = await fetch(`${replyServer}${routes.events.path}`, {
      headers: { authorization: `Bearer ${token}`, ...(last && { 'last-event-id': last }) },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    // Other calls may be minutes away, so a 401 must end the session here.
    if (reply.status === 401 && sessionStore.get()?.token === token) closeSession()
    if (reply.ok && reply.body)
      for await (const { id, data } of readEvents(reply.body, resetTimer)) {
        last = id ?? last
        const event = parse(data)
        if (event) onEvent(event)
      }
  } catch {
    // Unreachable server: the loop tries again.
  } finally {
    clearTimeout(timer)
  }
  return last
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', resolve)
  })

async function keepListening(
  token: string,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  let lastId: string | undefined
  let wait = firstWaitMs
  while (!signal.aborted) {
    const openedAt = Date.now()
    lastId = await listen(token, lastId, signal, onEvent)
    // A stream that ended soon may have been displaced by another tab; backing off stops them from displacing each
    // other.
    wait = Date.now() - openedAt > silenceMs ? firstWaitMs : Math.min(wait * 2, longestWaitMs)
    await pause(wait * (0.5 + Math.random()), signal)
  }
}

/**
 * Reads active queries again. A first read in progress is repeated when it finishes, because its answer may predate the
 * event; it is not cancelled, because on a slow network none would ever finish.
 */
function createReader(client: QueryClient) {
  const firstReads = new Set<string>()
  return async (path: string): Promise<void> => {
    const queryKey = [path]
    const isFirst = client
      .getQueryCache()
      .findAll({ queryKey, fetchStatus: 'fetching' })
      .some(({ state }) => state.data === undefined)
    if (isFirst && firstReads.has(path)) return
    if (isFirst) firstReads.add(path)
    await client.invalidateQueries({ queryKey })
    if (isFirst && firstReads.delete(path)) await client.invalidateQueries({ queryKey })
  }
}

export function followLiveEvents(client: QueryClient): () => void {
  const stalePaths = new Set<string>()
  const read = createReader(client)
  const readAgain = () => {
    for (const path of stalePaths) void read(path)
    stalePaths.clear()
  }
  const onEvent = (event: LiveEvent) => {
    const stale = staleAfter(event)
    if (stale.length > 0) forgetFirstCalls()
    if (stale === 'everything') void client.invalidateQueries()
    else {
      if (stale.length > 0 && stalePaths.size === 0) setTimeout(readAgain, batchMs)
      for (const { path } of stale) stalePaths.add(path)
    }
    emitLiveEvent(event)
  }
  let controller: AbortController | null = null
  const begin = () => {
    controller?.abort()
    const token = sessionStore.get()?.token
    controller = token ? new AbortController() : null
    if (token && controller) void keepListening(token, controller.signal, onEvent)
  }
  begin()
  const leave = sessionStore.subscribe(begin)
  return () => {
    leave()
    controller?.abort()
  }
}
