import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { onePhone } from './phones.ts'
import { hasTwoDecimals, lowerCase, patterns, type RuleName, rules, textRule, wholeRule } from './rules.ts'
import { settingRules } from './setting-rules.ts'
import { serverTypes } from './vpn-catalogue.ts'

export const adminPatterns = {
  safeName: /^[A-Za-z0-9_-]+$/,
  letters: /^[A-Za-z0-9]+$/,
  vpnType: /^[A-Za-z0-9-]+$/,
  version: /^\d+(?:\.\d+)*$/,
  portRange: /^\d{4,5}-\d{4,5}$/,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/,
  ipv6: /^[0-9A-Fa-f:.]+$/,
  host: /^(?:[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*\.)+[A-Za-z]{2,}$/,
  url: /^(?:[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*\.)+[A-Za-z]{2,}(?:\/[A-Za-z0-9._~/-]*)?$/,
  uuidV4: /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-4[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$/,
  sshUser: /^[a-z_][a-z0-9_-]*$/,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  dayOrInstant: /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{3})?Z)?$/,
  action: /^[a-z0-9-]+$/,
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$/,
  lines: /^(?:\P{C}|[\u200c\n\r\t])*$/u,
  notBlank: /\S/,
} as const

const orEmpty = <T extends z.ZodMiniType<string, string>>(rule: RuleName, schema: T) =>
  z.optional(z.union([z.literal(''), schema], rule))
/** A single rule: a union could not tell why it refused a value. */
const textOrEmpty = (rule: RuleName, max: number, pattern: RegExp) =>
  z.optional(textRule(rule, max, new RegExp(`^$|${pattern.source}`, pattern.flags)))

const isCalendarDate = (value: string) =>
  !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value)
const isInstant = (value: string) => isCalendarDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
/** The schema library's own check would enlarge every visitor's bundle. */
const isIpv6 = (value: string) => URL.canParse(`http://[${value}]`)
const isPortRange = (value: string) => {
  const [first = 0, last = 0] = value.split('-').map(Number)
  return 1024 <= first && first < last && last <= limits.portMax
}
const isJsonObject = (value: string) => {
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  } catch {
    return false
  }
}

const dollarBalanceMax = 10_000_000_000

export const adminRules = {
  ...rules,
  ...settingRules,
  safeName: textRule('safeName', limits.textMax, adminPatterns.safeName),
  version: textRule('version', limits.textMax, adminPatterns.version),
  serverType: z.enum(serverTypes, 'serverType'),
  ipv4: textRule('ipv4', limits.textMax, adminPatterns.ipv4),
  url: textRule('url', limits.textMax, adminPatterns.url),
  port: wholeRule('port', limits.portMin, limits.portMax),
  optionalPortRange: orEmpty(
    'portRange',
    textRule('portRange', 11, adminPatterns.portRange).check(z.refine(isPortRange, 'portRange')),
  ),
  /** 0: none. */
  quota: wholeRule('maxAccounts', 0, limits.gigabytesMax),
  quotaDay: wholeRule('choice', 1, 31),
  maxAccounts: wholeRule('maxAccounts', 0, limits.maxAccountsMax),
  uuidV4: textRule('uuidV4', 36, adminPatterns.uuidV4).check(lowerCase),
  reason: textRule('reason', limits.reasonMax, patterns.plainText, adminPatterns.notBlank),
  points: wholeRule('points', -limits.pointsMax, limits.pointsMax).check(z.refine((n) => n !== 0, 'points')),
  dollars: z.number('dollarChange').check(
    z.minimum(-limits.dollarsMax, 'dollarChange'),
    z.maximum(limits.dollarsMax, 'dollarChange'),
    z.refine((n) => n !== 0 && hasTwoDecimals(n), 'dollarChange'),
  ),
  /** UTC; a date alone means its midnight. */
  dayOrInstant: textRule('date', 24, adminPatterns.dayOrInstant).check(z.refine(isInstant, 'date')),
  /** Actor or target: an e-mail, a UUID, or a name of a program part. */
  auditName: textRule('text', limits.signInTextMax, patterns.plainText, adminPatterns.notBlank).check(
    lowerCase,
  ),
  idempotencyKey: textRule('idempotencyKey', 64, patterns.idempotencyKey),
  auditAction: textRule('text', limits.textMax, adminPatterns.action),
  planName: textRule('planName', limits.textMax, patterns.plainText, adminPatterns.notBlank),
  planPrice: wholeRule('planPrice', 0, limits.pointsMax),
  planRevision: z.int('price').check(z.minimum(1, 'price')),
  searchEverywhere: textRule('text', limits.descriptionMax, patterns.plainText, adminPatterns.notBlank),
  activityDays: wholeRule('choice', 1, 90),
  /** Balances may exceed what can be sent at once. */
  balance: z.int('price').check(z.minimum(0, 'price')),
  dollarBalance: z
    .number('dollars')
    .check(
      z.minimum(0, 'dollars'),
      z.maximum(dollarBalanceMax, 'dollars'),
      z.refine(hasTwoDecimals, 'dollars'),
    ),
  userPhone: rules.phone.check(z.overwrite(onePhone)),
  level: wholeRule('level', 0, limits.levelMax),
  optionalText: textOrEmpty('text', limits.textMax, patterns.plainText),
  optionalSecret: textOrEmpty('text', limits.secretTextMax, patterns.plainText),
  optionalKey: textOrEmpty('longText', limits.longTextMax, adminPatterns.lines),
  optionalDescription: textOrEmpty('longText', limits.descriptionMax, adminPatterns.lines),
  optionalSshUser: textOrEmpty('sshUser', limits.textMax, adminPatterns.sshUser),
  host: textRule('host', 253, adminPatterns.host),
  optionalHost: textOrEmpty('host', 253, adminPatterns.host),
  optionalIpv6: orEmpty('ipv6', textRule('ipv6', 45, adminPatterns.ipv6).check(z.refine(isIpv6, 'ipv6'))),
  optionalDate: orEmpty(
    'date',
    textRule('date', 10, adminPatterns.date).check(z.refine(isCalendarDate, 'date')),
  ),
  instant: textRule('instant', limits.textMax, adminPatterns.instant).check(z.refine(isInstant, 'instant')),
  configJson: z.optional(
    textRule('configJson', limits.longTextMax, adminPatterns.lines).check(
      z.refine(isJsonObject, 'configJson'),
    ),
  ),
} as const
