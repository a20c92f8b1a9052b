import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { folderForAllTests } from '../hooks.ts'
import type { ProductProcess } from '../process.ts'
import { until } from '../until.ts'

/** A data folder for the tests of one file. Programs that run in it are killed after them. */
export function dataDirForAllTests(): string {
  const dataDir = join(folderForAllTests(), 'data')
  afterAll(() => killProcessesOf(dataDir))
  return dataDir
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
