import * as z from 'zod/mini'
import type { PeopleAccess } from './call.ts'

/** Paths that are not calls. Each needs an access policy, or the server does not start. */
export interface Route {
  readonly path: string
  readonly access: PeopleAccess
  readonly summary: string
}

export const routes = {
  health: { path: '/healthz', access: 'anyone', summary: 'The process is up' },
  ready: { path: '/readyz', access: 'anyone', summary: 'The process can serve: 200, or 503 with the reason' },
  config: { path: '/config.json', access: 'anyone', summary: 'Brand and base addresses for the web client' },
  docs: { path: '/api/docs', access: 'anyone', summary: 'The API documentation' },
  docsFiles: { path: '/api/docs/files/*', access: 'anyone', summary: 'Scripts and styles of that page' },
  openapi: { path: '/api/docs/openapi.json', access: 'anyone', summary: 'The calls, as OpenAPI 3.1' },
  events: { path: '/api/v1/events', access: 'user', summary: 'Live replies, as server-sent events' },
  subscription: { path: '/sub/:secret', access: 'anyone', summary: "An account's subscription" },
  flags: { path: '/flags/*', access: 'anyone', summary: 'Flags of countries' },
  web: { path: '/*', access: 'anyone', summary: 'The web client' },
} as const satisfies Record<string, Route>

export const clientConfig = z.object({
  brandName: z.string(),
  brandContact: z.string(),
  publicUrl: z.string(),
  appServer: z.string(),
  replyServer: z.string(),
  messagingServer: z.string(),
  smsEnabled: z.boolean(),
})
export type ClientConfig = z.output<typeof clientConfig>
