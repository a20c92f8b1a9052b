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

/** All that decides what the built client is: its sources, how they are built, and which packages are installed. */
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

/** Beside the result and not in it: what is in there is served to everybody. */
const fingerprintFile = 'apps/web/dist.fingerprint'

function filesIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => !isNoPart.test(name))
    .flatMap((name) => filesIn(join(path, name)))
}

const read = (path) => (statSync(path, { throwIfNoEntry: false }) ? readFileSync(path) : 'missing')

/**
 * Of contents, because dates tell too little: a file that git brings back may be older than the build, and one that is
 * gone has none. The result is in it, so that whatever else was built into the same folder does not count.
 */
function fingerprint(root) {
  const hash = createHash('sha256')
  for (const path of [...sources, result].flatMap((name) => filesIn(join(root, name))).sort())
    hash.update(`${relative(root, path)}\0`).update(createHash('sha256').update(read(path)).digest())
  return hash.digest('hex')
}

/** The client takes some seconds to build, so it is built only when it would become another. */
export function buildClient(root = repository, build = runClientBuild) {
  const kept = join(root, fingerprintFile)
  if (read(kept).toString() === fingerprint(root)) return
  build()
  writeFileSync(kept, fingerprint(root))
}

/** Bundles the agent, which the server gives to hosts. The server itself runs from its sources. */
export const buildAgent = () => runBuild('agent/build.mjs')
