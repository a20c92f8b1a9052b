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
  minifyWhitespace: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  legalComments: 'none',
  // The library of gRPC is CommonJS and asks for Node's own modules by name.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  define: { AGENT_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
})
