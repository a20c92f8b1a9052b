import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { installPackage } from './debian-package.mjs'

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kelid/systems')
const sources = '/etc/apt/sources.list.d/debian.sources'

/** Hosts cannot fetch packages, because the tests have no network. */
const packages = [
  ...['systemd', 'systemd-sysv', 'udev', 'dbus', 'openssh-server', 'iproute2', 'procps', 'sudo', 'curl'],
  ...['python3', 'python3-apt', 'nftables', 'lego', 'nginx', 'libnginx-mod-stream', 'unattended-upgrades'],
  ...['systemd-timesyncd', 'ca-certificates'],
]

const ownVersion = () => /^VERSION_ID="(\d+)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]

/** Folder with the other supported Debian release; empty if it cannot be created. */
export const otherDebian = () => debianSystem(ownVersion() === '12' ? 'trixie' : 'bookworm', packages)

/** Folder with this machine's release and few packages; empty if it cannot be created. */
export const freshDebian = (...few) => debianSystem(ownVersion() === '12' ? 'bookworm' : 'trixie', few)

function debianSystem(suite, packages) {
  const digest = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8)
  const folder = join(cache, `${suite}-${digest}`)
  if (existsSync(folder)) return folder
  if (!existsSync(sources)) return ''
  const mirror = /^URIs: (\S+)$/m.exec(readFileSync(sources, 'utf8'))?.[1] ?? ''
  installPackage('mmdebstrap')
  console.log(`Creating a Debian ${suite} system in ${cache}; this takes two minutes …`)
  mkdirSync(cache, { recursive: true })
  const unfinished = `${folder}-unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const args = ['--quiet', '--variant=minbase', `--include=${packages.join(',')}`, suite, unfinished, mirror]
  if (spawnSync('mmdebstrap', args, { stdio: 'inherit' }).status !== 0) return ''
  renameSync(unfinished, folder)
  return folder
}
