import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'

export interface Cost {
  cpuMicros: number
  residentBytes: number
}

export interface MeasuredProcess {
  readonly pid: number
  readonly url: string
  cost(): Promise<Cost>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()

async function stop(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Leaves no process behind, even after a failure. */
export const stopAll = async (): Promise<void> => void (await Promise.all([...running].map(stop)))

/** Starts a program with the probe and waits until it prints its address. */
export async function startMeasured(
  program: readonly string[],
  env: Record<string, string>,
  logFile: string,
): Promise<MeasuredProcess> {
  const probe = join(import.meta.dirname, 'probe.ts')
  const child = spawn(process.execPath, ['--import', probe, ...program], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a'), 'ipc'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return {
    pid: child.pid ?? 0,
    url: await addressOf(child, logFile),
    async cost() {
      child.send('cost')
      const [cost] = await once(child, 'message')
      return cost as Cost
    },
    stop: () => stop(child),
  }
}

function addressOf(child: ChildProcess, logFile: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const match = /ready at (\S+)/.exec(output)
      if (!match?.[1]) return
      // Searching an ever longer log would take processor time from what is measured.
      child.stdout?.off('data', read).resume()
      resolve(match[1])
    }
    child.stdout?.on('data', read)
    child.once('exit', (code) => reject(new Error(`ended with ${code}, see ${logFile}:\n${output}`)))
  })
}
