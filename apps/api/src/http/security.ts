import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** Headers for everything; pages of HTML put their own, wider policy in place of the empty one. */
export async function secure(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: config.KELID_PUBLIC_URL.startsWith('https:') && { maxAge: 31_536_000 },
    xFrameOptions: { action: 'deny' },
  })
  if (config.KELID_ALLOWED_ORIGINS.length > 0)
    await app.register(cors, {
      origin: config.KELID_ALLOWED_ORIGINS,
      methods: ['GET', 'POST'],
      allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'last-event-id'],
      maxAge: 86_400,
    })
}
