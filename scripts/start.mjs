import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildAgent, buildClient } from './built.mjs'

const root = join(import.meta.dirname, '..')
const [flag, ...rest] = process.argv.slice(2)
const entry = { '--cli': 'cli', '--demo': 'demo' }[flag] ?? 'main'
const needsClient = entry !== 'cli' && !process.argv.includes('--without-client')

if (needsClient) buildClient()
buildAgent()

const child = spawn(
  process.execPath,
  [join(root, 'apps/api/run.mjs'), entry, ...(flag === '--cli' ? rest : [])],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
