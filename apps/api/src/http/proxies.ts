import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

/** A forged header looks the same as an unknown proxy, so this only warns, once. */
export function warnOfUntrustedProxy(app: FastifyInstance, { config, log }: Context): void {
  if (config.KELID_TRUST_PROXY > 0) return
  let hasWarned = false
  app.addHook('onRequest', (request, _, done) => {
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true
      log.warn(
        'A request came with X-Forwarded-For, but KELID_TRUST_PROXY is 0. If a proxy stands in front, all visitors seem to share one address and wait for each other: set it to the number of proxies.',
      )
    }
    done()
  })
}
