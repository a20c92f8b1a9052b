import type { TLSSocket } from 'node:tls'
import {
  type Access,
  type Call,
  calls,
  fallbackLanguage,
  type Input,
  type Language,
  nodeCalls,
  type PeopleAccess,
  patterns,
  Refusal,
  type Result,
  wrap,
} from '@kelid/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Actor } from '../features/audit/audit.ts'
import { admit, byOf, type Caller, type Origin } from '../features/auth/auth.ts'
import { admitNode, type Node, noteNamedHost } from '../features/nodes/nodes.ts'
import { readAddress } from '../lib/addresses.ts'
import { parseBody, parseInput } from './body.ts'
import type { CallersTurns } from './callers-turns.ts'
import { withCompiledOutput } from './compiled-output.ts'

/** The compiler allows a caller only for calls that need one. */
type CallerOf<A extends Access> = A extends 'anyone'
  ? unknown
  : A extends 'node'
    ? { readonly node: Node }
    : { readonly caller: Caller; readonly by: Actor }

export type Visit<C extends Call> = {
  readonly ctx: Context
  readonly input: Input<C>
  readonly lng: Language
  readonly origin: Origin
  readonly idempotencyKey: string | null
} & CallerOf<C['access']>

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

/** Authentication of a listener: people by token, nodes by certificate. */
interface Admission<A extends Access, W extends object = object> {
  readonly calls: readonly Call<A>[]
  hasCredentials(request: FastifyRequest, access: A): boolean
  admit(ctx: Context, request: FastifyRequest, access: A, origin: Origin): Promise<W>
  noteRefused?(ctx: Context, caller: W, body: unknown, refusal: unknown): Promise<void>
  /** Admits and runs the call when it is the caller's turn. Nodes take turns by kind of call instead. */
  inTurn<T>(
    request: FastifyRequest,
    admit: () => Promise<T>,
    run: (caller: T) => Promise<unknown>,
  ): Promise<unknown>
}

const atOnce: Admission<never>['inTurn'] = async (_, admit, run) => run(await admit())

const peopleAdmission = (turns: CallersTurns): Admission<PeopleAccess> => ({
  calls,
  hasCredentials: (request, access) => access === 'anyone' || tokenOf(request) !== null,
  async admit(ctx, request, access, origin) {
    request.caller = await admit(ctx, access, tokenOf(request))
    return { caller: request.caller, by: request.caller && byOf(request.caller, origin) }
  },
  inTurn: (request, admit, run) =>
    turns.ofSession(tokenOf(request), async () => {
      const caller = await admit()
      const work = () => run(caller)
      return request.caller ? turns.ofUser(request.caller.userId, work) : work()
    }),
})

/** The node's identity comes only from its certificate, never from a token, an address or a body. */
const certificateOf = ({ socket }: FastifyRequest) =>
  (socket as Partial<TLSSocket>).authorized ? (socket as TLSSocket).getPeerX509Certificate() : undefined

const nodeAdmission: Admission<'node', { node: Node }> = {
  calls: nodeCalls,
  hasCredentials: (request) => certificateOf(request) !== undefined,
  admit: async (ctx, request) => ({ node: await admitNode(ctx, certificateOf(request)) }),
  noteRefused: (ctx, { node }, body, refusal) => noteNamedHost(ctx, node, body, refusal),
  inTurn: atOnce,
}

export const serveCalls = (
  app: FastifyInstance,
  ctx: Context,
  bound: readonly BoundCall[],
  turns: CallersTurns,
): void => serve(app, ctx, bound, peopleAdmission(turns))

export const serveNodeCalls = (app: FastifyInstance, ctx: Context, bound: readonly BoundCall[]): void =>
  serve(app, ctx, bound, nodeAdmission)

/** admit -> parse -> run -> wrap. Admission waits for the body, because the session may end meanwhile. */
function serve<A extends Access, W extends object>(
  app: FastifyInstance,
  ctx: Context,
  bound: readonly BoundCall[],
  admission: Admission<A, W>,
): void {
  const unserved = admission.calls.find((call) => bound.filter((one) => one.call === call).length !== 1)
  if (unserved) throw new Error(`${unserved.path} must have exactly one handler`)
  const stray = bound.find(({ call }) => !admission.calls.some((one) => one === call))
  if (stray) throw new Error(`${stray.call.path} is not for this listener`)

  for (const { call, run } of bound) {
    const compiled = withCompiledOutput(call)
    const access = call.access as A
    app.post(
      call.path,
      {
        config: { access },
        onRequest: (request, _, done) =>
          done(admission.hasCredentials(request, access) ? undefined : new Refusal('UNAUTHENTICATED')),
      },
      async (request, reply) => {
        const origin = originOf(request)
        const admit = () => admission.admit(ctx, request, access, origin)
        const result = await admission.inTurn(request, admit, async (caller) => {
          const body = parseBody(request.body as Buffer | undefined)
          const input = await inputOf(call, body, (refusal) =>
            admission.noteRefused?.(ctx, caller, body, refusal),
          )
          const visit = {
            ctx,
            input,
            lng: input.lng ?? fallbackLanguage,
            origin,
            idempotencyKey: call.idempotent ? idempotencyKeyOf(request) : null,
            ...caller,
          }
          return run(visit as never)
        })
        return reply.type('application/json; charset=utf-8').send(serialize(compiled, result, request))
      },
    )
  }
}

async function inputOf(call: Call, body: unknown, onRefused: (refusal: unknown) => unknown) {
  try {
    return parseInput(call, body)
  } catch (refusal) {
    await onRefused(refusal)
    throw refusal
  }
}

/** The call has been executed, so a failure here must not look like a refusal. */
function serialize(call: Call, result: unknown, request: FastifyRequest): string {
  try {
    return JSON.stringify(wrap(call, result))
  } catch (error) {
    request.log.error({ err: error }, 'cannot serialize a reply')
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
