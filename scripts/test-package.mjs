import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildAgent, buildClient } from './built.mjs'
import { removeGroups } from './control-groups.mjs'
import { dataplanePrograms } from './dataplane-programs.mjs'
import { installPackage, isRoot } from './debian-package.mjs'
import { freshDebian, otherDebian } from './other-debian.mjs'
import { buildArchive } from './package-archive.mjs'

const root = join(import.meta.dirname, '..')
const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** All mounts, links and processes of the tests end with these namespaces. They have no network. */
const ownWorld = [
  ...['setpriv', '--pdeathsig=KILL'],
  ...['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
]

function whyNot() {
  if (process.platform !== 'linux') return 'it needs Linux'
  if (!works('xz', '--version')) return 'xz is missing; install the package xz-utils'
  if (!works('python3', '-m', 'pip', '--version')) return 'pip is missing; install the package python3-pip'
  if (!works('go', 'version')) return 'Go is missing'
  return null
}

/** Systems on which the archive is installed; none where machines cannot be booted. */
function systems() {
  const skip = (reason) => {
    console.log(`\nSkipped: installing the archive on fresh machines: ${reason}.`)
    return []
  }
  if (!isRoot) return skip('it needs root')
  if (!works('systemd-nspawn', '--version')) installPackage('systemd-container')
  if (!works('systemd-nspawn', '--version')) return skip('the package systemd-container is missing')
  if (!works(...ownWorld, 'true')) return skip('namespaces are not allowed here')
  const own = freshDebian('systemd', 'systemd-sysv', 'dbus', 'python3', 'openssh-client', 'xz-utils')
  if (!own) return skip('no fresh Debian could be created')
  const other = otherDebian()
  if (!other)
    console.log('\nSkipped: installing the archive on the other Debian, which could not be created.')
  return [own, ...(other ? [other] : [])]
}

const reason = whyNot()
if (reason) {
  console.log(`\nSkipped: the archive: ${reason}.`)
  process.exit(0)
}
buildClient()
buildAgent()
const { xray } = await dataplanePrograms(['xray'])
const machines = systems()
const folder = mkdtempSync(join(tmpdir(), 'kelid-test-package-'))
/** Quick to compress; a release is compressed better. */
const level = 0
const { archive } = buildArchive({ core: xray, folder, level })
removeGroups('kelid-package')
const [program, ...args] = [
  ...(machines.length > 0 ? ownWorld : []),
  ...[join(root, 'node_modules/.bin/vitest'), 'run', '--config', 'test/package/vitest.config.ts'],
  ...process.argv.slice(2),
]
const child = spawn(program, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    KELID_PACKAGE: JSON.stringify({ archive, core: xray, level, folder, machines, run: process.pid }),
  },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGKILL'))
child.on('exit', (code) => {
  removeGroups('kelid-package')
  rmSync(folder, { recursive: true, force: true })
  process.exit(code ?? 1)
})
