import * as z from 'zod/mini'
import type { Call, Listing, Output } from './call.ts'
import { type Refusal, type RefusalParameters, refusals } from './errors.ts'
import { type RuleName, ruleTexts } from './rules.ts'

/** As `z.record`, which the client would have to fetch for this alone. */
const named = <Value extends z.core.SomeType>(value: Value) => z.catchall(z.object({}), value)

const envelopeError = z.object({
  errorContent: z.array(z.string()),
  errorAutoHide: z.boolean(),
  errorType: z.string(),
  errorParameters: z.optional(named(z.union([z.string(), z.number()]))),
  errorFields: z.optional(named(z.string())),
})

export const envelope = z.object({
  response: z.object({
    status: z.number(),
    httpCode: z.number(),
    message: z.string(),
    detailedResponse: z.array(z.unknown()),
    nextCursor: z.optional(z.nullable(z.string())),
    total: z.optional(z.number()),
    error: z.optional(envelopeError),
  }),
})
export type Envelope = z.infer<typeof envelope>

/** A reply that is not in the contract must never leave: every item is parsed, and what is not named is dropped. */
export function wrap(call: Call, result: unknown): Envelope {
  const { items, parse, page } = partsOf(call.output, result)
  return {
    response: { ...successOf(call), detailedResponse: items.map(parse), ...page },
  }
}

/** wrap() as text: `textOf` may know that of an item, or of all of them, already, and calls `write` where it does not. */
export function wrapText(
  call: Call,
  result: unknown,
  textOf: (known: unknown, write: () => string) => string,
): string {
  const { items, parse, page } = partsOf(call.output, result)
  const write = (item: unknown) => textOf(item, () => JSON.stringify(parse(item)))
  const texts = textOf(items, () => items.map(write).join(','))
  const before = JSON.stringify(successOf(call)).slice(0, -1)
  const after = JSON.stringify(page).slice(1, -1)
  return `{"response":${before},"detailedResponse":[${texts}]${after && `,${after}`}}}`
}

const successOf = (call: Call) => ({ status: 1, httpCode: 200, message: call.message })

interface Parts {
  items: readonly unknown[]
  parse: (item: unknown) => unknown
  page: { nextCursor?: string | null; total?: number }
}

function partsOf(output: Output, result: unknown): Parts {
  if (output.kind === 'nothing') return { items: [], parse: (item) => item, page: {} }
  const parse = (item: unknown) => output.item.parse(item)
  if (output.kind === 'one') return { items: [result], parse, page: {} }
  const { items, nextCursor, total } = result as Listing<unknown>
  const page = { ...(nextCursor !== undefined && { nextCursor }), ...(total !== undefined && { total }) }
  return { items, parse, page }
}

export function wrapRefusal(refusal: Refusal): Envelope {
  const { httpCode, ...definition } = refusals[refusal.type]
  const fields = Object.entries(refusal.fields)
  return {
    response: {
      status: 0,
      httpCode,
      message: refusal.message,
      detailedResponse: [],
      error: {
        errorContent: [refusal.message, ...fields.map(([field, rule]) => `${field}: ${ruleTextOf(rule)}`)],
        errorAutoHide: !('autoHide' in definition) || definition.autoHide,
        errorType: refusal.type,
        ...(Object.keys(refusal.parameters).length > 0 && { errorParameters: { ...refusal.parameters } }),
        ...(fields.length > 0 && { errorFields: { ...refusal.fields } }),
      },
    },
  }
}

const ruleTextOf = (rule: string): string => ruleTexts[rule as RuleName] ?? rule

/** The server said no, in its own words; the client translates by `type` and falls back to `text`. */
export class RefusedByServer extends Error {
  constructor(
    readonly type: string,
    readonly httpCode: number,
    text: string,
    readonly autoHide: boolean,
    readonly parameters: RefusalParameters,
    readonly fields: Readonly<Record<string, string>>,
  ) {
    super(text)
    this.name = 'RefusedByServer'
  }
}

type Unwrapped<O extends Output> = O extends { kind: 'one'; item: infer Item extends z.ZodMiniType }
  ? z.output<Item>
  : O extends { kind: 'list'; item: infer Item extends z.ZodMiniType }
    ? Listing<z.output<Item>>
    : undefined
export type Answer<C extends Call> = Unwrapped<C['output']>

/** The reverse of wrap, for clients. Throws RefusedByServer on a refusal and a plain Error on anything else. */
export function unwrap<C extends Call>(call: C, reply: unknown): Answer<C> {
  const { response } = envelope.parse(reply)
  if (response.status !== 1) {
    const { error } = response
    throw new RefusedByServer(
      error?.errorType ?? 'INTERNAL',
      response.httpCode,
      error?.errorContent[0] ?? response.message,
      error?.errorAutoHide ?? true,
      error?.errorParameters ?? {},
      error?.errorFields ?? {},
    )
  }
  const { output } = call
  if (output.kind === 'nothing') return undefined as Answer<C>
  if (output.kind === 'one') return output.item.parse(response.detailedResponse[0]) as Answer<C>
  const items = response.detailedResponse.map((item) => output.item.parse(item))
  return { items, nextCursor: response.nextCursor, total: response.total } as Answer<C>
}
