import { type LiveEvent, routes } from '@kelid/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { admit, mayAdminister } from '../features/auth/auth.ts'
import type { Hub } from '../features/events/hub.ts'
import type { CallersTurns } from './callers-turns.ts'
import { tokenOf } from './serve.ts'

/** Shorter than the timeouts of common proxies; also the longest time until an ended session is noticed. */
const heartbeat = 15_000
/** A slower reader is disconnected; it resumes with its last id. */
const maxBufferedBytes = 1_048_576
/** Time for a disconnected reader to receive what was already sent. */
const drainTimeout = 3_000
/** Tabs of a browser share a session, each with a stream; above the limit the oldest stream ends. */
export const streamsPerSession = 6

/** Server-sent events for one session. The token is in a header, so clients use fetch. */
export function serveEvents(app: FastifyInstance, ctx: Context, hub: Hub, turns: CallersTurns): void {
  const closersBySession = new Map<string, Set<() => void>>()
  app.addHook('preClose', async () => {
    for (const streams of closersBySession.values()) for (const close of streams) close()
  })

  app.get(routes.events.path, { config: { access: routes.events.access } }, async (request, reply) => {
    const token = tokenOf(request)
    const caller = await turns.ofSession(token, () => admit(ctx, routes.events.access, token))
    if (!caller) return
    const { sessionId } = caller
    const isAdmin = await mayAdminister(ctx, caller)
    const lastEventId = request.headers['last-event-id']

    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value) reply.raw.setHeader(name, value)
    reply.hijack()
    const stream = reply.raw
    // The client disconnected during admission, so no close event would follow.
    if (stream.destroyed) return
    stream.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    })

    let isClosed = false
    let stopListening = () => {}
    const close = () => {
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      streams.delete(close)
      if (streams.size === 0) closersBySession.delete(sessionId)
      stopListening()
      if (stream.destroyed) return
      stream.end()
      const cutOff = setTimeout(() => stream.destroy(), drainTimeout)
      stream.once('close', () => clearTimeout(cutOff))
    }

    /** Events wait during the check, because they may no longer be for this reader. */
    let checks = 0
    const delayed: string[] = []
    const write = (text: string) => {
      if (isClosed) return
      if (checks > 0) return void delayed.push(text)
      stream.write(text)
      if (stream.writableLength > maxBufferedBytes) close()
    }
    /** The session may have ended, or its level changed, since it was admitted. */
    const check = async () => {
      checks += 1
      const stays = await admit(ctx, routes.events.access, token, { isUse: false })
        .then(async (still) => still && (await mayAdminister(ctx, still)) === isAdmin)
        .catch(() => false)
      checks -= 1
      if (!stays) close()
      else if (checks === 0) for (const text of delayed.splice(0)) write(text)
    }
    const timer = setInterval(() => void check().then(() => write(':\n\n')), heartbeat)
    const deliver = (event: LiveEvent, id: string) => {
      // An event announces the end of sessions; one before the greeting is covered by `ready` and `reset`.
      if (event.type === 'sessions' || event.type === 'ready' || event.type === 'reset') void check()
      write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
    }

    const streams = closersBySession.get(sessionId) ?? new Set()
    closersBySession.set(sessionId, streams.add(close))
    const [oldest] = streams
    if (streams.size > streamsPerSession) oldest?.()
    stream.on('close', close)
    const member = { userId: caller.userId, isAdmin, deliver, isGone: () => isClosed }
    try {
      stopListening = await turns.ofUser(caller.userId, () =>
        hub.join(member, typeof lastEventId === 'string' ? lastEventId : undefined),
      )
      if (isClosed) stopListening()
    } catch (error) {
      request.log.warn({ reason: (error as Error).message }, 'cannot open an event stream')
      close()
    }
  })
}
