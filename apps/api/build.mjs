import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'

const { dependencies, optionalDependencies } = JSON.parse(
  await readFile(new URL('package.json', import.meta.url), 'utf8'),
)
const installed = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
  (name) => !name.startsWith('@kelid/'),
)

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: { main: 'src/main.ts', cli: 'src/cli.ts', demo: 'src/demo.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  external: installed.flatMap((name) => [name, `${name}/*`]),
  logLevel: 'warning',
})
