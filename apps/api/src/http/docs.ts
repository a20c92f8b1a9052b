import { routes } from '@kelid/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { once } from '../lib/once.ts'
import { docsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'

function makeDocs(title: string) {
  const document = openApiDocument({ title, version: '1.0' })
  const { html, styleHash } = docsPage(document, title)
  const policy = `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return { json: JSON.stringify(document), html, policy }
}

/** The contract as a document for programs and as a page for people, made when the first of them asks. */
export function serveDocs(app: FastifyInstance, config: Config): void {
  const docs = once(() => makeDocs(config.KELID_BRAND_NAME))

  app.get(routes.openapi.path, { config: { access: routes.openapi.access } }, (_, reply) =>
    reply.type('application/json; charset=utf-8').send(docs().json),
  )
  app.get(routes.docs.path, { config: { access: routes.docs.access } }, (_, reply) => {
    const { html, policy } = docs()
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html)
  })
}
