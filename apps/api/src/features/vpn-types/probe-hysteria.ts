import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { clientOutbound } from './client-outbound.ts'
import { clipDetail, type Finding, type Probe, type Target } from './finding.ts'

/** The core itself waits five seconds for an answer. */
const timeoutMs = 10_000
/** Seconds. */
const lifetime = 15

/** Connects with an invalid secret: a server that refuses it works. Each probe starts a core. */
export const hysteriaProbe: Probe = {
  maxParallel: 4,
  run: async (target, { core }) =>
    core === null ? { outcome: 'NO_CORE', detail: '' } : probeOnce(core, target),
}

async function probeOnce(core: string, target: Target): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'kelid-probe-'))
  try {
    return await ask(core, join(folder, 'in'), target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function ask(core: string, socket: string, target: Target): Promise<Finding> {
  // If this process is killed, `timeout` ends the core.
  const client = spawn('timeout', ['-k', '1', String(lifetime), core, 'run', '-c', 'stdin:'], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  return new Promise<Finding>((resolve) => {
    const tooLate = setTimeout(() => end({ outcome: 'TIMEOUT', detail: '' }), timeoutMs)
    const end = (finding: Finding) => {
      clearTimeout(tooLate)
      client.kill('SIGTERM')
      resolve(finding)
    }
    const unfit = (detail: string) => end({ outcome: 'NO_CORE', detail: clipDetail(detail) })
    client.once('error', ({ message }) => unfit(message))
    client.once('exit', (code) => unfit(`exit ${code}`))
    client.stdin.on('error', () => {})
    client.stdin.end(JSON.stringify(configOf(socket, target)))
    createInterface({ input: client.stdout }).on('line', (line) => {
      if (/core: Xray [\d.]+ started/.test(line))
        connect(socket)
          .on('error', () => {})
          .end('?')
      const finding = read(line)
      if (finding) end(finding)
    })
  })
}

export function read(line: string): Finding | undefined {
  if (line.includes('proxy/hysteria: tunneling request')) return { outcome: 'OPEN', detail: '' }
  const reason = /transport\/internet\/hysteria: (.+)$/.exec(line)?.[1]
  if (reason === undefined) return undefined
  if (reason === 'auth failed') return { outcome: 'ANSWERED', detail: '' }
  const detail = clipDetail(reason.split(' > ').at(-1) ?? '')
  if (/^timeout|unreachable/.test(detail)) return { outcome: 'TIMEOUT', detail: '' }
  return { outcome: /x509|certificate/.test(detail) ? 'CERTIFICATE' : 'NO_HANDSHAKE', detail }
}

const configOf = (socket: string, target: Target) => ({
  log: { loglevel: 'info' },
  inbounds: [
    {
      listen: socket,
      protocol: 'dokodemo-door',
      settings: { address: 'probe.invalid', port: 80, network: 'unix' },
    },
  ],
  outbounds: [clientOutbound('hysteria2-direct', target, randomUUID())],
})
