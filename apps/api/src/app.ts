import { randomUUID } from 'node:crypto'
import { limits, Refusal } from '@kelid/contract'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import type { Context } from './context.ts'
import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { compensationsRoutes } from './features/compensations/compensations.routes.ts'
import { countriesRoutes } from './features/countries/countries.routes.ts'
import { creditRoutes } from './features/credit/credit.routes.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { serveEvents } from './features/events/events.routes.ts'
import type { Hub } from './features/events/hub.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { provisioningRoutes } from './features/provisioning/provisioning.routes.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { secondFactorRoutes } from './features/second-factor/second-factor.routes.ts'
import { serversRoutes } from './features/servers/servers.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { smsRoutes } from './features/sms/sms.routes.ts'
import { serveSubscriptions } from './features/subscription/subscription.routes.ts'
import { tunnelsRoutes } from './features/tunnels/tunnels.routes.ts'
import { usersRoutes } from './features/users/users.routes.ts'
import { refuseBrokenRequest, watchExchanges } from './http/broken-requests.ts'
import { clientConfigOf, serveClientConfig } from './http/client-config.ts'
import { compressReplies } from './http/compression.ts'
import { type Connections, watchConnections } from './http/connections.ts'
import { serveDocs } from './http/docs.ts'
import { type Readiness, serveHealth } from './http/health.ts'
import { measure } from './http/metrics.ts'
import { warnOfUntrustedProxy } from './http/proxies.ts'
import { answerRefusals, notFound, send } from './http/refuse.ts'
import { secure, securityHeaders } from './http/security.ts'
import { serveCalls } from './http/serve.ts'
import { serveWebClient } from './http/web-client.ts'

export interface App {
  readonly server: FastifyInstance
  readonly connections: Connections
  readonly metrics: Registry
}

/** Requests under way when the server stops have this long to be answered. */
const answerWithin = 5_000
/** A request, head and body, has this long to arrive; how often Node looks for those that have not comes on top. */
const arriveWithin = 30_000
const lookForLate = 1_000

export async function createApp(ctx: Context, hub: Hub, readiness: Readiness): Promise<App> {
  const { config } = ctx
  const server = Fastify({
    loggerInstance: ctx.log,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: (_, hop) => hop < config.KELID_TRUST_PROXY,
    bodyLimit: limits.bodyBytes,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: arriveWithin,
    http: {
      headersTimeout: arriveWithin,
      requestTimeout: arriveWithin,
      connectionsCheckingInterval: lookForLate,
      // Node would refuse it itself, without an envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: (_, __, reply) =>
      send(reply.headers(securityHeaders(config)), new Refusal('BAD_REQUEST')),
  }) as unknown as FastifyInstance

  watchExchanges(server.server)
  server.decorateRequest('caller', null)
  refuseRoutesWithoutPolicy(server)
  acceptOnlyJson(server)
  logRequests(server, readiness)
  warnOfUntrustedProxy(server, ctx)
  answerRefusals(server)
  server.setNotFoundHandler(notFound)
  const metrics = measure(server, ctx)
  await secure(server, config)
  await compressReplies(server)

  serveCalls(server, ctx, [
    ...authRoutes,
    ...secondFactorRoutes,
    ...creditRoutes,
    ...accountsRoutes,
    ...smsRoutes,
    ...countriesRoutes,
    ...serversRoutes,
    ...tunnelsRoutes,
    ...healthRoutes,
    ...provisioningRoutes,
    ...compensationsRoutes,
    ...dashboardRoutes,
    ...usersRoutes,
    ...settingsRoutes,
    ...auditRoutes,
    ...searchRoutes,
  ])
  serveEvents(server, ctx, hub)
  const connections = watchConnections(server.server)
  server.addHook('preClose', () => connections.end(answerWithin))
  serveSubscriptions(server, ctx)
  serveHealth(server, ctx, readiness)
  serveClientConfig(server, config)
  serveDocs(server, config)
  await serveWebClient(server, config.KELID_WEB_DIR, clientConfigOf(config))
  return { server, connections, metrics }
}

/** A route that does not say who may use it stops the start. */
export function refuseRoutesWithoutPolicy(server: FastifyInstance): void {
  server.addHook('onRoute', ({ method, url, config }) => {
    const isPreflight = method === 'OPTIONS'
    if (!config?.access && !isPreflight) throw new Error(`${method} ${url} does not say who may use it`)
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

/** One line a request, without its body, its headers or what is secret in its address. */
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
