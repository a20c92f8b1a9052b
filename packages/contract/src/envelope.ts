import * as z from 'zod/mini'
import type { Call, Listing, Output, Result } from './call.ts'
import { type Refusal, type RefusalParameters, refusals } from './errors.ts'
import { type RuleName, ruleTexts } from './rules.ts'

/** Like `z.record`, which would enlarge the client's bundle. */
export const named = <Value extends z.core.SomeType>(value: Value) => z.catchall(z.object({}), value)

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
    error: z.optional(z.nullable(envelopeError)),
  }),
})
export type Envelope = z.infer<typeof envelope>

/** Parses every item, so that no unnamed field is ever sent. */
export const wrap = (call: Call, result: unknown): Envelope => ({
  response: { status: 1, httpCode: 200, message: call.message, ...detailsOf(call.output, result) },
})

function detailsOf(output: Output, result: unknown) {
  if (output.kind === 'nothing') return { detailedResponse: [] }
  if (output.kind !== 'list') return { detailedResponse: [output.item.parse(result)] }
  const { items, nextCursor, total } = result as Listing<unknown>
  return {
    detailedResponse: items.map((item) => output.item.parse(item)),
    ...(nextCursor !== undefined && { nextCursor }),
    ...(total !== undefined && { total }),
  }
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

/** The client translates by `type` and falls back to `text`. */
export class RefusedByServer extends Error {
  readonly type: string
  readonly httpCode: number
  readonly autoHide: boolean
  readonly parameters: RefusalParameters
  readonly fields: Readonly<Record<string, string>>

  constructor(
    type: string,
    httpCode: number,
    text: string,
    autoHide: boolean,
    parameters: RefusalParameters,
    fields: Readonly<Record<string, string>>,
  ) {
    super(text)
    this.name = 'RefusedByServer'
    this.type = type
    this.httpCode = httpCode
    this.autoHide = autoHide
    this.parameters = parameters
    this.fields = fields
  }
}

type Unwrapped<O extends Output> = O extends { kind: 'one'; item: infer Item extends z.ZodMiniType }
  ? z.output<Item>
  : O extends { kind: 'success'; item: infer Item extends z.ZodMiniType }
    ? z.output<Item> | undefined
    : O extends { kind: 'list'; item: infer Item extends z.ZodMiniType }
      ? Listing<z.output<Item>>
      : undefined
export type Answer<C extends Call> = Unwrapped<C['output']>
export type Sent<C extends Call> = Result<C['output']>

/** Throws RefusedByServer on a refusal and a plain Error on anything else. */
export function unwrap<C extends Call>(call: C, reply: unknown): Answer<C> {
  const { response } = envelope.parse(reply)
  if (response.status !== 1) {
    const { error } = response
    const type = error?.errorType ?? 'INTERNAL'
    const text = error?.errorContent[0] || response.message
    if (call.emptyText && (type === 'RESOURCE_NOT_FOUND' || text === call.emptyText))
      return { items: [] } as unknown as Answer<C>
    throw new RefusedByServer(
      type,
      response.httpCode,
      text,
      error?.errorAutoHide ?? true,
      error?.errorParameters ?? {},
      error?.errorFields ?? {},
    )
  }
  const { output } = call
  if (output.kind === 'nothing') return undefined as Answer<C>
  if (output.kind === 'one') return output.item.parse(response.detailedResponse[0]) as Answer<C>
  if (output.kind === 'success') return output.item.safeParse(response.detailedResponse[0]).data as Answer<C>
  const items = response.detailedResponse.map((item) => output.item.parse(item))
  return { items, nextCursor: response.nextCursor, total: response.total } as Answer<C>
}
