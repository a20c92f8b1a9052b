import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [flag, ...rest] = process.argv.slice(2)
const entry = { '--cli': 'cli', '--demo': 'demo' }[flag] ?? 'main'

const built = spawnSync(process.execPath, [join(root, 'apps/api/build.mjs')], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (built.status !== 0) process.exit(built.status ?? 1)

const child = spawn(
  process.execPath,
  ['--enable-source-maps', join(root, `apps/api/dist/${entry}.js`), ...(flag === '--cli' ? rest : [])],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
