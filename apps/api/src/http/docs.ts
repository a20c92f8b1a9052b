import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { routes } from '@kelid/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { html } from '../lib/html.ts'
import { once } from '../lib/once.ts'
import { openApiDocument } from './openapi.ts'
import { notFound } from './refuse.ts'

const swaggerDir = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const readSwagger = (name: string) => readFileSync(join(swaggerDir, name), 'utf8')
/** Long tables scroll inside their call, so that a phone's page does not scroll sideways. */
const ownStyle = '.swagger-ui .opblock-body{overflow-x:auto}'
const start = `SwaggerUIBundle({
  url: ${JSON.stringify(routes.openapi.path)},
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  showExtensions: true,
  showCommonExtensions: true,
  validatorUrl: null,
})
`
/** Compressed once: the bundle is large, and anyone may ask for it. */
const fileFrom = (type: string, read: () => string) => ({
  type,
  plain: once(read),
  gzipped: once(() => gzipSync(read())),
})
type File = ReturnType<typeof fileFrom>
const files: Record<string, File> = {
  'start.js': fileFrom('text/javascript', () => start),
  'swagger-ui-bundle.js': fileFrom('text/javascript', () => readSwagger('swagger-ui-bundle.js')),
  'swagger-ui.css': fileFrom('text/css', () => readSwagger('swagger-ui.css') + ownStyle),
}
function sendFile(request: FastifyRequest, reply: FastifyReply, { type, plain, gzipped }: File) {
  reply.type(`${type}; charset=utf-8`).header('vary', 'accept-encoding')
  return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    ? reply.header('content-encoding', 'gzip').send(gzipped())
    : reply.send(plain())
}
const fileOf = (name: string) => routes.docsFiles.path.replace('*', name)
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = (title: string) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} API</title>
<link rel="stylesheet" href="${fileOf('swagger-ui.css')}">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript. The document itself: <a href="${routes.openapi.path}">OpenAPI</a>.</noscript>
<script src="${fileOf('swagger-ui-bundle.js')}"></script>
<script src="${fileOf('start.js')}"></script>
</body>
</html>
`

export function serveDocs(app: FastifyInstance, { KELID_BRAND_NAME: title }: Config): void {
  const document = fileFrom('application/json', () =>
    JSON.stringify(openApiDocument({ title, version: '1.0' })),
  )
  const { markup } = page(title)

  app.get(
    routes.openapi.path,
    { config: { access: routes.openapi.access }, compress: false },
    (request, reply) => sendFile(request, reply, document),
  )
  app.get(routes.docs.path, { config: { access: routes.docs.access } }, (_, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(markup),
  )
  app.get<{ Params: { '*': string } }>(
    routes.docsFiles.path,
    { config: { access: routes.docsFiles.access }, compress: false },
    (request, reply) => {
      const name = request.params['*']
      const file = Object.hasOwn(files, name) ? files[name] : undefined
      if (!file) return notFound(request, reply)
      return sendFile(request, reply.header('cache-control', 'public, max-age=86400'), file)
    },
  )
}
