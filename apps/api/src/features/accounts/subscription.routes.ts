import { Refusal, routes } from '@kelid/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { languageOf } from '../../http/language-of.ts'
import { wantsPage } from '../subscription/formats.ts'
import { missingReply, subscriptionReply } from '../subscription/reply.ts'
import { findSubscription } from './accounts.ts'

/** Where the operator wants no probes, apps still look which way works. */
const defaultCheckUrl = 'https://www.gstatic.com/generate_204'
const secretPattern = /^[A-Za-z0-9_-]{22}$/

export function serveSubscriptions(app: FastifyInstance, ctx: Context): void {
  const { path, access } = routes.subscription
  const brand = { name: ctx.config.KELID_BRAND_NAME, contact: ctx.config.KELID_BRAND_CONTACT }
  app.get<{ Params: { secret: string }; Querystring: { lng?: string; format?: string } }>(
    path,
    { config: { access } },
    async (request, reply) => {
      const { secret } = request.params
      const subscription = secretPattern.test(secret) ? await findSubscription(ctx, secret) : null
      const language = languageOf(request, request.query.lng)
      const { accept } = request.headers
      if (!subscription && !wantsPage(accept)) throw new Refusal('RESOURCE_NOT_FOUND')
      const { status, headers, body } = subscription
        ? subscriptionReply({
            ...subscription,
            brand: { ...brand, contact: subscription.contact || brand.contact },
            checkUrl: ctx.config.KELID_PROBE_URL || defaultCheckUrl,
            userAgent: request.headers['user-agent'],
            accept,
            format: request.query.format,
            language,
            pageUrl: `${originOfServer(ctx, request)}/sub/${secret}`,
            now: ctx.clock.now(),
          })
        : missingReply(brand, language)
      return reply.code(status).headers(headers).send(body)
    },
  )
}

function originOfServer(ctx: Context, request: FastifyRequest): string {
  const origin = ctx.config.KELID_PUBLIC_URL || `${request.protocol}://${request.host}`
  if (!URL.canParse(origin)) throw new Refusal('BAD_REQUEST')
  return origin
}
