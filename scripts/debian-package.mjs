import { spawnSync } from 'node:child_process'

export const isRoot = process.getuid?.() === 0

/** Installs Debian packages if this process may; otherwise the caller reports what is missing. */
export function installPackage(...names) {
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) return
  console.log(`Installing ${names.join(', ')} …`)
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], options)
}
