import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const isRoot = process.getuid?.() === 0

const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }

/** Installs Debian packages if this process may; otherwise the caller reports what is missing. */
export function installPackage(...names) {
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) return
  console.log(`Installing ${names.join(', ')} …`)
  spawnSync('apt-get', ['update', '-qq'], quiet)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet)
}

/** Unpacks a Debian package, which installs nothing and starts no service. Returns whether it could. */
export function unpackPackage(name, folder) {
  const download = mkdtempSync(join(tmpdir(), 'kelid-package-'))
  const run = (program, ...args) => spawnSync(program, args, { ...quiet, cwd: download }).status === 0
  try {
    if (!run('apt-get', 'download', name) && !(run('apt-get', 'update') && run('apt-get', 'download', name)))
      return false
    return run('dpkg-deb', '-x', ...readdirSync(download), folder)
  } finally {
    rmSync(download, { recursive: true, force: true })
  }
}
