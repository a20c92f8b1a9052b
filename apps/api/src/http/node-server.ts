import { constants } from 'node:crypto'
import type { Server, TLSSocket } from 'node:tls'
import { day, foreignHostProtocol, nodeCalls, nodeLimits } from '@kelid/contract'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Context } from '../context.ts'
import type { ClientConfig } from '../db/listen.ts'
import { issueListenerCertificate } from '../features/authority/authority.ts'
import { nodesRoutes } from '../features/nodes/nodes.routes.ts'
import { openForeignHosts } from '../features/nodes/nodes.ts'
import { openNodeTurns } from '../features/nodes/turns.ts'
import { openWaits } from '../features/nodes/waits.ts'
import { watchConnections } from './connections.ts'
import { handshakeWithin, limitHandshakes } from './handshakes.ts'
import type { Readiness } from './health.ts'
import { timeRequests } from './metrics.ts'
import { secure } from './security.ts'
import { serveNodeCalls } from './serve.ts'
import { openServer } from './server.ts'

/** The listener's certificate lasts 90 days; a process may run longer. */
const renewEvery = 7 * day

export async function createNodeServer(
  ctx: Context,
  connection: ClientConfig,
  readiness: Readiness,
  metrics: Registry,
): Promise<FastifyInstance> {
  const waits = await openWaits(ctx, { ...connection, application_name: 'kelid nodes' })
  const tls = {
    ...(await identity(ctx)),
    requestCert: true,
    // refuseForeignHosts rejects instead, after reading the certificate.
    rejectUnauthorized: false,
    handshakeTimeout: handshakeWithin,
    ALPNProtocols: ['http/1.1', foreignHostProtocol],
  }
  const server = openServer(ctx, readiness, nodeCalls, tls, nodeLimits.bodyBytes)
  const listener = server.server as unknown as Server
  refuseForeignHosts(listener, openForeignHosts(ctx))
  const handshakes = limitHandshakes(listener)
  timeRequests(server, metrics)
  await secure(server, { ...ctx.config, KELID_ALLOWED_ORIGINS: [] })
  serveNodeCalls(server, ctx, nodesRoutes(waits, openNodeTurns(ctx.config.KELID_DATABASE_CONNECTIONS)))
  const connections = watchConnections(server.server)
  const renewal = setInterval(() => {
    identity(ctx).then(
      (renewed) => listener.setSecureContext(renewed),
      (error: Error) =>
        ctx.log.warn({ reason: error.message }, "cannot renew the certificate of the agents' listener"),
    )
  }, renewEvery).unref()
  server.addHook('preClose', async () => {
    clearInterval(renewal)
    await waits.close()
    await connections.end()
    handshakes.end()
  })
  return server
}

/** Ends every connection without a certificate of our CA, before anything is read from it. */
function refuseForeignHosts(listener: Server, note: ReturnType<typeof openForeignHosts>): void {
  listener.prependListener('secureConnection', (socket: TLSSocket) => {
    if (socket.authorized) return
    if (socket.alpnProtocol === foreignHostProtocol) note(socket.getPeerX509Certificate())
    socket.destroy()
  })
}

/** Created by every process and kept in memory. Session resumption is off, so each connection has a full handshake. */
async function identity(ctx: Context) {
  const { chain, key, ca } = await issueListenerCertificate(ctx)
  return {
    cert: chain,
    key,
    ca,
    minVersion: 'TLSv1.3' as const,
    secureOptions: constants.SSL_OP_NO_TICKET,
  }
}
