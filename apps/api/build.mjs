import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const { dependencies, optionalDependencies } = JSON.parse(
  await readFile(new URL('package.json', import.meta.url), 'utf8'),
)
const installed = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
  (name) => !name.startsWith('@kelid/'),
)

const { metafile } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: { main: 'src/main.ts', cli: 'src/cli.ts', demo: 'src/demo.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  metafile: true,
  external: installed.flatMap((name) => [name, `${name}/*`]),
  logLevel: 'warning',
})

// Parts have a hash in their name: those of an earlier build would stay for good.
const dist = join(import.meta.dirname, 'dist')
const stale = (await readdir(dist)).filter((name) => !(`dist/${name}` in metafile.outputs))
for (const name of stale) await rm(join(dist, name), { recursive: true })
