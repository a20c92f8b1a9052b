import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { day, routes } from '@kelid/contract'
import type { Config } from '../../config.ts'
import { hasAuthority, readAuthority } from '../../features/authority/authority.store.ts'
import { refuseWithoutDatabase, withDatabase } from '../installation.ts'
import { type Finding, fine, problem } from './finding.ts'

const patience = 5_000
const renewBefore = 14 * day

const reachable = (host: string) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)
const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** A running server answers on its port. Otherwise the port must be free. */
export async function examinePorts(config: Config): Promise<Finding[]> {
  const { HOST, PORT, KELID_METRICS_HOST, KELID_METRICS_PORT, KELID_AGENT_HOST, KELID_AGENT_PORT } = config
  if (PORT === 0) return [fine('The server picks a free port at each start.')]
  const url = `http://${inUrl(reachable(HOST))}:${PORT}${routes.ready.path}`
  const reply = await fetch(url, { signal: AbortSignal.timeout(patience) }).catch(() => null)
  const state = await reply?.json().then(
    (body) => (body as { status?: string }).status,
    () => undefined,
  )
  if (state === 'ok') return [fine(`The server answers on port ${PORT}.`)]
  if (state === 'no database') return [problem(`The server on port ${PORT} has no database.`)]
  if (state === 'stopping') return [fine(`The server on port ${PORT} is stopping.`)]
  const wanted = [
    { variable: 'PORT', host: HOST, port: PORT },
    { variable: 'KELID_METRICS_PORT', host: KELID_METRICS_HOST, port: KELID_METRICS_PORT },
    { variable: 'KELID_AGENT_PORT', host: KELID_AGENT_HOST, port: KELID_AGENT_PORT },
  ].filter(({ port }) => port !== 0)
  const findings = await Promise.all(wanted.map(examineFreePort))
  return [problem(`The server does not answer on port ${PORT}: it is not running.`), ...findings.flat()]
}

const portSentences: Record<string, string> = {
  EADDRINUSE: 'another program uses it',
  EACCES: 'this user may not listen there; ports below 1024 need a permission',
  EADDRNOTAVAIL: 'this machine does not have the address',
}

async function examineFreePort({ variable, host, port }: { variable: string; host: string; port: number }) {
  const code = await new Promise<string>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('')))
  })
  return code
    ? [
        problem(
          `${variable}: port ${port} at ${host} cannot be used, because ${portSentences[code] ?? code}.`,
        ),
      ]
    : []
}

/** Customers and resellers come by this address. */
export async function examinePublicAddress({ KELID_PUBLIC_URL }: Config): Promise<Finding[]> {
  if (!KELID_PUBLIC_URL) return []
  const { hostname, protocol, port } = new URL(KELID_PUBLIC_URL)
  const unresolved = await resolves('KELID_PUBLIC_URL', hostname)
  if (unresolved) return [unresolved]
  const reply = await fetch(new URL(routes.health.path, KELID_PUBLIC_URL), {
    signal: AbortSignal.timeout(patience),
  }).catch((error: Error) => error)
  if (reply instanceof Error) return [problem(`KELID_PUBLIC_URL: ${sentenceOf(reply, KELID_PUBLIC_URL)}`)]
  if (!reply.ok)
    return [
      problem(
        `KELID_PUBLIC_URL: ${KELID_PUBLIC_URL} answers ${reply.status}. Does the proxy lead to the server?`,
      ),
    ]
  const answers = fine(`${KELID_PUBLIC_URL} answers.`)
  if (protocol !== 'https:') return [answers]
  const handshake = await shakeHands(hostname, Number(port || 443))
  const until = handshake.certificate ? new Date(handshake.certificate.valid_to) : null
  if (!until || until.getTime() - Date.now() > renewBefore) return [answers]
  return [answers, problem(`The certificate of ${hostname} ends on ${until.toISOString().slice(0, 10)}.`)]
}

/** Hosts come by this address, and TLS must end at the listener. */
export async function examineAgentAddress(config: Config): Promise<Finding[]> {
  const { KELID_AGENT_URL, KELID_AGENT_PORT } = config
  if (!KELID_AGENT_URL) return [problem('KELID_AGENT_URL is not set, so no host can be set up.')]
  if (KELID_AGENT_PORT === 0)
    return [problem('KELID_AGENT_PORT is 0, so no agent can connect to this process.')]
  const { hostname, port } = new URL(KELID_AGENT_URL)
  const unresolved = await resolves('KELID_AGENT_URL', hostname)
  if (unresolved) return [unresolved]
  const authority = await certificateOfAuthority(config)
  const { error } = await shakeHands(bare(hostname), Number(port || 443), authority)
  if (!error) return [fine(`${KELID_AGENT_URL} answers, with a certificate of this installation.`)]
  return [problem(`KELID_AGENT_URL: ${sentenceOf(error, KELID_AGENT_URL)}`)]
}

const certificateOfAuthority = (config: Config): Promise<string | undefined> =>
  refuseWithoutDatabase(config)
    .then(() =>
      withDatabase(
        config,
        () => {},
        'server',
        async ({ db }) => ((await hasAuthority(db)) ? (await readAuthority(db)).certificate : undefined),
      ),
    )
    // The database has a finding of its own.
    .catch(() => undefined)

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

async function resolves(variable: string, hostname: string): Promise<Finding | null> {
  const addresses = await lookup(bare(hostname), { all: true }).catch(() => [])
  return addresses.length > 0
    ? null
    : problem(`${variable}: the name ${hostname} has no address. Is it in the DNS?`)
}

interface Handshake {
  error?: Error
  certificate?: PeerCertificate
}

function shakeHands(host: string, port: number, ca?: string): Promise<Handshake> {
  return new Promise((resolve) => {
    const isName = /[a-z]/i.test(host) && !host.includes(':')
    const socket: TLSSocket = connect({ host, port, ...(ca && { ca }), ...(isName && { servername: host }) })
    const end = (handshake: Handshake) => {
      socket.destroy()
      resolve(handshake)
    }
    socket.setTimeout(patience, () =>
      end({ error: Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }) }),
    )
    socket.once('secureConnect', () => end({ certificate: socket.getPeerCertificate() }))
    socket.once('error', (error) => end({ error }))
  })
}

const networkSentences: Record<string, string> = {
  ECONNREFUSED: 'refuses connections. Is Kelid running, and does the firewall let the port through?',
  ETIMEDOUT: 'does not answer. Does the firewall let the port through?',
  ECONNRESET: 'ends connections at once. Does something else use the port?',
  EHOSTUNREACH: 'cannot be reached from here.',
  ENETUNREACH: 'cannot be reached from here.',
  CERT_HAS_EXPIRED: 'has a certificate that has ended.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate for another name. After a change of the name, restart Kelid.',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an unknown issuer.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that nobody else issued.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'has a certificate of another issuer. TLS of agents must end at Kelid, and the database must be its own.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'has a certificate of another issuer. TLS of agents must end at Kelid, and the database must be its own.',
}

function sentenceOf(error: Error, address: string): string {
  const { code, cause, name } = error as { code?: string; cause?: { code?: string }; name: string }
  const known = name === 'TimeoutError' ? 'ETIMEDOUT' : (code ?? cause?.code ?? '')
  return `${address} ${networkSentences[known] ?? `cannot be used: ${error.message}.`}`
}
