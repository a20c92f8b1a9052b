import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildAgent } from '../scripts/built.mjs'

buildAgent()
const bench = spawn(
  process.execPath,
  [join(import.meta.dirname, 'server/main.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => bench.kill(signal))
bench.on('exit', (code) => process.exit(code ?? 1))
