import {
  type Call,
  callerRefusals,
  calls,
  commonRefusals,
  type PeopleAccess,
  patterns,
  Refusal,
  type RefusalType,
  type Route,
  refusals,
  routes,
  ruleTexts,
  wrapRefusal,
} from '@kelid/contract'
import { exampleBody, refusalParameters } from './openapi-examples.ts'
import { bodyName, callName, jsonSchemas, reference, replyName, type Schema } from './openapi-schemas.ts'

type Content = Record<string, { schema: Schema; example?: unknown; examples?: Record<string, unknown> }>
interface Parameter {
  name: string
  in: 'header' | 'path'
  required: boolean
  description?: string
  schema: Schema
}
export interface Operation {
  operationId: string
  tags: [string]
  summary: string
  'x-access': PeopleAccess
  security: { bearer: [] }[]
  parameters: Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, { description: string; headers?: object; content?: Content }>
}
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string }
  servers?: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, { post?: Operation; get?: Operation }>
  components: {
    securitySchemes: object
    schemas: Record<string, Schema>
    examples: Record<string, { summary: string; value: unknown }>
  }
}

const json = 'application/json'
const features: Record<string, string> = {
  auth: 'Signing in, sessions and own balances',
  accounts: 'VPN accounts',
  servers: 'Servers and countries',
  tunnels: 'Tunnels',
  admin: 'Users, money, settings and the audit log',
  other: 'Addresses that are not calls',
}
const featureOf = (call: Call) => call.path.split('/')[3] ?? ''

export function openApiDocument(options: {
  title: string
  version: string
  serverUrl?: string
}): OpenApiDocument {
  const schemas = jsonSchemas()
  return {
    openapi: '3.1.1',
    info: {
      title: options.title,
      version: options.version,
      description: [
        'Every call is a POST with a JSON body that holds client and clientVersion. Every reply is an envelope; its status is 1 on success.',
        'A list fills detailedResponse; a single thing is its first item. The HTTP status is the httpCode.',
        'Fields that a call does not name are refused, and no value is converted: a number in quotes is not a number.',
      ].join('\n\n'),
    },
    ...(options.serverUrl && { servers: [{ url: options.serverUrl }] }),
    tags: [...new Set(calls.map(featureOf)), 'other'].map((name) => ({
      name,
      description: features[name] ?? name,
    })),
    paths: {
      ...Object.fromEntries(calls.map((call) => [call.path, { post: callOperation(call, schemas) }])),
      ...Object.fromEntries(
        Object.entries<Route>(routes).map(([name, route]) => [
          toTemplate(route.path),
          { get: routeOperation(name, route) },
        ]),
      ),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that auth/signin answers' },
      },
      schemas,
      examples: refusalExamples(),
    },
  }
}

function callOperation(call: Call<PeopleAccess>, schemas: Record<string, Schema>): Operation {
  const body = bodyName(call)
  return {
    operationId: callName(call),
    tags: [featureOf(call)],
    summary: call.summary,
    'x-access': call.access,
    security: securityOf(call.access),
    parameters: call.idempotent ? [idempotencyKey] : [],
    requestBody: {
      required: true,
      content: { [json]: { schema: reference(body), example: exampleBody(call, schemas[body] ?? {}) } },
    },
    responses: {
      200: {
        description: call.message,
        content: { [json]: { schema: success(call, schemas.Envelope ?? {}) } },
      },
      ...refusalResponses(refusalsOf(call)),
    },
  }
}

const securityOf = (access: PeopleAccess): { bearer: [] }[] => (access === 'anyone' ? [] : [{ bearer: [] }])

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `${ruleTexts.idempotencyKey}; the same key and body again within 24 hours changes nothing and gets the same reply`,
  schema: { type: 'string', pattern: patterns.idempotencyKey.source },
}

function success(call: Call, envelope: Schema): Schema {
  const response = envelope.properties?.response
  if (typeof response !== 'object') return envelope
  const { kind } = call.output
  const { error: _, nextCursor, total, ...fields } = response.properties ?? {}
  const properties = {
    ...fields,
    status: { const: 1 },
    httpCode: { const: 200 },
    message: { type: 'string', examples: [call.message] },
    detailedResponse: {
      type: 'array',
      ...(kind === 'nothing' ? { maxItems: 0 } : { items: reference(replyName(call)) }),
      ...((kind === 'one' || kind === 'success') && { minItems: 1, maxItems: 1 }),
    },
    ...(kind === 'list' && { nextCursor, total }),
  } as Record<string, Schema>
  return { ...envelope, properties: { response: { ...response, properties } } }
}

export const refusalsOf = ({ access, refusals: ownRefusals }: Call): RefusalType[] => [
  ...new Set([...ownRefusals, ...(access === 'anyone' ? [] : callerRefusals)]),
  ...(access === 'admin' || access === 'anyAdmin' ? (['ACCESS_DENIED'] as const) : []),
  ...(access === 'admin' ? (['SECOND_FACTOR_MISSING'] as const) : []),
  ...commonRefusals,
]

function refusalResponses(types: readonly RefusalType[]): Operation['responses'] {
  const codes = [...new Set(types.map((type) => refusals[type].httpCode))].sort()
  return Object.fromEntries(
    codes.map((code) => {
      const typesOfCode = types.filter((type) => refusals[type].httpCode === code)
      const examples = Object.fromEntries(
        typesOfCode.map((type) => [type, { $ref: `#/components/examples/${type}` }]),
      )
      return [
        code,
        {
          description: typesOfCode.join(', '),
          ...(typesOfCode.includes('TOO_MANY_ATTEMPTS') && { headers: { 'Retry-After': retryAfter } }),
          content: { [json]: { schema: reference('Envelope'), examples } },
        },
      ]
    }),
  )
}

const retryAfter = { description: 'seconds', schema: { type: 'integer' } }

function refusalExamples(): Record<string, { summary: string; value: unknown }> {
  const types = Object.keys(refusals) as RefusalType[]
  return Object.fromEntries(
    types.map((type) => {
      const names = [...refusals[type].text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
      const parameters = Object.fromEntries(names.map((name) => [name, refusalParameters[name] ?? '']))
      const refusal = new Refusal(type, parameters)
      return [type, { summary: refusal.message, value: wrapRefusal(refusal) }]
    }),
  )
}

const toTemplate = (path: string) => path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')

const routeContent: Record<string, Content> = {
  config: { [json]: { schema: reference('ClientConfig') } },
  events: { 'text/event-stream': { schema: reference('LiveEvent') } },
}

function routeOperation(name: string, { path, access, summary }: Route): Operation {
  const content = routeContent[name]
  return {
    operationId: `${name}Route`,
    tags: ['other'],
    summary,
    'x-access': access,
    security: securityOf(access),
    parameters: [...toTemplate(path).matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
      name: parameter ?? '',
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    responses: {
      200: { description: summary, ...(content && { content }) },
      ...(access !== 'anyone' && refusalResponses(callerRefusals)),
    },
  }
}
