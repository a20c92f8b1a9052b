import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProductProcess } from '../process.ts'
import { until } from '../until.ts'

/** A folder that the user who runs PostgreSQL can enter as well. */
export async function makeDataDir(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kelid-faults-'))
  await chmod(folder, 0o755)
  return join(folder, 'data')
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await killProcessesOf(dataDir)
  rmSync(join(dataDir, '..'), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

/** Processes that stand in a folder, as all of PostgreSQL's do, or have it in their command line. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => {
      try {
        const isZombie = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z')
        const traces = readlinkSync(`/proc/${pid}/cwd`) + readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return !isZombie && traces.includes(folder)
      } catch {
        return false
      }
    })
}

export async function killProcessesOf(folder: string): Promise<void> {
  await until(() => {
    const left = processesOf(folder)
    for (const pid of left) kill(pid)
    return left.length === 0
  }, `nothing to be left in ${folder}`)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/** As in a power cut: the product and its database at once. */
export async function killTree(product: ProductProcess): Promise<void> {
  for (const pid of processesOf(product.dataDir)) kill(pid)
  await product.kill('SIGKILL')
  await killProcessesOf(product.dataDir)
}
