import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'

const { version } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'))

// One file with all that it needs: a host has no packages.
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/agent.mjs',
  bundle: true,
  minifySyntax: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  define: { AGENT_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
})
