import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBeside } from './commands.ts'
import { type Host, productKey, sshOptions } from './host.ts'
import { programs } from './programs.ts'

const provisioning = join(import.meta.dirname, '../../provisioning')

export type Description = Record<string, unknown>
export type Provisioned = { code: number; log: string; changed: number; failure: string | null }

/** Text of users must never be read as a template. */
const unsafe = (value: unknown): unknown => {
  if (typeof value === 'string') return { __ansible_unsafe: value }
  if (Array.isArray(value)) return value.map(unsafe)
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unsafe(part)]))
  return value
}

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
export const core = { file: programs.xray, sha256: digest(programs.xray), version: '26.3.27' }

/** What every description has. */
export const common = (kind: 'server' | 'tunnel', name: string) => ({
  purpose: 'set-up',
  service: 1,
  taken_ports: [],
  host: { uuid: randomUUID(), kind, name },
  ssh: { port: 22, authorized_key: productKey().public, lock_password: false },
  programs: { [process.arch]: { core } },
})

/** What a role said of a condition that it knows. */
function failureIn(log: string): string | null {
  const message = /"msg": ("KELID:(?:[^"\\]|\\.)*")/.exec(log)?.[1]
  return message ? JSON.parse(message) : null
}

/** One run of the playbook against a host. */
export async function provision(
  host: Host,
  description: Description,
  ...args: string[]
): Promise<Provisioned> {
  const folder = mkdtempSync('/mnt/run-')
  try {
    const inventory = join(folder, 'inventory.json')
    const variables = join(folder, 'variables.json')
    const target = {
      ansible_host: host.address,
      ansible_user: 'root',
      ansible_ssh_common_args: sshOptions.join(' '),
    }
    writeFileSync(inventory, JSON.stringify({ all: { hosts: { target } } }), { mode: 0o600 })
    writeFileSync(variables, JSON.stringify({ kelid: unsafe(description) }), { mode: 0o600 })
    const { code, stdout, stderr } = await runBeside(
      ['ansible-playbook', '-i', inventory, '-e', `@${variables}`, 'site.yml', ...args],
      {
        cwd: provisioning,
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          LC_ALL: 'C.UTF-8',
          ANSIBLE_PIPELINING: '1',
          ANSIBLE_DISPLAY_SKIPPED_HOSTS: 'no',
          ANSIBLE_SSH_CONTROL_PATH_DIR: join(folder, 'cp'),
        },
      },
    )
    const log = stdout + stderr
    return {
      code,
      log,
      changed: Number(/changed=(\d+)/.exec(stdout)?.[1] ?? -1),
      failure: failureIn(log),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
