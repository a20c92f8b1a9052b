import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { ClientConfig } from '@kelid/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../lib/html.ts'
import { once } from '../lib/once.ts'
import { pagePolicy } from './page-policy.ts'

export interface PreparedPage {
  readonly policy: string
  readonly etag: string
  readonly bodies: Record<'br' | 'gzip' | 'identity', () => Buffer>
}

/** Puts the operator's name into titles, link previews and the logo of the built client. */
export const underBrand = (html: string, brandName: string): string =>
  html.replaceAll(/Kelid(?=<\/title>|<\/bdi>|">)/g, () => escapeHtml(brandName))

/** Embeds the config, so that the client need not fetch it; compressed on the first request. */
export function preparePage(html: string, config: ClientConfig): PreparedPage {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  const block = `<script type="application/json" id="config">${json}</script>`
  const page = underBrand(html, config.brandName).replace('<div id="root"', (root) => block + root)
  const { appServer, replyServer, messagingServer } = config
  return {
    policy: pagePolicy(page, [appServer, replyServer, messagingServer].filter(Boolean)),
    etag: `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`,
    bodies: {
      br: once(() => brotliCompressSync(page)),
      gzip: once(() => gzipSync(page)),
      identity: () => Buffer.from(page),
    },
  }
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, { etag, bodies }: PreparedPage) {
  reply.headers({ etag: `W/${etag}`, 'cache-control': 'no-cache' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const acceptedEncodings = String(request.headers['accept-encoding'] ?? '')
  const encoding = (['br', 'gzip'] as const).find((name) => acceptedEncodings.includes(name)) ?? 'identity'
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('text/html; charset=utf-8').send(bodies[encoding]())
}
