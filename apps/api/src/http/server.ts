import { randomUUID } from 'node:crypto'
import type { ServerOptions } from 'node:https'
import { type Call, limits, Refusal } from '@kelid/contract'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Context } from '../context.ts'
import { refuseBrokenRequest, watchExchanges } from './broken-requests.ts'
import type { Readiness } from './health.ts'
import { answerRefusals, notFoundAmong, send } from './refuse.ts'
import { securityHeaders } from './security.ts'

/** For head and body; Node's check interval is added to it. */
const arriveWithin = 30_000
const lookForLate = 1_000

const timeouts = {
  headersTimeout: arriveWithin,
  requestTimeout: arriveWithin,
  connectionsCheckingInterval: lookForLate,
  // Node would refuse it without an envelope.
  requireHostHeader: false,
}

export function openServer(
  ctx: Context,
  readiness: Readiness,
  calls: readonly Call[],
  tls?: ServerOptions,
  bodyLimit: number = limits.bodyBytes,
): FastifyInstance {
  const { config } = ctx
  const server = Fastify({
    loggerInstance: ctx.log,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Nodes connect without a proxy.
    trustProxy: tls ? false : (_: string, hop: number) => hop < config.KELID_TRUST_PROXY,
    bodyLimit,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: arriveWithin,
    ...(tls ? { https: { ...tls, ...timeouts } } : { http: timeouts }),
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: (_, __, reply) =>
      send(reply.headers(securityHeaders(config)), new Refusal('BAD_REQUEST')),
  }) as unknown as FastifyInstance

  watchExchanges(server.server)
  server.decorateRequest('caller', null)
  refuseRoutesWithoutPolicy(server)
  acceptOnlyJson(server)
  logRequests(server, readiness)
  answerRefusals(server)
  server.setNotFoundHandler(notFoundAmong(calls))
  return server
}

export function refuseRoutesWithoutPolicy(server: FastifyInstance): void {
  server.addHook('onRoute', ({ method, url, config }) => {
    const isPreflight = method === 'OPTIONS'
    if (!config?.access && !isPreflight) throw new Error(`${method} ${url} has no access policy`)
  })
}

function acceptOnlyJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    /^application\/json(?:; ?charset=utf-8)?$/i,
    { parseAs: 'buffer' },
    ({ headers }: FastifyRequest, body: Buffer, done) => {
      const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
      done(isPlain ? null : new Refusal('WRONG_CONTENT_TYPE'), body)
    },
  )
  server.addContentTypeParser('*', async () => {
    throw new Refusal('WRONG_CONTENT_TYPE')
  })
}

/** One line per request, without body, headers or secrets in the URL. */
function logRequests(server: FastifyInstance, readiness: Readiness): void {
  server.addHook('onSend', (request, reply, _, done) => {
    reply.header('x-request-id', request.id)
    if (readiness.isStopping) reply.header('connection', 'close')
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        code: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user: request.caller?.userId,
      },
      'request',
    )
    done()
  })
}
