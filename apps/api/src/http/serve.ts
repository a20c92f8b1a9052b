import {
  type Access,
  type Call,
  calls,
  fallbackLanguage,
  type Input,
  type Language,
  patterns,
  Refusal,
  type Result,
  wrap,
} from '@kelid/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { By } from '../features/audit/audit.ts'
import { admit, byOf, type Caller, type Origin } from '../features/auth/auth.ts'
import { readAddress } from '../lib/addresses.ts'
import { parseBody } from './body.ts'
import { withCompiledOutput } from './compiled-output.ts'
import { parseInput } from './parse-input.ts'

/** What a handler is given. Only calls that need a user have a caller: the compiler keeps them apart. */
export type Visit<C extends Call> = {
  readonly ctx: Context
  readonly input: Input<C>
  readonly lng: Language
  readonly origin: Origin
  readonly idempotencyKey: string | null
} & (C['access'] extends 'anyone' ? unknown : { readonly caller: Caller; readonly by: By })

type Handler<C extends Call> = (visit: Visit<C>) => Promise<Result<C['output']>> | Result<C['output']>

export interface BoundCall {
  readonly call: Call
  readonly run: (visit: never) => unknown
}

export const bind = <C extends Call>(call: C, run: Handler<C>): BoundCall => ({ call, run })

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    caller: Caller | null
  }
}

const bearer = /^Bearer ([A-Za-z0-9_-]{43})$/

export const tokenOf = (request: FastifyRequest): string | null =>
  bearer.exec(request.headers.authorization ?? '')?.[1] ?? null

/**
 * admit -> parse -> run -> wrap, the same for every call. Who may is decided when the body is there and the call runs: a
 * session may end while its body is on the way.
 */
export function serveCalls(app: FastifyInstance, ctx: Context, bound: readonly BoundCall[]): void {
  const unserved = calls.find((call) => bound.filter((one) => one.call === call).length !== 1)
  if (unserved) throw new Error(`${unserved.path} must have exactly one handler`)

  for (const { call, run } of bound) {
    const compiled = withCompiledOutput(call)
    app.post(
      call.path,
      {
        config: { access: call.access },
        // Whoever brings no token at all need not send the body first.
        onRequest: (request, _, done) => {
          const mayGoOn = call.access === 'anyone' || tokenOf(request)
          done(mayGoOn ? undefined : new Refusal('UNAUTHENTICATED'))
        },
      },
      async (request, reply) => {
        request.caller = await admit(ctx, call.access, tokenOf(request))
        const input = parseInput(call, parseBody(request.body as Buffer | undefined))
        const origin = originOf(request)
        const visit = {
          ctx,
          input,
          lng: input.lng ?? fallbackLanguage,
          origin,
          idempotencyKey: call.idempotent ? idempotencyKeyOf(request) : null,
          caller: request.caller,
          by: request.caller && byOf(request.caller, origin),
        }
        const result = await run(visit as never)
        return reply.type('application/json; charset=utf-8').send(written(compiled, result, request))
      },
    )
  }
}

/** What was asked for is done by now, so a failure must not be told as one of the request itself. */
function written(call: Call, result: unknown, request: FastifyRequest): string {
  try {
    return JSON.stringify(wrap(call, result))
  } catch (error) {
    request.log.error({ err: error }, 'a reply could not be written')
    throw new Refusal('REPLY_FAILED', { requestId: request.id })
  }
}

export function originOf(request: FastifyRequest): Origin {
  const address = readAddress(request.ip)
  if (!address) throw new Refusal('BAD_REQUEST')
  return { address, userAgent: request.headers['user-agent'] ?? '' }
}

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && patterns.idempotencyKey.test(key)) return key
  throw new Refusal('INCOMPLETE_INFORMATION', {}, { 'Idempotency-Key': 'idempotencyKey' })
}
