import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { clip, plain } from '../../lib/text.ts'
import type { DnsCredentials } from '../settings/dns-provider.ts'
import { findProgram, provisioningDir } from './playbook.ts'
import { redact } from './redact.ts'

/** The files of an ACME account where lego looks for them. */
export interface AcmeAccount {
  account: string
  key: string
}

export interface Order {
  name: string
  directory: string
  email: string
  dns: DnsCredentials
}

/** DNS records may take minutes to reach the authority. */
const timeLimit = 8 * 60_000
const longestReason = 600
const register = join(provisioningDir, 'roles/certificate/files/acme-account')

export class IssuanceFailed extends Error {}

export function findLego({ KELID_LEGO }: Config): string | null {
  if (KELID_LEGO === '') return findProgram('lego')
  try {
    accessSync(KELID_LEGO, constants.X_OK)
    return KELID_LEGO
  } catch {
    return null
  }
}

/**
 * Gets a certificate by DNS-01 in a folder of its own. lego has an empty environment but for the provider's variables,
 * so nothing of this process reaches it.
 */
export async function issueByLego(
  config: Config,
  program: string,
  order: Order,
  stored: AcmeAccount | null,
): Promise<{ files: string; account: AcmeAccount }> {
  const folder = await mkdtemp(join(tmpdir(), 'kelid-lego-'))
  const { name, directory, dns } = order
  const userName = order.email || 'without-email'
  const env = environment(config, folder)
  try {
    const paths = accountPaths(folder, directory, userName)
    if (stored) await putAccount(paths, stored)
    else
      await run(
        findProgram('python3') ?? 'python3',
        ['-I', register, directory, folder, userName, order.email],
        folder,
        env,
        [],
      )
    const account = { account: await readFile(paths.account, 'utf8'), key: await readFile(paths.key, 'utf8') }
    const options = { server: directory, path: folder, email: userName, domains: name, dns: dns.provider }
    const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
    const secrets = Object.values(dns.variables)
    await run(program, [...args, '--accept-tos', 'run'], folder, { ...dns.variables, ...env }, secrets)
    const read = (kind: string) =>
      readFile(join(folder, 'certificates', `${name}.${kind}`), 'utf8').catch(() => {
        throw new IssuanceFailed('lego wrote no certificate')
      })
    return { files: `${await read('crt')}\n${await read('key')}`, account }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const environment = ({ KELID_ACME_CA_FILE }: Config, folder: string): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  HOME: folder,
  TMPDIR: folder,
  LANG: 'C.UTF-8',
  // The provider's own credentials, not those of the machine.
  AWS_EC2_METADATA_DISABLED: 'true',
  ...(KELID_ACME_CA_FILE && { LEGO_CA_CERTIFICATES: KELID_ACME_CA_FILE }),
})

function accountPaths(folder: string, directory: string, userName: string) {
  const own = join(folder, 'accounts', new URL(directory).host.replace(':', '_'), userName)
  return { account: join(own, 'account.json'), key: join(own, 'keys', `${userName}.key`) }
}

async function putAccount(paths: AcmeAccount, { account, key }: AcmeAccount): Promise<void> {
  await mkdir(dirname(paths.key), { recursive: true, mode: 0o700 })
  await writeFile(paths.account, account, { mode: 0o600 })
  await writeFile(paths.key, key, { mode: 0o600 })
}

const run = (
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
  secrets: readonly string[],
): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env, timeout: timeLimit, killSignal: 'SIGKILL', maxBuffer: 2 ** 20 } as const
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve()
      const reason = error.killed ? `no answer in ${timeLimit / 60_000} minutes` : lastWords(stderr || stdout)
      return reject(new IssuanceFailed(redact(plain(reason || error.message), secrets)))
    })
    child.stdin?.end()
  })

/** lego prints what it does, and at the end the error. */
function lastWords(output: string): string {
  const lines = output.trim().split('\n')
  const error = lines.findLastIndex((line) => /error|could not|unable|unrecognized/i.test(line))
  return clip(lines.slice(error < 0 ? -3 : error).join(' '), longestReason)
}
