import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

const year = 31_536_000

/** The same for every reply; HTML pages replace the policy, and cacheable replies the cache header. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

export const securityHeaders = ({ KELID_PUBLIC_URL }: Config): Record<string, string> =>
  KELID_PUBLIC_URL.startsWith('https:')
    ? { ...headers, 'strict-transport-security': `max-age=${year}; includeSubDomains` }
    : headers

export async function secure(app: FastifyInstance, config: Config): Promise<void> {
  const all = securityHeaders(config)
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(all)
    done()
  })
  if (config.KELID_ALLOWED_ORIGINS.length > 0)
    await app.register(cors, {
      origin: config.KELID_ALLOWED_ORIGINS,
      methods: ['GET', 'POST'],
      allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'last-event-id'],
      maxAge: 86_400,
    })
}
