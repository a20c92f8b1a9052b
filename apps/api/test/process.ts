import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.ts'
import { testEnvironment } from './product.ts'
import { until } from './until.ts'

export interface Launched {
  readonly child: ChildProcess
  /** What it has printed and logged so far. */
  output(): string
  /** Waits until it has printed this, or has ended. */
  says(text: RegExp): Promise<boolean>
  /** Resolves with the exit code. */
  ended(): Promise<number | null>
  kill(signal?: NodeJS.Signals): Promise<number | null>
}

/** The program from its very first moment, unlike startProcess, which waits until it is ready. */
export function launch(env: Record<string, string>): Launched {
  const child = spawn(process.execPath, [join(packageRoot, 'run.mjs'), 'main'], {
    env: { PATH: process.env.PATH, ...testEnvironment, KELID_WEB_DIR: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const ended = async () => {
    if (!hasEnded()) await once(child, 'close')
    return child.exitCode
  }
  return {
    child,
    output: () => output,
    async says(text) {
      await until(() => text.test(output) || hasEnded(), `the program to say ${text}`, 120_000)
      return text.test(output)
    },
    ended,
    async kill(signal = 'SIGKILL') {
      if (!hasEnded()) child.kill(signal)
      return ended()
    },
  }
}

export interface ProductProcess extends Launched {
  readonly url: string
  readonly dataDir: string
}

/** The program once it is ready. Its data folder is removed at kill() if it was created here. */
export async function startProcess(env: Record<string, string>): Promise<ProductProcess> {
  const ownDir = env.KELID_DATA_DIR ? null : await mkdtemp(join(tmpdir(), 'kelid-process-'))
  if (ownDir) await chmod(ownDir, 0o755)
  const dataDir = env.KELID_DATA_DIR ?? (ownDir as string)
  const launched = launch({ KELID_DATA_DIR: dataDir, ...env })
  const ready = /ready at (\S+)|worker is ready/
  if (!(await launched.says(ready)))
    throw new Error(`the process ended with ${launched.child.exitCode}:\n${launched.output()}`)
  return {
    ...launched,
    url: ready.exec(launched.output())?.[1] ?? '',
    dataDir,
    async kill(signal) {
      const code = await launched.kill(signal)
      if (ownDir) await rm(ownDir, { recursive: true, force: true })
      return code
    },
  }
}
