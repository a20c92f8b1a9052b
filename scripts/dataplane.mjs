import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './browser.mjs'
import { buildClient, buildServer } from './built.mjs'
import { dataplanePrograms, missingPrograms } from './dataplane-programs.mjs'
import { installPackage, isRoot } from './debian-package.mjs'

const root = join(import.meta.dirname, '..')

/** What the tests run on the machine itself, and what the hosts, which are copies of it, would otherwise have to fetch. */
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
    'unattended-upgrades',
    'systemd-timesyncd',
    'ca-certificates',
  ],
  // Two more authors of apps that customers have.
  ...['trojan', 'v2ray'],
  // Reads QR codes as a phone does.
  'zbar-tools',
]

const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0
const isInstalled = (name) =>
  spawnSync('dpkg', ['-s', name], { encoding: 'utf8' }).stdout.includes('Status: install ok installed')

/** A world of its own for the tests: what it mounts, joins and starts ends with it, also when this process is killed. */
const ownWorld = [
  ...['setpriv', '--pdeathsig=KILL'],
  ...['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
]

function whyNot() {
  if (process.platform !== 'linux') return 'it needs Linux'
  if (!isRoot) return 'it needs root'
  const release = readFileSync('/etc/os-release', 'utf8')
  if (!/^ID=debian$/m.test(release) || !/^VERSION_ID="1[23]"$/m.test(release))
    return 'its hosts are copies of this machine, which would have to be Debian 12 or 13'
  if (!works(ownWorld[0], ...ownWorld.slice(1), 'true')) return 'namespaces are not allowed here'
  const notThere = () => packages.filter((name) => !isInstalled(name))
  if (notThere().length > 0) installPackage(...notThere())
  const missing = notThere()
  if (missing.length > 0) return `these packages are missing: ${missing.join(', ')}`
  try {
    chromium()
  } catch (error) {
    return error.message
  }
  const unbuilt = missingPrograms()
  if (unbuilt.length > 0 && !works('go', 'version'))
    return `Go is not installed, which would build ${unbuilt.join(', ')}`
  return null
}

/** Addresses, routes, links and firewall of the machine itself: the tests must leave them alone. */
const ownNetwork = () =>
  [
    ['ip', '-o', 'address'],
    ['ip', 'route', 'show', 'table', 'all'],
    ['ip', '-o', 'link'],
    ['nft', 'list', 'ruleset'],
  ]
    .map(([program, ...args]) => execFileSync(program, args, { encoding: 'utf8' }))
    .join('\n')
    // What counts down or is counted is no change.
    .replaceAll(/(valid_lft|preferred_lft|expires) \S+|packets \d+ bytes \d+/g, '')

/** Control groups are the one thing that outlives the tests: those of runs that have ended go, whoever ended them. */
function removeGroups() {
  for (const tree of ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup'].filter(
    existsSync,
  ))
    for (const group of readdirSync(tree).filter((name) => name.startsWith('kelid-test-'))) {
      const run = group.split('-')[2]
      if (run === String(process.pid) || !existsSync(`/proc/${run}`))
        spawnSync('find', [join(tree, group), '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'])
    }
}

const reason = whyNot()
if (reason) {
  console.log(`\nLeft out: the data plane on real hosts: ${reason.replace(/[.]$/, '')}.`)
  process.exit(0)
}
const programs = await dataplanePrograms()
buildServer()
buildClient()
removeGroups()
const before = ownNetwork()
mkdirSync('/run/netns', { recursive: true })
const [program, ...args] = [
  ...ownWorld,
  ...[join(root, 'node_modules/.bin/vitest'), 'run', '--config', 'test/dataplane/vitest.config.ts'],
  ...process.argv.slice(2),
]
const child = spawn(program, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    KELID_DATAPLANE: JSON.stringify(programs),
    KELID_DATAPLANE_RUN: String(process.pid),
  },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => {
  removeGroups()
  if (ownNetwork() === before) process.exit(code ?? 1)
  console.error("The tests changed the machine's own network")
  process.exit(1)
})
