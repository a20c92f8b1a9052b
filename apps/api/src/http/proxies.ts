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
        'A request has X-Forwarded-For, but KELID_TRUST_PROXY is 0. If a reverse proxy is in front, all visitors share its address and are throttled together: set it to the number of proxies.',
      )
    }
    done()
  })
}
