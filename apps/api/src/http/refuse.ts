import { type Call, calls, Refusal, wrapRefusal } from '@kelid/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isConnectionFailure, OutcomeUnknown } from '../db/failures.ts'

/** Every failure becomes an envelope. Only refusals tell the reason; the log has the others under the request id. */
export function answerRefusals(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    // The reply was ready, but the client has disconnected.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed) return reply.hijack()
    const refusal = toRefusal(error, request)
    if (refusal.type === 'INTERNAL') request.log.error({ err: error }, 'a request failed')
    else if (refusal.type === 'UNAVAILABLE' || refusal.type === 'OUTCOME_UNKNOWN')
      request.log.warn({ reason: error.message }, 'the database is unreachable')
    return send(reply, refusal)
  })
}

export const send = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  const envelope = wrapRefusal(refusal)
  if (refusal.type === 'TOO_MANY_ATTEMPTS') reply.header('retry-after', refusal.parameters.seconds)
  if (refusal.type === 'METHOD_NOT_ALLOWED') reply.header('allow', 'POST')
  return reply
    .code(envelope.response.httpCode)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(envelope))
}

export function notFoundAmong(calls: readonly Call[]) {
  const paths = new Set(calls.map(({ path }) => path))
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? ''
    return send(reply, new Refusal(paths.has(path) ? 'METHOD_NOT_ALLOWED' : 'RESOURCE_NOT_FOUND'))
  }
}
export const notFound = notFoundAmong(calls)

function toRefusal(error: FastifyError | Refusal, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  if (error.statusCode === 413)
    return new Refusal('BODY_TOO_LARGE', { bytes: request.routeOptions.bodyLimit })
  if (error.statusCode === 415) return new Refusal('WRONG_CONTENT_TYPE')
  // Also when the client disconnects, which is not a connection failure of the database.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Refusal('BAD_REQUEST')
  if (error instanceof OutcomeUnknown) return new Refusal('OUTCOME_UNKNOWN')
  if (isConnectionFailure(error)) return new Refusal('UNAVAILABLE')
  return new Refusal('INTERNAL', { requestId: request.id })
}
