import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const repository = join(import.meta.dirname, '..')

function runBuild(script) {
  const { status } = spawnSync(process.execPath, [join(repository, 'apps', script)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}

function runClientBuild() {
  console.log('Building the web client …')
  runBuild('web/build.ts')
}

/** Everything that determines the built client: sources, build configuration and installed packages. */
const sources = [
  'apps/web',
  'packages/contract',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.base.json',
]
const result = 'apps/web/dist'
const isNoPart = /^(node_modules|test|dist|dist-server|dist[.]fingerprint)$|[.]test[.]tsx?$/

/** Beside the build output, because the server publishes everything inside it. */
const fingerprintFile = 'apps/web/dist.fingerprint'

function filesIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => !isNoPart.test(name))
    .flatMap((name) => filesIn(join(path, name)))
}

const read = (path) => (statSync(path, { throwIfNoEntry: false }) ? readFileSync(path) : 'missing')

/**
 * Hashes contents, because dates are unreliable: git may restore a file that is older than the build, and a deleted
 * file has no date. Includes the output, so that another build in the same folder is noticed.
 */
function fingerprint(root) {
  const hash = createHash('sha256')
  for (const path of [...sources, result].flatMap((name) => filesIn(join(root, name))).sort())
    hash.update(`${relative(root, path)}\0`).update(createHash('sha256').update(read(path)).digest())
  return hash.digest('hex')
}

/** Builds the client only when its inputs changed, because a build takes some seconds. */
export function buildClient(root = repository, build = runClientBuild) {
  const file = join(root, fingerprintFile)
  if (read(file).toString() === fingerprint(root)) return
  build()
  writeFileSync(file, fingerprint(root))
}

/** Bundles the agent for the hosts. The server itself runs from its sources. */
export const buildAgent = () => runBuild('agent/build.mjs')
