import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.ts'
import { testEnvironment } from './product.ts'

export interface ProductProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly dataDir: string
  /** What it has printed and logged so far. */
  output(): string
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * The program as a process of its own. Resolves once it says that it is ready; a process that ends before
 * rejects with what it printed. The data folder is removed at kill() only when it was made here.
 */
export async function startProcess(env: Record<string, string>): Promise<ProductProcess> {
  const ownDir = env.KELID_DATA_DIR ? null : await mkdtemp(join(tmpdir(), 'kelid-process-'))
  if (ownDir) await chmod(ownDir, 0o755)
  const dataDir = env.KELID_DATA_DIR ?? (ownDir as string)
  const child = spawn(process.execPath, [join(packageRoot, 'run.mjs'), 'main'], {
    env: { PATH: process.env.PATH, ...testEnvironment, KELID_WEB_DIR: '', KELID_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const match = /ready at (\S+)|worker is ready/.exec(output)
      if (match) resolve(match[1] ?? '')
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}:\n${output}`)))
  })
  const url = await ready
  return {
    child,
    url,
    dataDir,
    output: () => output,
    async kill(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
      if (ownDir) await rm(ownDir, { recursive: true, force: true })
      return child.exitCode
    },
  }
}
