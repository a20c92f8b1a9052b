import { resolve } from 'node:path'

export class ConfigError extends Error {}

interface Variable<T> {
  default: string
  description: string
  parse: (text: string) => T
}

const fail = (must: string): never => {
  throw new ConfigError(must)
}
const whole = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : fail(`must be a whole number from ${min} to ${max}`)
}
const text = (value: string) => value
const choice =
  <const T extends string>(...values: T[]) =>
  (value: string): T =>
    values.find((one) => one === value) ?? fail(`must be one of ${values.join(', ')}`)
const url =
  (...protocols: string[]) =>
  (value: string): string => {
    if (value === '') return ''
    const parsed = URL.canParse(value) ? new URL(value) : null
    if (!parsed || !protocols.includes(parsed.protocol))
      return fail(`must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    return value.replace(/\/+$/, '')
  }
const webUrl = url('http:', 'https:')
const urls = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
    .map(webUrl)
/** Rejects keys typed by hand, such as all zeros or a repeated word. */
const looksRandom = (hex: string) => new Set(hex.toLowerCase().match(/../g)).size >= 16
const key = (value: string) =>
  value === '' || (/^[0-9a-f]{64}$/i.test(value) && looksRandom(value))
    ? value
    : fail('must be 64 random hexadecimal digits, as "openssl rand -hex 32" makes them')

const yesOrNo = (value: string) => choice('yes', 'no')(value) === 'yes'

const variable = <T>(initial: string, description: string, parse: (text: string) => T): Variable<T> => ({
  default: initial,
  description: description,
  parse,
})

/** A test compares docs/operations.md with this list. */
export const environment = {
  PORT: variable('8080', 'port of the web client and the API; 0 picks a free one', whole(0, 65_535)),
  HOST: variable('127.0.0.1', 'address to listen on', text),
  DATABASE_URL: variable(
    '',
    'a PostgreSQL 15+ server; none starts the embedded one',
    url('postgres:', 'postgresql:'),
  ),
  DATABASE_OWNER_URL: variable(
    '',
    'the same database as the role that owns the tables; none lets DATABASE_URL do everything',
    url('postgres:', 'postgresql:'),
  ),
  KELID_DATA_DIR: variable('./data', 'folder of the embedded database and the secret key', (dir) =>
    resolve(dir),
  ),
  KELID_ADMIN_EMAIL: variable('', 'e-mail of the first administrator; only read on an empty database', text),
  KELID_ADMIN_PASSWORD: variable(
    '',
    'password of the first administrator; only read on an empty database',
    text,
  ),
  KELID_ROLE: variable('all', 'what this process does: all, api or worker', choice('all', 'api', 'worker')),
  KELID_SECRET_KEY: variable(
    '',
    'key of the secrets at rest, 64 hexadecimal digits; none keeps one in the data folder',
    key,
  ),
  KELID_DATABASE_CONNECTIONS: variable(
    '10',
    'how many database connections this process may hold',
    whole(2, 500),
  ),
  KELID_METRICS_HOST: variable('127.0.0.1', 'address of the metrics', text),
  KELID_METRICS_PORT: variable(
    '9464',
    'port of the Prometheus metrics; 0 switches them off',
    whole(0, 65_535),
  ),
  KELID_AGENT_HOST: variable('127.0.0.1', "address of the listener for the hosts' agents", text),
  KELID_AGENT_PORT: variable(
    '8443',
    "port of the listener for the hosts' agents; 0 switches it off",
    whole(0, 65_535),
  ),
  KELID_AGENT_URL: variable(
    '',
    "the https address at which the hosts' agents reach that listener; without it no host can be set up",
    url('https:'),
  ),
  KELID_LOG_LEVEL: variable(
    'info',
    'how much is logged',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  ),
  KELID_TRUST_PROXY: variable(
    '0',
    'how many reverse proxies stand in front and may name the client address',
    whole(0, 10),
  ),
  KELID_PUBLIC_URL: variable(
    '',
    "the address customers reach this server at; none takes the request's own",
    webUrl,
  ),
  KELID_APP_SERVER: variable('', "base address of the API calls; none is the page's own origin", webUrl),
  KELID_REPLY_SERVER: variable('', "base address of the live replies; none is the page's own origin", webUrl),
  KELID_MESSAGING_SERVER: variable(
    '',
    "base address of the SMS calls; none is the page's own origin",
    webUrl,
  ),
  KELID_ALLOWED_ORIGINS: variable('', 'origins of web clients served elsewhere, with commas between', urls),
  KELID_BRAND_NAME: variable('Kelid', 'the name users see', text),
  KELID_BRAND_CONTACT: variable('', 'how users reach you: an e-mail or a web address', text),
  KELID_SMS_URL: variable('', 'HTTP hook that sends SMS; none switches signing in by SMS off', webUrl),
  KELID_SMS_TOKEN: variable('', 'bearer token for the SMS hook', text),
  KELID_ALLOW_RESERVED_TARGETS: variable(
    'no',
    'let servers and tunnels have loopback, link-local and metadata addresses: yes or no',
    yesOrNo,
  ),
  KELID_ALLOW_LOCAL_HOST: variable(
    'no',
    "let a server or tunnel at this machine's own address be set up without SSH: yes or no",
    yesOrNo,
  ),
  KELID_CORE_DIR: variable('', 'folder of the core binaries; none is core in the data folder', text),
  KELID_ACME_CA_FILE: variable(
    '',
    "certificates that vouch for an ACME directory of one's own; none trusts the usual authorities",
    text,
  ),
  KELID_LEGO: variable('', 'program that gets certificates by DNS-01; none finds lego in PATH', text),
  KELID_PROBES: variable(
    'yes',
    'try every server and tunnel from this machine each minute, as a customer would: yes or no',
    (value) => choice('yes', 'no')(value) === 'yes',
  ),
  KELID_PROBE_URL: variable(
    'https://www.gstatic.com/generate_204',
    'page that the probe fetches through every server, which must answer 204; "no" tries only the handshake',
    (value) => (value === 'no' ? '' : webUrl(value)),
  ),
  KELID_WEB_DIR: variable('', 'folder of the built web client; none is the one in this package', text),
} satisfies Record<string, Variable<unknown>>

export type Config = { [Name in keyof typeof environment]: ReturnType<(typeof environment)[Name]['parse']> }

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const entries = Object.entries(environment).map(([name, { default: initial, parse }]) => {
    try {
      return [name, parse(env[name]?.trim() || initial)]
    } catch (error) {
      if (error instanceof ConfigError)
        throw new ConfigError(`${name} ${error.message}; it is "${printable(name, env[name])}".`)
      throw error
    }
  })
  return Object.fromEntries(entries)
}

const printable = (name: string, value = '') =>
  /KEY|PASSWORD|TOKEN|DATABASE/.test(name) ? '(hidden)' : value
