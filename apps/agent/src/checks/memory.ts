import { readFile } from 'node:fs/promises'
import type { Check } from './trouble.ts'

const lowAt = 0.05

export function memoryTrouble(meminfo: string) {
  const kilobytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(meminfo)?.[1])
  const [available, total] = [kilobytes('MemAvailable'), kilobytes('MemTotal')]
  if (!(available < total * lowAt)) return undefined
  const megabytes = (value: number) => Math.round(value / 1024)
  return {
    kind: 'memory',
    detail: `${megabytes(available)} of ${megabytes(total)} MB available`,
  } as const
}

export const checkMemory: Check = async () => memoryTrouble(await readFile('/proc/meminfo', 'utf8'))
