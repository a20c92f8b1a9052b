import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { tunnelTypes, vpnTypes } from './vpn-catalogue.ts'

/** The client translates by key. */
export const ruleTexts = {
  email: 'an e-mail address such as name@example.com',
  password:
    'at least 8 characters with a digit, an uppercase letter, a lowercase letter and a special character',
  otherPassword: 'a password other than the current one',
  safeName: 'letters, digits, underscore and hyphen, at most 35',
  accountName: 'letters, digits and underscore, at most 35',
  letters: 'letters and digits, at most 35',
  version: 'digits with dots, such as 1.8.4',
  vpnType: 'one of the VPN types on offer',
  serverType: 'one of the server types on offer',
  tunnelType: 'a tunnel type that fits the VPN type',
  alsoBy: 'at most four further ways, each with a VPN type and a tunnel type',
  ipv4: 'an IPv4 address such as 192.0.2.10',
  ipv6: 'an IPv6 address',
  host: 'a host name such as vpn.example.com',
  url: 'a host name such as vpn.example.com, with or without a path',
  httpsAddress: 'an address that begins with https://, at most 200 characters',
  port: 'a whole number from 1 to 65535',
  portRange: 'two ports from 1024 to 65535 such as 20000-20100, the smaller one first',
  maxAccounts: 'a whole number from 0 to 100000',
  days: 'a whole number from 1 to 364',
  gigabytes: 'a whole number of GB from 1 to 100000',
  uuid: 'a UUID',
  uuidV4: 'a version 4 UUID',
  accounts: '1 to 200 different UUIDs of accounts',
  smsCode: 'four digits',
  phone: '11 to 15 characters: digits, or a plus sign and digits',
  contact: 'plain text, at most 100 characters',
  reason: 'a reason in plain text, at most 200 characters',
  sshUser: 'a user name such as root: lower-case letters, digits, underscore and hyphen',
  text: 'plain text',
  longText: 'text, in lines or without',
  atMost35: 'at most 35 characters',
  atMost50: 'at most 50 characters',
  atMost128: 'at most 128 characters',
  atMost500: 'at most 500 characters',
  atMost16384: 'at most 16384 characters',
  configJson: 'a JSON object as text',
  dnsCredentials: 'lines NAME=value with variables that this DNS provider has',
  date: 'a date such as 2027-01-31',
  instant: 'a moment such as 2027-01-31T12:00:00Z',
  notFuture: 'a moment that is not in the future',
  afterBegin: 'a moment after the outage began',
  oneHost: 'a server or a tunnel, not both',
  basedOn: 'what was shown, field by field',
  points: 'a whole number of points other than 0, at most 1,000,000,000',
  dollars: 'dollars with at most two decimals, at most 1,000,000',
  dollarChange: 'dollars other than 0, with at most two decimals and at most 1,000,000',
  rate: 'a whole number of points per dollar, from 1 to 1,000,000',
  level: 'a whole number from 0 to 10',
  price: 'a whole number, 0 or more',
  devices: 'a whole number from 1 to 100',
  speed: 'a whole number of Mbit/s from 1 to 10000',
  ways: 'a whole number from 1 to 5',
  minutes: 'a whole number of minutes from 0 to 1440',
  country: 'a country number from the list, or 0',
  planName: 'plain text, at most 35 characters',
  planNames: 'a name in each language',
  planWays: 'one to five ways, each with a VPN type and a tunnel type',
  planPrice: 'a whole number from 0 to 1,000,000,000',
  planResellers: 'at most 200 different e-mail addresses of users',
  planUUIDs: 'at most 100 different UUIDs of plans',
  boolean: 'true or false',
  choice: 'one of the values on offer',
  cursor: 'a cursor from an earlier page',
  pageSize: 'a whole number from 1 to 200',
  idempotencyKey: '16 to 64 letters, digits, underscores and hyphens',
  client: 'the name of the client',
  clientVersion: 'the version of the client',
} as const
export type RuleName = keyof typeof ruleTexts

