import { calls } from '@kelid/contract'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Context } from './context.ts'
import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { serveSubscriptions } from './features/accounts/subscription.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { secondFactorRoutes } from './features/auth/second-factor.routes.ts'
import { compensationsRoutes } from './features/compensations/compensations.routes.ts'
import { countriesRoutes } from './features/countries/countries.routes.ts'
import { creditRoutes } from './features/credit/credit.routes.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import type { Hub } from './features/events/hub.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { hostsRoutes } from './features/hosts/hosts.routes.ts'
import { idempotencyRoutes } from './features/idempotency/idempotency.routes.ts'
import { machinesRoutes } from './features/machines/machines.routes.ts'
import { nodeUpkeepRoutes } from './features/nodes/nodes.routes.ts'
import { plansRoutes } from './features/plans/plans.routes.ts'
import { provisioningRoutes } from './features/provisioning/provisioning.routes.ts'
import { replacementsRoutes } from './features/replacements/replacements.routes.ts'
import { salesRoutes } from './features/sales/sales.routes.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { serversRoutes } from './features/servers/servers.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { smsRoutes } from './features/sms/sms.routes.ts'
import { tunnelsRoutes } from './features/tunnels/tunnels.routes.ts'
import { upgradesRoutes } from './features/upgrades/upgrades.routes.ts'
import { userAdminRoutes } from './features/user-admin/user-admin.routes.ts'
import { openCallersTurns } from './http/callers-turns.ts'
import { clientConfigOf, serveClientConfig } from './http/client-config.ts'
import { compressReplies } from './http/compression.ts'
import { type Connections, watchConnections } from './http/connections.ts'
import { serveDocs } from './http/docs.ts'
import { type Readiness, serveHealth } from './http/health.ts'
import { serveEvents } from './http/live-events.ts'
import { measure } from './http/metrics.ts'
import { warnOfUntrustedProxy } from './http/proxies.ts'
import { secure } from './http/security.ts'
import { serveCalls } from './http/serve.ts'
import { openServer } from './http/server.ts'
import { serveWebClient } from './http/web-client.ts'

export interface App {
  readonly server: FastifyInstance
  readonly connections: Connections
  readonly metrics: Registry
}

export async function createApp(ctx: Context, hub: Hub, readiness: Readiness): Promise<App> {
  const { config } = ctx
  const server = openServer(ctx, readiness, calls)
  warnOfUntrustedProxy(server, ctx)
  const metrics = measure(server, ctx)
  await secure(server, config)
  await compressReplies(server)

  const turns = openCallersTurns(config.KELID_DATABASE_CONNECTIONS)
  serveCalls(
    server,
    ctx,
    [
      ...authRoutes,
      ...secondFactorRoutes,
      ...creditRoutes,
      ...accountsRoutes,
      ...smsRoutes,
      ...countriesRoutes,
      ...hostsRoutes,
      ...machinesRoutes,
      ...serversRoutes,
      ...tunnelsRoutes,
      ...healthRoutes,
      ...provisioningRoutes,
      ...nodeUpkeepRoutes,
      ...replacementsRoutes,
      ...upgradesRoutes,
      ...compensationsRoutes,
      ...dashboardRoutes,
      ...salesRoutes,
      ...userAdminRoutes,
      ...plansRoutes,
      ...settingsRoutes,
      ...auditRoutes,
      ...searchRoutes,
      ...idempotencyRoutes,
    ],
    turns,
  )
  serveEvents(server, ctx, hub, turns)
  const connections = watchConnections(server.server)
  server.addHook('preClose', () => connections.end())
  serveSubscriptions(server, ctx)
  serveHealth(server, ctx, readiness)
  serveClientConfig(server, config)
  serveDocs(server, config)
  await serveWebClient(server, config.KELID_WEB_DIR, clientConfigOf(config))
  return { server, connections, metrics }
}
