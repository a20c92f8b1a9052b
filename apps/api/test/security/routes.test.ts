import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Call,
  calls,
  deleteAccount,
  newAccount,
  nodeCalls,
  renewSubscription,
  routes,
} from '@kelid/contract'
import Fastify from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Hub } from '../../src/features/events/hub.ts'
import { openCallersTurns } from '../../src/http/callers-turns.ts'
import { type BoundCall, bind, serveCalls, serveNodeCalls } from '../../src/http/serve.ts'
import { refuseRoutesWithoutPolicy } from '../../src/http/server.ts'
import { folderForAllTests } from '../hooks.ts'
import { productForAllTests } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'
import { deadCallers, isDead, levelOf, liveCallers, somebody, tokenFor } from './callers.ts'
import { bearer, readEnvelope, sameness, send } from './wire.ts'

const webDir = folderForAllTests()
writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>Kelid</title>')
const product = productForAllTests({ env: { KELID_WEB_DIR: webDir } })
let subscription: string
beforeAll(async () => {
  await product.server()
  const owner = await somebody(product, 1)
  subscription = (await owner.ask(newAccount, directAccount)).accountSubscriptionPath
})

/** An address of each route; one that is missing here does not compile. */
const addresses: Record<keyof typeof routes, () => string> = {
  health: () => '/healthz',
  ready: () => '/readyz',
  config: () => '/config.json',
  docs: () => '/api/docs',
  docsFiles: () => '/api/docs/files/start.js',
  openapi: () => '/api/docs/openapi.json',
  events: () => '/api/v1/events',
  subscription: () => subscription,
  flags: () => '/flags/de.svg',
  web: () => '/',
}

const get = async (path: string, token: string | undefined) => {
  const abort = new AbortController()
  const headers = { ...bearer(token), 'accept-encoding': 'identity' }
  const reply = await fetch(new URL(path, product.url), { headers, signal: abort.signal })
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isStream ? 'a stream' : await reply.text()
  abort.abort()
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text }
}

test.each(Object.entries(routes))('who may open %s', async (name, route) => {
  const replies = new Map<string, Set<string>>()
  for (const kind of [...deadCallers, ...liveCallers]) {
    const token = await tokenFor(product, await somebody(product, levelOf(kind)), kind)
    const reply = await get(addresses[name as keyof typeof routes](), token)
    const mayPass = route.access === 'anyone' || !isDead(kind)
    expect(reply.status, kind).toBe(mayPass ? 200 : 401)
    if (!mayPass) expect(readEnvelope(reply).error?.errorType).toBe('UNAUTHENTICATED')
    const key = mayPass ? 'passed' : 'refused'
    replies.set(key, (replies.get(key) ?? new Set()).add(sameness(reply)))
  }
  for (const [key, same] of replies) expect([...same], key).toHaveLength(1)
})

test('a subscription link that was replaced, deleted, never given out or is no link gets the same reply', async () => {
  const owner = await somebody(product, 1)
  const first = await owner.ask(newAccount, directAccount)
  const second = await owner.ask(newAccount, directAccount)
  await owner.call(renewSubscription, { accountUUID: first.accountUUID })
  await owner.call(deleteAccount, { accountUUID: second.accountUUID })
  const paths = [
    first.accountSubscriptionPath,
    second.accountSubscriptionPath,
    `/sub/${'A'.repeat(22)}`,
    '/sub/x',
    `/sub/${'A'.repeat(99)}`,
    `/sub/${first.accountUUID}`,
  ]
  const replies = await Promise.all(paths.map((path) => get(path, undefined)))
  for (const reply of replies) expect(readEnvelope(reply).error?.errorType).toBe('RESOURCE_NOT_FOUND')
  expect(new Set(replies.map(sameness)).size).toBe(1)
})

test('metrics are not on this port', async () => {
  const reply = await get('/metrics', product.admin.token)
  expect(reply.text).not.toContain('kelid_')
  expect(reply.text).not.toContain('process_cpu')
})

const noHub: Hub = { join: async () => () => {}, close: async () => {} }

/** Method and path of every route in the framework's printed tree, which shows no more than the depth of a wildcard. */
function routesIn(printed: string): string[] {
  const above: string[] = []
  return [...printed.matchAll(/^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/gm)].flatMap((line) => {
    const [, indent = '', segment = '', methods] = line
    const depth = indent.length / 4
    const path = `${depth > 0 ? above[depth - 1] : ''}${segment}`
    above[depth] = path
    return methods ? methods.split(', ').map((method) => `${method} ${path}`) : []
  })
}

test('the server has the routes of the contract and no others', async () => {
  const { server } = await createApp(product.ctx, noHub, { isStopping: false })
  await server.ready()
  const served = routesIn(server.printRoutes({ commonPrefix: false }))
  await server.close()
  const pages = Object.values(routes).filter((route) => !route.path.includes('*'))
  const declared = [
    'GET *',
    'HEAD *',
    'GET /api/docs*',
    ...calls.map((call) => `POST ${call.path}`),
    ...pages.map((route) => `GET ${route.path}`),
  ]
  expect(served.sort()).toEqual(declared.sort())
})

test('a route that has no access policy stops the start', () => {
  const app = Fastify()
  refuseRoutesWithoutPolicy(app)
  const config = { access: 'anyone' } as const
  expect(() => app.get('/declared', { config }, () => 'ok')).not.toThrow()
  expect(() => app.get('/forgotten', () => 'ok')).toThrow('GET /forgotten has no access policy')
  expect(() => app.post('/forgotten', { config: {} }, () => 'ok')).toThrow('/forgotten')
  expect(() => app.route({ method: ['PUT', 'DELETE'], url: '/two', handler: () => 'ok' })).toThrow('/two')
})

const serve = (bound: readonly BoundCall[]) => serveCalls(Fastify(), product.ctx, bound, openCallersTurns(10))

test('a call without a handler, or with two, stops the start', () => {
  const all = calls.map((call) => bind(call as Call, () => ({}) as never))
  expect(() => serve([])).toThrow(/must have exactly one handler/)
  for (const [index, { call }] of all.entries()) {
    expect(() => serve(all.toSpliced(index, 1))).toThrow(call.path)
  }
  const [first] = all
  if (first) expect(() => serve([...all, first])).toThrow(first.call.path)
  expect(() => serve(all)).not.toThrow()
})

test('a node call on the public listener, or a public call on the node listener, stops the start', () => {
  const boundTo = (list: readonly Call[]) => list.map((call) => bind(call, () => ({}) as never))
  const both = [...boundTo(calls), ...boundTo(nodeCalls)]
  expect(() => serve(both)).toThrow('/agent/v1/hello is not for this listener')
  expect(() => serveNodeCalls(Fastify(), product.ctx, both)).toThrow(/\/api\/v1\/.* is not for this listener/)
  expect(() => serveNodeCalls(Fastify(), product.ctx, [])).toThrow(/must have exactly one handler/)
  expect(() => serveNodeCalls(Fastify(), product.ctx, boundTo(nodeCalls))).not.toThrow()
})

test('a wrong method is refused with the right one, although a header overrides it', async () => {
  for (const { path } of calls) {
    const headers = { ...bearer(product.admin.token), 'x-http-method-override': 'POST' }
    const reply = await send(product.url, { path, method: 'GET', headers })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST'])
  }
})
