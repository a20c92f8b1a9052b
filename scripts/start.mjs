import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [flag, ...rest] = process.argv.slice(2)
const entry = { '--cli': 'cli', '--demo': 'demo' }[flag] ?? 'main'

function build(app) {
  const { status } = spawnSync(process.execPath, [join(root, 'apps', app, 'build.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** When the newest of these files was changed. */
const changed = (...places) =>
  Math.max(
    ...places.flatMap((place) =>
      readdirSync(join(root, place), { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
    ),
  )

/** The client takes some seconds to build, so it is built only when something in it is newer than the last time. */
function isClientBuilt() {
  const built = statSync(join(root, 'apps/web/dist/index.html'), { throwIfNoEntry: false })
  return built && built.mtimeMs > changed('apps/web/src', 'apps/web/public', 'packages/contract/src')
}

if (entry !== 'cli' && !isClientBuilt()) {
  console.log('Building the web client …')
  build('web')
}
build('api')

const child = spawn(
  process.execPath,
  ['--enable-source-maps', join(root, `apps/api/dist/${entry}.js`), ...(flag === '--cli' ? rest : [])],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
