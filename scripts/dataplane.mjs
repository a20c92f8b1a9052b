import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './browser.mjs'
import { buildAgent, buildClient } from './built.mjs'
import { removeGroups } from './control-groups.mjs'
import { allPrograms, dataplanePrograms, missingPrograms } from './dataplane-programs.mjs'
import { installPackage, isRoot } from './debian-package.mjs'
import { otherDebian } from './other-debian.mjs'

const root = join(import.meta.dirname, '..')

/** The basic scenario, one machine from nothing to its first customer, takes two minutes. */
const isShort = process.argv[2] === 'short'
const selection = isShort ? ['8-one-machine'] : process.argv.slice(2)
const needed = isShort ? ['xray', 'sing-box'] : allPrograms

/** Packages for the tests, and for the hosts, which are copies of this machine. */
const packages = [
  ...[
    'ansible-core',
    'systemd-container',
    'openssh-client',
    'openssh-server',
    'sshpass',
    'iproute2',
    'openssl',
    'curl',
  ],
  ...[
    'dbus',
    'sudo',
    'python3-apt',
    'nftables',
    'lego',
    'nginx',
    'libnginx-mod-stream',
    'unattended-upgrades',
    'systemd-timesyncd',
    'ca-certificates',
    'zbar-tools',
  ],
  // Two more implementations of customers' apps.
  ...(isShort ? [] : ['trojan', 'v2ray']),
]

const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0
const isInstalled = (name) =>
  spawnSync('dpkg', ['-s', name], { encoding: 'utf8' }).stdout.includes('Status: install ok installed')

/** Namespaces for the tests: all mounts, links and processes end with them, also when this process is killed. */
const ownWorld = [
  ...['setpriv', '--pdeathsig=KILL'],
  ...['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
]

/** Tries the kernel features that every host needs. */
const likeAHost = `set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mkdir -p /run/netns
mount -t tmpfs tmpfs /run/netns
ip netns add probe
for tree in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  [ -e $tree/cgroup.procs ] || continue
  mkdir $tree/kelid-test-$$-probe
  rmdir $tree/kelid-test-$$-probe
done`

function whyNot() {
  if (process.platform !== 'linux') return 'it needs Linux'
  if (!isRoot) return 'it needs root'
  const release = readFileSync('/etc/os-release', 'utf8')
  if (!/^ID=debian$/m.test(release) || !/^VERSION_ID="1[23]"$/m.test(release))
    return 'its hosts are copies of this machine, which would have to be Debian 12 or 13'
  const notThere = () => packages.filter((name) => !isInstalled(name))
  // The package would start nginx here and in every copy of this machine.
  if (notThere().includes('nginx')) spawnSync('ln', ['-sf', '/dev/null', '/etc/systemd/system/nginx.service'])
  if (notThere().length > 0) installPackage(...notThere())
  const missing = notThere()
  if (missing.length > 0) return `these packages are missing: ${missing.join(', ')}`
  if (!works(ownWorld[0], ...ownWorld.slice(1), 'sh', '-c', likeAHost))
    return 'namespaces, overlays or control groups are not allowed here'
  try {
    chromium()
  } catch (error) {
    return error.message
  }
  const unbuilt = missingPrograms(needed)
  if (unbuilt.length > 0 && !works('go', 'version'))
    return `Go is not installed, which would build ${unbuilt.join(', ')}`
  return null
}

/** Network state of the machine itself, which the tests must not change. */
const ownNetwork = () =>
  [
    ['ip', '-o', 'address'],
    ['ip', 'route', 'show', 'table', 'all'],
    ['ip', '-o', 'link'],
    ['nft', 'list', 'ruleset'],
  ]
    .map(([program, ...args]) => execFileSync(program, args, { encoding: 'utf8' }))
    .join('\n')
    // Timers and counters are not changes.
    .replaceAll(/(valid_lft|preferred_lft|expires) \S+|packets \d+ bytes \d+/g, '')

function leaveOut(reason) {
  console.log(`\nSkipped: the data plane on real hosts: ${reason.replace(/[.]$/, '')}.`)
  process.exit(0)
}

const reason = whyNot()
if (reason) leaveOut(reason)
const programs = await dataplanePrograms(needed).catch((error) => leaveOut(error.message))
const otherSystem = isShort ? '' : otherDebian()
buildAgent()
buildClient()
removeGroups('kelid-test')
// Every systemd of a host takes some for root, and all hosts share the usual limit of 128. One host needs no more.
const watches = '/proc/sys/fs/inotify/max_user_instances'
const watchesBefore = readFileSync(watches, 'utf8')
const raisesWatches = !isShort && Number(watchesBefore) < 1024
if (raisesWatches) writeFileSync(watches, '1024')
const before = ownNetwork()
mkdirSync('/run/netns', { recursive: true })
const [program, ...args] = [
  ...ownWorld,
  ...[join(root, 'node_modules/.bin/vitest'), 'run', '--config', 'test/dataplane/vitest.config.ts'],
  ...selection,
]
const child = spawn(program, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    KELID_DATAPLANE: JSON.stringify(programs),
    KELID_DATAPLANE_RUN: String(process.pid),
    KELID_DATAPLANE_SYSTEM: otherSystem,
  },
})
// unshare ignores both while it waits for its child.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGKILL'))
child.on('exit', (code) => {
  if (raisesWatches) writeFileSync(watches, watchesBefore)
  removeGroups('kelid-test')
  const after = ownNetwork()
  if (after === before) process.exit(code ?? 1)
  const lines = (one, other) => one.split('\n').filter((line) => !other.split('\n').includes(line))
  console.error(
    [
      "The tests changed the machine's own network",
      'before:',
      ...lines(before, after),
      'after:',
      ...lines(after, before),
    ].join('\n'),
  )
  process.exit(1)
})
