import * as z from 'zod/mini'
import { languages } from './constants/languages.ts'
import type { RefusalType } from './errors.ts'
import { limits } from './limits.ts'
import { patterns, type RuleName, rules } from './rules.ts'

/** `admin` needs the second factor if it is required; `anyAdmin` does not. */
export type PeopleAccess = 'anyone' | 'user' | 'admin' | 'anyAdmin'
/** `node`: the agent of a host, authenticated by certificate on a separate listener. */
export type Access = PeopleAccess | 'node'

const clientText = (rule: RuleName) =>
  z.string(rule).check(z.maxLength(limits.textMax, rule), z.regex(patterns.client, rule))

export const common = {
  client: clientText('client'),
  clientVersion: clientText('clientVersion'),
  lng: z.optional(z.enum(languages, 'choice')),
}

export type Shape = z.core.$ZodLooseShape

export type Output<Item extends z.ZodMiniType = z.ZodMiniType> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'one'; readonly item: Item }
  | { readonly kind: 'success'; readonly item: Item }
  | { readonly kind: 'list'; readonly item: Item }

export interface Listing<Item> {
  items: readonly Item[]
  /** null on the last page; absent if the list has no pages. */
  nextCursor?: string | null
  total?: number
}

export type Result<O extends Output> = O extends {
  kind: 'one' | 'success'
  item: infer Item extends z.ZodMiniType
}
  ? z.input<Item>
  : O extends { kind: 'list'; item: infer Item extends z.ZodMiniType }
    ? Listing<z.input<Item>>
    : unknown

export interface Call<
  A extends Access = Access,
  Fields extends Shape = Shape,
  O extends Output = Output,
  Path extends string = string,
> {
  readonly path: Path
  readonly access: A
  readonly summary: string
  readonly input: z.ZodMiniObject<Fields & typeof common, z.core.$strict>
  readonly output: O
  readonly message: string
  readonly refusals: readonly RefusalType[]
  readonly invalid: Readonly<Record<string, RefusalType>>
  readonly idempotent: boolean
  readonly server: 'app' | 'messaging'
  /** A refusal with this text, or with RESOURCE_NOT_FOUND, means an empty list. */
  readonly emptyText: string | undefined
}

export const keyRefusals = ['KEY_REUSED', 'TOO_MANY_KEYS'] as const

export type Input<C extends Call> = z.output<C['input']>

/** One description for server, client, tests and documentation. Bundlers drop unused calls. */
/* @__NO_SIDE_EFFECTS__ */
export function defineCall<
  const Path extends string,
  const A extends Access,
  Fields extends Shape,
  O extends Output,
>(definition: {
  path: Path
  access: A
  summary: string
  input: Fields
  /** A rule across fields; the issue must name the field. */
  check?: z.core.CheckFn<z.output<z.ZodMiniObject<Fields>>>
  output: O
  message?: string
  refusals?: readonly RefusalType[]
  invalid?: Readonly<Record<string, RefusalType>>
  idempotent?: boolean
  server?: 'messaging'
  emptyText?: string
}): Call<A, Fields, O, Path> {
  const object = z.strictObject({ ...common, ...definition.input })
  return {
    path: definition.path,
    access: definition.access,
    summary: definition.summary,
    input: (definition.check ? object.check(z.check(definition.check as never)) : object) as never,
    output: definition.output,
    message: definition.message ?? 'OK',
    refusals: [...(definition.refusals ?? []), ...(definition.idempotent ? keyRefusals : [])],
    invalid: definition.invalid ?? {},
    idempotent: definition.idempotent ?? false,
    server: definition.server ?? 'app',
    emptyText: definition.emptyText,
  }
}

export const nothing = { kind: 'nothing' } as const
/* @__NO_SIDE_EFFECTS__ */
export const one = <Item extends z.ZodMiniType>(item: Item) => ({ kind: 'one', item }) as const
/** spec.md promises success only; our server also sends the item. */
/* @__NO_SIDE_EFFECTS__ */
export const success = <Item extends z.ZodMiniType>(item: Item) => ({ kind: 'success', item }) as const
/* @__NO_SIDE_EFFECTS__ */
export const list = <Item extends z.ZodMiniType>(item: Item) => ({ kind: 'list', item }) as const

/** Optional: without them the reply is the whole list, or the first page of an unlimited one. */
export const paging = { cursor: z.optional(rules.cursor), limit: z.optional(rules.pageSize) }
