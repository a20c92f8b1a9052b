import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveEvent } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { type ClientConfig, listenTo } from '../../db/listen.ts'
import {
  currentPosition,
  eventsAfter,
  hasMissedTooMuch,
  isAfter,
  type Position,
  purgedUpTo,
  type Reader,
  type StoredEvent,
} from './events.store.ts'

export interface Listener extends Reader {
  deliver(event: LiveEvent, id: string): void
  isGone(): boolean
}

export interface Hub {
  /** Sends `ready` or `reset`, the missed events, then all new ones. Returns a function that stops listening. */
  join(listener: Listener, lastEventId: string | undefined): Promise<() => void>
  close(): Promise<void>
}

const channel = 'kelid_events'
const recheckAfter = 50
const retryAfter = 1_000
/** Collects events under load, so that one read serves many. */
const batchDelay = 10
/** Polling covers a connection that is silently dead, for example after a NAT timeout. */
const pollInterval = 5_000

const idOf = ({ xid, id }: Position) => `${xid}.${id}`
const concerns = ({ isAdmin, userId }: Listener, event: StoredEvent) =>
  event.userId === null ? isAdmin : event.userId === userId

function parseId(text: string | undefined): Position | null {
  const match = /^(\d{1,19})\.(\d{1,16})$/.exec(text ?? '')
  return match ? { xid: BigInt(match[1] as string), id: Number(match[2]) } : null
}

/** One connection per process listens for new events; each event is read once and sent to all listeners here. */
export async function openHub(ctx: Context, connection: ClientConfig): Promise<Hub> {
  const members = new Map<Listener, Position>()
  let position = await currentPosition(ctx.db)
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | null = null
  let isWoken = false

  const hand = (listener: Listener, event: StoredEvent) => {
    const deliveredUpTo = members.get(listener)
    if (!deliveredUpTo || !isAfter(event, deliveredUpTo)) return
    members.set(listener, event)
    if (concerns(listener, event)) listener.deliver(event.event, idOf(event))
  }

  async function read(): Promise<void> {
    for (;;) {
      isWoken = false
      const { events, isFull, hasUnsettled } = await eventsAfter(ctx.db, position)
      for (const event of events) {
        position = event
        for (const listener of members.keys()) hand(listener, event)
      }
      if (isFull) continue
      if (isWoken) await sleep(batchDelay)
      else if (hasUnsettled) return wakeLater(recheckAfter)
      else return
    }
  }

  /** Without listeners nothing is read; the first one to join starts at the current position. */
  function wake(): void {
    isWoken = true
    if (isClosed || members.size === 0) return
    reading ??= read()
      .catch((error: Error) => {
        ctx.log.warn({ reason: error.message }, 'cannot read live events')
        wakeLater(retryAfter)
      })
      .finally(() => {
        reading = null
        if (isWoken) wake()
      })
  }

  function wakeLater(after: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(wake, after)
  }

  async function catchUp(listener: Listener, start: Position): Promise<void> {
    let from = start
    while (!listener.isGone()) {
      const hubWas = position
      const { events: missedEvents } = await eventsAfter(ctx.db, from, listener)
      for (const event of missedEvents) {
        from = event
        listener.deliver(event.event, idOf(event))
      }
      if (missedEvents.length > 0) continue
      if (isAfter(hubWas, from)) from = hubWas
      if (isAfter(position, from)) continue
      members.set(listener, from)
      return
    }
  }

  const poll = setInterval(wake, pollInterval)
  const listening = await listenTo(connection, channel, {
    onNotice: () => wake(),
    onTrouble: (reason) => ctx.log.warn({ reason }, 'live events wait for the database'),
  })
  return {
    async join(listener, lastEventId) {
      const requestedPosition = parseId(lastEventId)
      const [current, purged] = [await currentPosition(ctx.db), await purgedUpTo(ctx.db)]
      const canResume =
        requestedPosition !== null &&
        !isAfter(purged, requestedPosition) &&
        !isAfter(requestedPosition, current)
      const isResumed = canResume && !(await hasMissedTooMuch(ctx.db, requestedPosition, listener))
      const from = isResumed ? requestedPosition : current
      listener.deliver({ type: isResumed || lastEventId === undefined ? 'ready' : 'reset' }, idOf(from))
      if (members.size === 0 && isAfter(current, position)) position = current
      await catchUp(listener, from)
      wake()
      return () => members.delete(listener)
    },
    async close() {
      isClosed = true
      clearInterval(poll)
      clearTimeout(timer)
      members.clear()
      await listening.close()
      await reading
    },
  }
}
