import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../apps/api/run.mjs')

export interface Product {
  readonly url: string
  readonly dataDir: string
  stop(): Promise<void>
}

/** Starts the product as one process with its own database in a temporary folder. */
export async function startProduct(
  env: Record<string, string>,
  entry: 'main' | 'demo' = 'main',
): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kelid-e2e-data-'))
  // As root, PostgreSQL runs as another user and needs access.
  await chmod(dataDir, 0o755)
  const child = spawn(process.execPath, [program, entry], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      KELID_METRICS_PORT: '0',
      KELID_AGENT_PORT: '0',
      KELID_PROBES: 'no',
      KELID_DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await rm(dataDir, { recursive: true, force: true })
  }
  const url = await readyAt(child).catch((error) => stop().then(() => Promise.reject(error)))
  return { url, dataDir, stop }
}

const readyAt = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const url = /ready at (\S+)/.exec(output)?.[1]
      if (url) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`The product ended with ${code}:\n${output}`)))
  })
