import {
  type Call,
  type Input,
  Refusal,
  type RefusalParameters,
  type RefusalType,
  type Result,
  refusals,
  wrap,
  wrapRefusal,
} from '@kelid/contract'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'

/** The mock server accepts and returns only what the contract allows. */
export const api = setupServer(http.get('*/config.json', () => HttpResponse.error()))

interface SentCall {
  readonly path: string
  readonly body: Record<string, unknown>
  readonly key: string | null
}

export const sentCalls: SentCall[] = []
export const callsTo = (call: Call): SentCall[] => sentCalls.filter(({ path }) => path === call.path)

type Respond<C extends Call> = (body: Input<C>) => Result<C['output']> | Promise<Result<C['output']>>

/** Throw a Refusal to refuse, `noAnswer()` to break the network. */
export function answer<C extends Call>(call: C, respond: Respond<C>): void {
  api.use(
    http.post(`*${call.path}`, async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>
      sentCalls.push({ path: call.path, body, key: request.headers.get('idempotency-key') })
      try {
        const result = await respond(call.input.parse(body) as Input<C>)
        return HttpResponse.json(wrap(call, result))
      } catch (error) {
        if (error === noNetwork) return HttpResponse.error()
        if (!(error instanceof Refusal)) throw error
        return HttpResponse.json(wrapRefusal(error), { status: refusals[error.type].httpCode })
      }
    }),
  )
}

const noNetwork = new Error('no network')
export const noAnswer = (): never => {
  throw noNetwork
}
export const refuse = (
  type: RefusalType,
  parameters?: RefusalParameters,
  fields?: Readonly<Record<string, string>>,
): never => {
  throw new Refusal(type, parameters, fields)
}

/** A page of a list; the cursor is the number of its first item. */
export function pageOf<Item>(
  items: readonly Item[],
  { cursor, limit = items.length }: { cursor?: string | undefined; limit?: number | undefined } = {},
) {
  const from = Number(cursor ?? 0)
  const end = from + limit
  return {
    items: items.slice(from, end),
    total: items.length,
    nextCursor: end < items.length ? String(end) : null,
  }
}
