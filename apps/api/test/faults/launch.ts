import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { packageRoot } from '../../src/lib/package-root.ts'
import { testEnvironment } from '../product.ts'
import { until } from './remote.ts'

export interface Launched {
  readonly child: ChildProcess
  output(): string
  /** Waits until it has printed this, or has ended. */
  says(text: RegExp): Promise<boolean>
  kill(): Promise<void>
  ended(): Promise<number | null>
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
      await until(() => text.test(output) || hasEnded(), `the program to say ${text}`, 60_000)
      return text.test(output)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended()
    },
    ended,
  }
}