/** Linear-time patterns: no quantifier overlaps with its neighbour. */
export const patterns = {
  email: /^[A-Za-z0-9._-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,4}$/,
  accountName: /^[A-Za-z0-9_]+$/,
  digits: /^\d+$/,
  uuid: /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  smsCode: /^\d{4}$/,
  phone: /^\+?\d+$/,
  /** No control, format, surrogate or private characters; the zero-width non-joiner is spelling in Persian. */
  plainText: /^(?:\P{C}|\u200c)*$/u,
  hasDigit: /\d/,
  hasUpper: /[A-Z]/,
  hasLower: /[a-z]/,
  hasSpecial: /[^A-Za-z0-9]/,
  cursor: /^[A-Za-z0-9_-]+$/,
  client: /^[A-Za-z0-9._-]+$/,
  idempotencyKey: /^[A-Za-z0-9_-]{16,64}$/,
} as const

/** A value above one of these lengths gets a message that names the length. */
const lengthRules: Readonly<Record<number, RuleName>> = {
  [limits.textMax]: 'atMost35',
  [limits.signInTextMax]: 'atMost50',
  [limits.secretTextMax]: 'atMost128',
  [limits.descriptionMax]: 'atMost500',
  [limits.longTextMax]: 'atMost16384',
}

const text = (rule: RuleName, max: number, ...required: RegExp[]) =>
  z
    .string(rule)
    .check(z.maxLength(max, lengthRules[max] ?? rule), ...required.map((pattern) => z.regex(pattern, rule)))
const whole = (rule: RuleName, min: number, max: number) =>
  z.int(rule).check(z.minimum(min, rule), z.maximum(max, rule))
const lowerCase = z.overwrite<string>((value) => value.toLowerCase())

export { lowerCase, text as textRule, whole as wholeRule }

const passwordOf = (max: number) =>
  text(
    'password',
    max,
    patterns.plainText,
    patterns.hasDigit,
    patterns.hasUpper,
    patterns.hasLower,
    patterns.hasSpecial,
  ).check(z.minLength(limits.passwordMin, 'password'))

const shortText = text('text', limits.textMax, patterns.plainText)

export const hasTwoDecimals = (value: number) => Math.round(value * 100) / 100 === value

export const rules = {
  signInEmail: text('email', limits.signInTextMax, patterns.email).check(lowerCase),
  email: text('email', limits.textMax, patterns.email).check(lowerCase),
  signInPassword: passwordOf(limits.signInTextMax),
  newPassword: passwordOf(limits.textMax),
  accountName: text('accountName', limits.textMax, patterns.accountName),
  vpnType: z.enum(vpnTypes, 'vpnType'),
  tunnelType: z.enum(tunnelTypes, 'choice'),
  tunnelTypeOrNone: z.enum([...tunnelTypes, ''], 'tunnelType'),
  days: whole('days', limits.daysMin, limits.daysMax),
  gigabytes: whole('gigabytes', 1, limits.gigabytesMax),
  devices: whole('devices', 1, limits.devicesMax),
  speed: whole('speed', 1, limits.speedMax),
  uuid: text('uuid', 36, patterns.uuid).check(lowerCase),
  countryId: whole('country', 0, 999),
  boolean: z.boolean('boolean'),
  smsCode: text('smsCode', limits.smsCodeLength, patterns.smsCode),
  phone: text('phone', limits.phoneMax, patterns.phone).check(z.minLength(limits.phoneMin, 'phone')),
  contact: text('contact', limits.contactMax, patterns.plainText),
  secondFactorCode: shortText,
  search: shortText,
  target: shortText,
  dollarLimit: z
    .number('dollars')
    .check(
      z.minimum(0, 'dollars'),
      z.maximum(limits.dollarsMax, 'dollars'),
      z.refine(hasTwoDecimals, 'dollars'),
    ),
  cursor: text('cursor', 200, patterns.cursor),
  pageSize: whole('pageSize', 1, limits.pageMax),
} as const

const digitZeros = ['\u06f0', '\u0660'].map((zero) => zero.charCodeAt(0))

export const toLatinDigits = (value: string): string =>
  value.replace(/[\u06f0-\u06f9\u0660-\u0669]/g, (digit) => {
    const code = digit.charCodeAt(0)
    const zero = digitZeros.find((first) => code >= first && code <= first + 9) ?? code
    return String(code - zero)
  })

export const parseWholeNumber = (value: string): number | null => {
  const latin = toLatinDigits(value.trim())
  return patterns.digits.test(latin) && latin.length <= 15 ? Number.parseInt(latin, 10) : null
}
