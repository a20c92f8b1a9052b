import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const api = join(root, 'apps/api')

for (const app of ['api', 'agent']) {
  const built = spawnSync(process.execPath, [join(root, 'apps', app, 'build.mjs')], { stdio: 'inherit' })
  if (built.status !== 0) process.exit(built.status ?? 1)
}

const { dependencies, devDependencies } = JSON.parse(await readFile(join(api, 'package.json'), 'utf8'))
const installed = Object.keys({ ...dependencies, ...devDependencies })
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['server/main.ts', 'server/bare-route.ts', 'server/probe.ts'],
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external: installed.filter((name) => !name.startsWith('@kelid/')).flatMap((name) => [name, `${name}/*`]),
  logLevel: 'warning',
})

const bench = spawn(
  process.execPath,
  ['--enable-source-maps', join(import.meta.dirname, 'dist/main.js'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => bench.kill(signal))
bench.on('exit', (code) => process.exit(code ?? 1))
