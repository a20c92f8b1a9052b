import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { callerAt } from './caller.ts'
import { until } from './commands.ts'
import { address } from './network.ts'
import { programs } from './programs.ts'

const dist = join(import.meta.dirname, '../../apps/api/dist')
export const administrator = {
  email: 'admin@example.com',
  password: `Aa1-${randomBytes(9).toString('base64url')}`,
}
export const origin = 'http://127.0.0.1:8099'
const environment = {
  PATH: process.env.PATH,
  PORT: '8099',
  KELID_DATA_DIR: '/mnt/api/data',
  // Not the machine's own, where another run's database would have its socket under the same name.
  TMPDIR: '/mnt/api',
  KELID_ADMIN_EMAIL: administrator.email,
  KELID_ADMIN_PASSWORD: administrator.password,
  KELID_METRICS_PORT: '0',
  KELID_LOG_LEVEL: 'warn',
  KELID_AGENT_HOST: address.control,
  KELID_AGENT_URL: `https://${address.control}:8443`,
}
let product: ChildProcess | undefined

const { ask, call, signIn } = callerAt(origin)

export { call }

const cli = (...args: string[]) =>
  execFileSync(process.execPath, [join(dist, 'cli.js'), ...args], { env: environment, encoding: 'utf8' })

/** The built product on the control plane's side, with a core in its store; gives the public half of its SSH key. */
export async function openProduct(): Promise<string> {
  mkdirSync('/mnt/api')
  for (const folder of ['/mnt', '/mnt/api']) chmodSync(folder, 0o755)
  cli('core', 'add', programs.xray)
  product = spawn(process.execPath, [join(dist, 'main.js')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  product.stdout?.on('data', (text) => {
    output += text
  })
  await until('the product to be ready', 60, () => {
    if (!output.includes('ready at')) throw new Error(output)
  })
  await signIn(administrator)
  await call('admin/setsettings', {
    certificates: { source: 'own', acmeDirectory: 'https://acme.example.com/directory', acmeEmail: '' },
  })
  return cli('ssh-key').trim()
}

export const closeProduct = () => product?.kill('SIGTERM')

export type Kind = 'server' | 'tunnel'

/** The log of a host's last run, when none is under way or waits. */
export async function settled(kind: Kind, uuid: string): Promise<string> {
  const named = { [`${kind}UUID`]: uuid }
  const isOver = async () => {
    const runs = JSON.stringify(await ask(`${kind}s/getruns`, named))
    if (/"runState":"(queued|running)"/.test(runs)) throw new Error('not yet')
  }
  // Seldom: whoever asks all the time slows down what is waited for.
  await until(`${kind} ${uuid} to be done`, 480, isOver, 500)
  return (await call(`${kind}s/getansiblelog`, named)).ansibleLog ?? ''
}
