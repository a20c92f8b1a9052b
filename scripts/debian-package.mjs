import { spawnSync } from 'node:child_process'

export const isRoot = process.getuid?.() === 0

/** Installs packages of Debian where that is ours to do; elsewhere nothing happens and the caller says what is missing. */
export function installPackage(...names) {
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) return
  console.log(`Installing ${names.length > 1 ? 'the packages' : 'the package'} ${names.join(', ')} …`)
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], options)
}
