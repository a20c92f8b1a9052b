import { type ClientConfig, routes } from '@kelid/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

export const clientConfigOf = (config: Config): ClientConfig => ({
  brandName: config.KELID_BRAND_NAME,
  brandContact: config.KELID_BRAND_CONTACT,
  publicUrl: config.KELID_PUBLIC_URL,
  appServer: config.KELID_APP_SERVER,
  replyServer: config.KELID_REPLY_SERVER,
  messagingServer: config.KELID_MESSAGING_SERVER,
  smsEnabled: config.KELID_SMS_URL !== '',
})

export function serveClientConfig(app: FastifyInstance, config: Config): void {
  const { path, access } = routes.config
  app.get(path, { config: { access } }, (_, reply) => {
    reply.header('cache-control', 'no-cache')
    return clientConfigOf(config)
  })
}
