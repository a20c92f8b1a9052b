import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

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

export function buildClient() {
  if (isClientBuilt()) return
  console.log('Building the web client …')
  build('web')
}

export const buildServer = () => build('api')
