import { readFile, rename } from 'node:fs/promises'
import { build } from 'esbuild'

const { version } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'))

const bundle = `${import.meta.dirname}/dist/agent.mjs`
const draft = `${bundle}.${process.pid}`

// One file with all that it needs: a host has no packages.
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/main.ts'],
  outfile: draft,
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
// Test runs side by side read the file while another one builds it.
await rename(draft, bundle)
