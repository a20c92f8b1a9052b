import { type Call, limits, type RefusalParameters, type RuleName, ruleTexts } from '@kelid/contract'
import { ZodMiniObject, ZodMiniOptional } from 'zod/mini'
import { type $ZodType, type JSONSchema, safeParse } from 'zod/v4/core'

type Value = string | number | boolean | readonly (string | object)[]

const values: Partial<Record<RuleName, Value>> = {
  email: 'ali@example.com',
  password: 'Your-Passw0rd',
  safeName: 'DE-1',
  accountName: 'ali_phone',
  version: '1.8.4',
  vpnType: 'trojan',
  serverType: 'xray',
  tunnelType: 'wstunnel',
  planName: 'One month, 50 GB',
  planWays: [{ accountVPNType: 'trojan', accountTunnelType: 'wstunnel', countryId: 0 }],
  planPrice: 300,
  planResellers: ['ali@example.com'],
  planUUIDs: ['9c858901-8a57-4791-81fe-4c455b099bc9'],
  boolean: true,
  ipv4: '192.0.2.10',
  url: 'vpn.example.com',
  host: 'www.example.com',
  httpsAddress: 'https://acme-v02.api.letsencrypt.org/directory',
  port: 443,
  maxAccounts: 100,
  days: 30,
  gigabytes: 50,
  contact: '@ali_vpn',
  uuid: '9c858901-8a57-4791-81fe-4c455b099bc9',
  uuidV4: '9c858901-8a57-4791-81fe-4c455b099bc9',
  accounts: ['9c858901-8a57-4791-81fe-4c455b099bc9'],
  idempotencyKey: '9c858901-8a57-4791-81fe-4c455b099bc9',
  smsCode: '1234',
  phone: '09120000000',
  reason: 'Paid by bank transfer',
  points: 500,
  dollars: 12.5,
  dollarChange: -12.5,
  rate: 120,
  level: 6,
  price: 10,
  devices: 2,
  speed: 20,
  country: 276,
  instant: '2027-01-31T12:00:00Z',
  dnsCredentials: 'ALICLOUD_ACCESS_KEY=your-key',
  text: 'ali',
}

const otherValues: Partial<Record<RuleName, Value>> = { otherPassword: 'Your-New-Passw0rd' }

export const refusalParameters: RefusalParameters = {
  field: 'nickname',
  address: '127.0.0.1',
  missing: 120,
  accounts: 120,
  plans: limits.plansMax,
  room: 40,
  debt: '5.00',
  bytes: limits.bodyBytes,
  seconds: 30,
  days: limits.expiryDaysMax,
  keys: limits.keysPerUser,
  requestId: 'req-1',
}

export function ruleOf(schema: $ZodType | undefined): RuleName | null {
  if (!schema) return null
  const message = safeParse(schema, Symbol('no value')).error?.issues[0]?.message ?? ''
  return message in ruleTexts ? (message as RuleName) : null
}

/** Contains the required fields and those that rules across fields require, or all fields if none is required. */
export function exampleBody(call: Call, schema: JSONSchema.BaseSchema): Record<string, unknown> {
  const common = { client: 'web', clientVersion: '1.0', lng: 'en' }
  const ownFields = Object.keys(schema.properties ?? {}).filter((name) => !(name in common))
  const required = ownFields.filter((name) => schema.required?.includes(name))
  const exampleFields = required.length > 0 || call.output.kind === 'list' ? required : ownFields
  const bodyWith = (names: readonly string[]): Record<string, unknown> => {
    const fields = names.map((name) => [name, exampleOf(call, schema, name)] as const)
    return { ...common, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) }
  }
  const issues = call.input.safeParse(bodyWith(exampleFields)).error?.issues ?? []
  const others = issues.flatMap(({ path, message }) => {
    const value = otherValues[message as RuleName]
    return value === undefined ? [] : [[String(path[0]), value] as const]
  })
  const body = bodyWith([...exampleFields, ...issues.map(({ path }) => String(path[0]))])
  return { ...body, ...Object.fromEntries(others) }
}

function exampleOf(call: Call, { properties }: JSONSchema.BaseSchema, name: string): unknown {
  const field = call.input.shape[name]
  return field && exampleFor(field, properties?.[name])
}

function exampleFor(field: $ZodType, schema: JSONSchema.BaseSchema | boolean | undefined): unknown {
  if (typeof schema !== 'object') return undefined
  const rule = ruleOf(field)
  if (schema.type !== 'object') return (rule && values[rule]) ?? schema.enum?.[0]
  const within = (key: string) => {
    const inner = shapeOf(field)[key]
    return inner && exampleFor(inner, schema.properties?.[key])
  }
  return Object.fromEntries((schema.required ?? []).map((key) => [key, within(key)]))
}

function shapeOf(field: $ZodType): Readonly<Record<string, $ZodType>> {
  if (field instanceof ZodMiniOptional) return shapeOf(field.def.innerType)
  return field instanceof ZodMiniObject ? field.shape : {}
}
