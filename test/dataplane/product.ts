import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { getHostRuns, getServerLog, getTunnelLog, setSettings } from '@kelid/contract'
import { attachEmbedded } from '../../apps/api/src/db/embedded/embedded.ts'
import { query } from '../../apps/api/test/database.ts'
import { authorityFile } from './authority.ts'
import { callerAt } from './caller.ts'
import { until } from './commands.ts'
import { address, probeUrl } from './network.ts'
import { programs } from './programs.ts'

const program = join(import.meta.dirname, '../../apps/api/run.mjs')
export const administrator = {
  email: 'admin@example.com',
  password: `Aa1-${randomBytes(9).toString('base64url')}`,
}
export const dataFolder = '/mnt/api/data'
const temporary = '/mnt/api/tmp'
export const origin = 'http://127.0.0.1:8099'
const environment = {
  PATH: process.env.PATH,
  // The socket of its database is found by the path of the data folder, which is the same in every run of these tests.
  TMPDIR: temporary,
  PORT: '8099',
  KELID_DATA_DIR: dataFolder,
  KELID_ADMIN_EMAIL: administrator.email,
  KELID_ADMIN_PASSWORD: administrator.password,
  KELID_METRICS_PORT: '0',
  KELID_LOG_LEVEL: 'warn',
  KELID_AGENT_HOST: address.control,
  KELID_AGENT_URL: `https://${address.control}:8443`,
  KELID_ACME_CA_FILE: authorityFile,
  KELID_PROBE_URL: probeUrl,
}
let product: ChildProcess | undefined

export const { call, signIn, follow } = callerAt(origin)

export const cli = (...args: string[]) =>
  execFileSync(process.execPath, [program, 'cli', ...args], { env: environment, encoding: 'utf8' })

/** Until it is ready, and with a session of its administrator. */
export async function startProduct(): Promise<void> {
  product = spawn(process.execPath, [program, 'main'], {
    env: environment,
    // Piped, not inherited: a process that keeps the output of the tests open keeps them from ending.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  product.stderr?.on('data', (text) => process.stderr.write(text))
  let output = ''
  product.stdout?.on('data', (text) => {
    output += text
  })
  await until('the product to be ready', 300, () => {
    if (!output.includes('ready at')) throw new Error(output)
  })
  await signIn(administrator)
}

export const ownCertificates = {
  source: 'own' as const,
  acmeDirectory: 'https://acme.example.com/directory',
  acmeEmail: '',
}

/** The built product on the control plane's side, with a core in its store; gives the public half of its SSH key. */
export async function openProduct(): Promise<string> {
  mkdirSync(temporary, { recursive: true })
  for (const folder of ['/mnt', '/mnt/api', temporary]) chmodSync(folder, 0o755)
  cli('core', 'add', programs.xray)
  await startProduct()
  await call(setSettings, { certificates: ownCertificates })
  return cli('ssh-key').trim()
}

/** Ended, in good order unless said otherwise. */
export async function closeProduct(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (!product || product.exitCode !== null || product.signalCode !== null) return
  const ended = once(product, 'exit')
  product.kill(signal)
  await ended
}

/** What no call can do, such as letting time run out sooner; by the product's own connection. */
export async function sql(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
  const access = await attachEmbedded(dataFolder)
  if (!access) throw new Error('the product does not run')
  return (await query({ ...access.connection }, text, values)).rows
}

export type Kind = 'server' | 'tunnel'

/** The log of a host's last run, when none is under way or waits. */
export async function settled(kind: Kind, uuid: string): Promise<string> {
  const logOf = async () => {
    const { ansibleLog } =
      kind === 'server'
        ? await call(getServerLog, { serverUUID: uuid })
        : await call(getTunnelLog, { tunnelUUID: uuid })
    return ansibleLog
  }
  const isOver = async () => {
    const { items } = await call(getHostRuns, { hostUUID: uuid })
    const left = items.find(({ runState }) => runState === 'queued' || runState === 'running')
    if (left) throw new Error(`${left.runState}, attempt ${left.runAttempts}`)
  }
  try {
    // Polling more often would slow down the run.
    await until(`${kind} ${uuid} to be done`, 900, isOver, 500)
  } catch (error) {
    throw new Error(`${(await logOf()).slice(-1_000)}\n${error}`)
  }
  return logOf()
}
