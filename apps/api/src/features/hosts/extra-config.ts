import { Refusal } from '@kelid/contract'
import * as z from 'zod/mini'

export interface ExtraConfig {
  readonly outbounds: readonly object[]
  readonly rules: readonly object[]
}

const protocols = [
  ...['freedom', 'blackhole', 'socks', 'http', 'shadowsocks', 'vless', 'vmess', 'trojan', 'wireguard'],
]
/** The agent's log reader knows tags of lower-case letters only, and a lost log line is a customer who is not cut. */
const tag = z.string().check(z.regex(/^[a-z]{1,20}$/))
/** `nowhere` must not exist: see the rule "names" of the core's configuration. */
const ownTags = ['api', 'block', 'direct', 'front', 'nowhere', 'relay', 'vpn']

/** Hosts have no geo data, and `ext:` reads a file. */
const matcher = z.string().check(z.regex(/^(?!!?(?:geoip|geosite|ext(?:-\w+)?):)/i))

const outbound = z.strictObject({
  tag: tag.check(z.refine((name) => !ownTags.includes(name))),
  protocol: z.enum(protocols),
  settings: z.optional(z.looseObject({})),
  streamSettings: z.optional(z.looseObject({})),
  mux: z.optional(z.looseObject({})),
})
const rule = z.strictObject({
  type: z.optional(z.literal('field')),
  domain: z.optional(z.array(matcher)),
  ip: z.optional(z.array(matcher)),
  port: z.optional(z.union([z.string(), z.int()])),
  network: z.optional(z.string()),
  protocol: z.optional(z.array(z.string())),
  outboundTag: tag,
})
const schema = z.strictObject({
  outbounds: z.optional(z.array(outbound)),
  routing: z.optional(z.strictObject({ rules: z.optional(z.array(rule)) })),
})

/**
 * Would read or write files, write logs, or reach the host's own listeners: the source address 127.0.0.2 and a
 * redirection open the port that trusts the customer's address.
 */
const forbidden = /^(?:.*file|masterKeyLog|show|sockopt|redirect|proxyProtocol|sendThrough|__proto__)$/i

function findForbidden(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const field = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
    const bad = forbidden.test(name) ? field : findForbidden(inner, field)
    if (bad) return bad
  }
  return undefined
}

const refuse = (field: string) => new Refusal('CONFIG_NOT_ALLOWED', { field: field.slice(0, 100) })

const nameOf = (path: readonly PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1)

/** What may be added to the core's configuration of a server. The core itself tests it before use. */
export function readExtraConfig(text: string): ExtraConfig {
  const { data, error } = schema.safeParse(JSON.parse(text || '{}'))
  const [issue] = error?.issues ?? []
  if (issue) throw refuse(nameOf([...issue.path, ...('keys' in issue ? issue.keys.slice(0, 1) : [])]))
  const { outbounds = [], routing = {} } = data ?? {}
  const { rules = [] } = routing
  const bad = findForbidden(outbounds, 'outbounds')
  if (bad) throw refuse(bad)
  const tags = outbounds.map((one) => one.tag)
  const twice = tags.findIndex((name, index) => tags.indexOf(name) !== index)
  if (twice >= 0) throw refuse(`outbounds[${twice}].tag`)
  const known = [...tags, 'direct', 'block']
  const unknown = rules.findIndex(({ outboundTag }) => !known.includes(outboundTag))
  if (unknown >= 0) throw refuse(`routing.rules[${unknown}].outboundTag`)
  return { outbounds, rules }
}

/** Every text in it may be a credential, so none of them is written to a log. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 8 ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
