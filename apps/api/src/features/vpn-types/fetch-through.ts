import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect as connectTls } from 'node:tls'
import type { VpnType } from '@kelid/contract'
import { inParallel } from '../../lib/in-parallel.ts'
import { clientOutbound } from './client-outbound.ts'
import { clipDetail, type Finding, type Target } from './finding.ts'

export interface WholeWay extends Target {
  readonly vpnType: VpnType
  readonly secret: string
}

const timeoutMs = 8_000
/** One core serves this many ways, one core at a time. */
const atOnce = 50
/** Seconds: enough for all ways of a core to time out. */
const lifetime = 30
const startWithin = 10_000

/**
 * Fetches the page through each way: the core connects as a customer's app would, the server resolves the name and
 * fetches. Only 204 (No Content) counts, because the cover page of a server that refuses the account answers 200.
 */
export async function fetchThrough(
  core: string,
  ways: readonly WholeWay[],
  page: string,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let start = 0; start < ways.length; start += atOnce)
    findings.push(...(await fetchBatch(core, ways.slice(start, start + atOnce), new URL(page))))
  return findings
}

async function fetchBatch(core: string, ways: readonly WholeWay[], page: URL): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kelid-probe-'))
  const sockets = ways.map((_, index) => join(folder, String(index)))
  // If this process is killed, `timeout` ends the core.
  const client = spawn('timeout', ['-k', '1', String(lifetime), core, 'run', '-c', 'stdin:'], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  try {
    const failure = await new Promise<string | null>((resolve) => {
      const tooLate = setTimeout(() => resolve('it did not start'), startWithin)
      const end = (reason: string | null) => {
        clearTimeout(tooLate)
        resolve(reason)
      }
      client.once('error', ({ message }) => end(message))
      client.once('exit', (code) => end(`exit ${code}`))
      client.stdin.on('error', () => {})
      client.stdin.end(JSON.stringify(configOf(ways, sockets)))
      createInterface({ input: client.stdout }).on('line', (line) => {
        if (/core: Xray [\d.]+ started/.test(line)) end(null)
      })
    })
    if (failure !== null) return ways.map(() => ({ outcome: 'NO_CORE', detail: clipDetail(failure) }))
    return await inParallel(sockets, atOnce, (socket) => fetchOnce(socket, page))
  } finally {
    client.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

const configOf = (ways: readonly WholeWay[], sockets: readonly string[]) => ({
  log: { loglevel: 'warning', access: 'none' },
  inbounds: sockets.map((listen, index) => ({ tag: `in${index}`, listen, protocol: 'http', settings: {} })),
  outbounds: ways.map((way, index) => ({
    tag: `out${index}`,
    ...clientOutbound(way.vpnType, way, way.secret),
  })),
  routing: {
    rules: ways.map((_, index) => ({ inboundTag: [`in${index}`], outboundTag: `out${index}` })),
  },
})

/** What a server answers is only compared, and nothing of the body is read. */
function fetchOnce(
  socketPath: string,
  { protocol, hostname, port, pathname, search }: URL,
): Promise<Finding> {
  const isTls = protocol === 'https:'
  const at = `${hostname}:${port || (isTls ? 443 : 80)}`
  return new Promise((resolve) => {
    let tunnel: Socket | undefined
    const end = (detail: string | null) => {
      clearTimeout(tooLate)
      tunnel?.destroy()
      ask.destroy()
      resolve(
        detail === null
          ? { outcome: 'ANSWERED', detail: '' }
          : { outcome: 'NO_INTERNET', detail: clipDetail(detail) },
      )
    }
    const tooLate = setTimeout(() => end('ETIMEDOUT'), timeoutMs)
    const fail = (error: NodeJS.ErrnoException) => end(error.code ?? error.message)
    const judge = ({ statusCode }: IncomingMessage) => end(statusCode === 204 ? null : `HTTP ${statusCode}`)
    const ask = request({ socketPath, method: 'CONNECT', path: at, agent: false })
    ask.on('error', fail).on('connect', (_, socket) => {
      tunnel = isTls ? connectTls({ socket, servername: hostname }) : (socket as Socket)
      tunnel.on('error', fail)
      const fetching = request({
        createConnection: () => tunnel as Socket,
        headers: { host: at, connection: 'close' },
        path: `${pathname}${search}`,
      })
      fetching.on('error', fail).on('response', judge).end()
    })
    ask.on('response', ({ statusCode }) => end(`HTTP ${statusCode}`))
    ask.end()
  })
}
