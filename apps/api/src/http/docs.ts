import { routes } from '@kelid/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { docsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'

/** The contract as a document for programs and as a page for people, made once. */
export function serveDocs(app: FastifyInstance, config: Config): void {
  const document = openApiDocument({ title: config.KELID_BRAND_NAME, version: '1.0' })
  const json = JSON.stringify(document)
  const { html, styleHash } = docsPage(document, config.KELID_BRAND_NAME)
  const policy = `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

  app.get(routes.openapi.path, { config: { access: routes.openapi.access } }, (_, reply) =>
    reply.type('application/json; charset=utf-8').send(json),
  )
  app.get(routes.docs.path, { config: { access: routes.docs.access } }, (_, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html),
  )
}
