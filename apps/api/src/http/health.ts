import { routes } from '@kelid/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

const timeout = 1_500

export interface Readiness {
  /** Set at a stop, so that load balancers use other instances. */
  isStopping: boolean
}

/** healthz: the process runs. readyz: it can serve and its database answers. */
export function serveHealth(app: FastifyInstance, ctx: Context, readiness: Readiness): void {
  app.get(routes.health.path, { config: { access: routes.health.access }, logLevel: 'warn' }, () => ({
    status: 'ok',
  }))
  app.get(
    routes.ready.path,
    { config: { access: routes.ready.access }, logLevel: 'warn' },
    async (_, reply) => {
      if (readiness.isStopping) return reply.code(503).send({ status: 'stopping' })
      const hasDatabase = await databaseAnswers(ctx)
      return reply.code(hasDatabase ? 200 : 503).send({ status: hasDatabase ? 'ok' : 'no database' })
    },
  )
}

async function databaseAnswers(ctx: Context): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeout)
  })
  const answer = ctx.pool.query('SELECT 1').then(
    () => true,
    () => false,
  )
  const isThere = await Promise.race([answer, tooLate])
  clearTimeout(timer)
  return isThere
}
