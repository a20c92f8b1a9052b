import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Ended, run, runBeside, until } from './commands.ts'
import { joinGroup } from './groups.ts'
import { addNamespace, address } from './network.ts'

/** On a tmpfs that only this process and its children see. */
const folder = '/mnt'
const key = join(folder, 'key')
/** Unit files of the machine that a fresh host would not have switched on. */
const wanted = new Set(['ssh.service', 'dbus.service', 'systemd-networkd.service'])

export type Host = {
  name: string
  address: string
  root: string
  /** In authorized_keys and known_hosts form. */
  hostKey: string
  ssh: (...command: string[]) => Promise<Ended>
  /** What was written to standard output; fails when the command does. */
  say: (...command: string[]) => Promise<string>
  reboot: () => Promise<void>
}

export const productKey = () => ({ file: key, public: readFileSync(`${key}.pub`, 'utf8').trim() })
export const knownHosts = join(folder, 'known_hosts')

export const sshOptions = [
  ...['-i', key, '-o', `UserKnownHostsFile=${knownHosts}`, '-o', 'StrictHostKeyChecking=yes'],
  ...['-o', 'IdentitiesOnly=yes', '-o', 'ConnectTimeout=5', '-o', 'LogLevel=ERROR'],
]

export function openHosts() {
  run('mount', '-t', 'tmpfs', 'tmpfs', folder)
  run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'kelid', '-f', key)
  writeFileSync(knownHosts, '')
}

/** A copy of this machine or of another system, as far as a fresh Debian has it, with a host key of its own. */
function makeRoot(name: string, system: string): string {
  const own = join(folder, name)
  const root = join(own, 'root')
  for (const part of ['upper', 'work', 'root']) mkdirSync(join(own, part), { recursive: true })
  const layers = `lowerdir=${system},upperdir=${join(own, 'upper')},workdir=${join(own, 'work')}`
  run('mount', '-t', 'overlay', 'overlay', '-o', layers, root)
  const units = join(root, 'etc/systemd/system')
  for (const wants of readdirSync(units).filter((entry) => entry.endsWith('.wants')))
    for (const unit of readdirSync(join(units, wants)))
      if (!wanted.has(unit)) rmSync(join(units, wants, unit))
  // A fresh host has no mask of ours either.
  rmSync(join(units, 'nginx.service'), { force: true })
  for (const unit of [
    'systemd-firstboot.service',
    'systemd-networkd-wait-online.service',
    'systemd-resolved.service',
  ])
    if (!existsSync(join(units, unit))) symlinkSync('/dev/null', join(units, unit))
  run('systemctl', '--root', root, '--quiet', 'enable', 'ssh.service')
  for (const file of readdirSync(join(root, 'etc/ssh')).filter((entry) => entry.startsWith('ssh_host_')))
    rmSync(join(root, 'etc/ssh', file))
  run('ssh-keygen', '-A', '-f', root)
  for (const file of ['etc/resolv.conf', 'etc/machine-id', 'etc/hostname', 'etc/nftables.conf'])
    rmSync(join(root, file), { recursive: true, force: true })
  writeFileSync(join(root, 'etc/resolv.conf'), `nameserver ${address.world}\noptions timeout:1 attempts:2\n`)
  writeFileSync(join(root, 'etc/machine-id'), run('systemd-id128', 'new'))
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost\n127.0.1.1 ${name}\n`)
  const keys = join(own, 'home/.ssh')
  mkdirSync(keys, { recursive: true, mode: 0o700 })
  writeFileSync(join(keys, 'authorized_keys'), readFileSync(`${key}.pub`), { mode: 0o600 })
  return root
}

interface Made {
  /** What it is a copy of. */
  system?: string
  /** What of this machine it finds where, to read: what lies in /tmp, in a home or on another disk is not in its copy. */
  readable?: Record<string, string>
}

/** Real systemd and sshd in namespaces. */
export async function bootHost(
  name: string,
  own: string,
  { system = '/', readable = {} }: Made = {},
): Promise<Host> {
  addNamespace(name, own)
  const root = makeRoot(name, system)
  const keyFile = readFileSync(join(root, 'etc/ssh/ssh_host_ed25519_key.pub'), 'utf8')
  const hostKey = keyFile.split(' ').slice(0, 2).join(' ')
  appendFileSync(knownHosts, `${own} ${hostKey}\n`)
  const ssh = (...command: string[]) => runBeside(['ssh', ...sshOptions, `root@${own}`, ...command])
  const say = async (...command: string[]) => {
    const { code, stdout, stderr } = await ssh(...command)
    if (code !== 0) throw new Error(`${name}: ${command.join(' ')}: ${stderr}${stdout}`)
    return stdout.trim()
  }
  const binds = Object.entries(readable).map(([from, to]) => `--bind-ro=${from}:${to}`)
  const files = ['-D', root, `--bind=${join(folder, name, 'home')}:/root`, ...binds, '--resolv-conf=off']
  const network = [`--network-namespace-path=/run/netns/${name}`, `--hostname=${name}`]
  const machineOptions = ['--boot', '--console=pipe', '--capability=CAP_NET_ADMIN']
  const nspawn = ['systemd-nspawn', '--quiet', '--register=no', '--keep-unit', ...network, ...files]
  const start = (): ChildProcess => {
    const child = spawn(
      'sh',
      [
        '-c',
        `${joinGroup(`kelid-test-${process.env.KELID_DATAPLANE_RUN ?? 'none'}-${name}`)} && exec "$@"`,
        'sh',
        ...nspawn,
        ...machineOptions,
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const consoleLog = join(folder, name, 'console')
    child.stdout?.on('data', (text) => appendFileSync(consoleLog, text))
    child.stderr?.on('data', (text) => appendFileSync(consoleLog, text))
    return child
  }
  const up = () => until(`${name} is up`, 90, () => say('true'))
  let machine = start()
  await up()
  const reboot = async () => {
    const ended = once(machine, 'exit')
    await ssh('systemctl', 'reboot')
    await ended
    // The namespace outlives the machine, and a real one forgets its firewall.
    run('ip', 'netns', 'exec', name, 'nft', 'flush', 'ruleset')
    machine = start()
    await up()
  }
  return { name, address: own, root, hostKey, ssh, say, reboot }
}
