import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultSshPort } from '../hosts/secrets.ts'
import type { Description } from './description.ts'
import { target } from './playbook.ts'
import type { WayIn } from './way-in.ts'

/** Ansible must not evaluate double braces in it. */
export const unsafe = (text: string) => ({ __ansible_unsafe: text })

/** Wraps all texts, so that nobody has to know which are user input. */
export function wrapUnsafe(value: unknown): unknown {
  if (typeof value === 'string') return unsafe(value)
  if (Array.isArray(value)) return value.map(wrapUnsafe)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, wrapUnsafe(one)]))
  return value
}

/** Formats the address from its four numbers, so that it contains nothing else. */
export function plainIpv4(address: string): string {
  const parts = address.split('.').map(Number)
  const isOne =
    parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255)
  if (!isOne) throw new Error('not an IPv4 address')
  return parts.join('.')
}

const quote = (path: string) => `"${path.replaceAll('"', '')}"`

/** Ignores the user's ssh settings. The host key is the pinned one, or is accepted at the first contact. */
const sshConfig = (folder: string, isPinned: boolean) =>
  [
    'Host *',
    `  UserKnownHostsFile ${quote(join(folder, 'known_hosts'))}`,
    '  GlobalKnownHostsFile /dev/null',
    `  StrictHostKeyChecking ${isPinned ? 'yes' : 'accept-new'}`,
    '  HashKnownHosts no',
    '  UpdateHostKeys no',
    '  CheckHostIP no',
    '  IdentitiesOnly yes',
    '  IdentityAgent none',
    '  ForwardAgent no',
    '  LogLevel ERROR',
    '  ConnectTimeout 15',
    '  ServerAliveInterval 10',
    '  ServerAliveCountMax 3',
    '',
  ].join('\n')

/** Where sshd answers. */
export interface SshAddress {
  ipv4: string
  sshPort: number
}

/** As ssh names it in known_hosts. */
export const knownHostName = ({ ipv4, sshPort }: SshAddress): string =>
  sshPort === defaultSshPort ? plainIpv4(ipv4) : `[${plainIpv4(ipv4)}]:${sshPort}`

function inventoryOf(folder: string, { ipv4, sshPort }: SshAddress, way: WayIn) {
  const become = way.sudo && {
    ansible_become: true,
    ansible_become_method: 'sudo',
    ...(way.sudo.password && { ansible_become_password: unsafe(way.sudo.password) }),
  }
  if (way.by === 'local') return { ansible_connection: 'local', ...become }
  return {
    ansible_connection: 'ssh',
    ansible_host: plainIpv4(ipv4),
    ansible_port: sshPort,
    ansible_user: unsafe(way.user),
    ansible_ssh_common_args: `-F ${quote(join(folder, 'ssh_config'))}`,
    ...(way.by === 'password' && { ansible_password: unsafe(way.password) }),
    ...(way.key && { ansible_ssh_private_key_file: join(folder, 'key') }),
    ...become,
  }
}

/** Readable by this user only. The supervisor removes it with everything it has started. */
export async function createRunFolder(
  address: SshAddress,
  way: WayIn,
  description: Description,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kelid-run-'))
  const put = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o600 })
  try {
    const host = inventoryOf(folder, address, way)
    await put('inventory.json', JSON.stringify({ all: { hosts: { [target]: host } } }))
    await put('vars.json', JSON.stringify({ kelid: wrapUnsafe(description) }))
    for (const name of ['tmp', 'cp']) await mkdir(join(folder, name), { mode: 0o700 })
    if (way.by !== 'local') {
      await put('ssh_config', sshConfig(folder, way.pinned !== null))
      await put('known_hosts', way.pinned ? `${knownHostName(address)} ${way.pinned.key}\n` : '')
    }
    if (way.by !== 'local' && way.key) await put('key', way.key)
    return folder
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

export function keyIn(knownHosts: string, address: SshAddress): string | null {
  const keys = knownHosts
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([host, kind, blob]) => host === knownHostName(address) && kind && blob)
    .map(([, kind, blob]) => `${kind} ${blob}`)
  return keys.find((key) => key.startsWith('ssh-ed25519 ')) ?? keys[0] ?? null
}
