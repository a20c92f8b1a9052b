import { isAdminLevel, type LiveEvent, routes } from '@kelid/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { tokenOf } from '../../http/serve.ts'
import { admit } from '../auth/auth.ts'
import type { Hub } from './hub.ts'

/** Shorter than the patience of common proxies; also how soon an ended session is noticed at the latest. */
const heartbeat = 15_000
/** A reader this far behind is let go: it comes back with its last id and misses nothing. */
const maxWaiting = 1_048_576

/** Server-sent events for one session. The token travels in a header, so clients read it with fetch. */
export function serveEvents(app: FastifyInstance, ctx: Context, hub: Hub): void {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const close of open) close()
  })

  app.get(routes.events.path, { config: { access: routes.events.access } }, async (request, reply) => {
    const token = tokenOf(request)
    const caller = await admit(ctx, routes.events.access, token)
    if (!caller) return
    const isAdmin = isAdminLevel(caller.level)
    const lastEventId = request.headers['last-event-id']

    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value) reply.raw.setHeader(name, value)
    reply.hijack()
    const stream = reply.raw
    stream.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })

    let leave = () => {}
    const timer = setInterval(() => void check().then(() => stream.write(':\n\n')), heartbeat)
    const close = () => {
      clearInterval(timer)
      open.delete(close)
      leave()
      stream.end()
    }
    /** The session may have ended, or its level changed, since the stream was opened. */
    const check = async () => {
      const still = await admit(ctx, routes.events.access, token).catch(() => null)
      if (!still || isAdminLevel(still.level) !== isAdmin) close()
    }
    const deliver = (event: LiveEvent, id: string) => {
      if (event.type === 'sessions') void check()
      stream.write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
      if (stream.writableLength > maxWaiting) close()
    }

    open.add(close)
    stream.on('close', close)
    const member = { userId: caller.userId, isAdmin, deliver }
    leave = await hub.join(member, typeof lastEventId === 'string' ? lastEventId : undefined)
    if (stream.destroyed) leave()
  })
}
