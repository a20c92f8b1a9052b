import { readdir, readFile } from 'node:fs/promises'

export interface PostgresCost {
  cpuMicros: number
  residentBytes: number
  /** Counts shared pages once. */
  proportionalBytes: number
}

interface Stat {
  pid: number
  name: string
  parent: number
  ticks: number
  ticksOfEnded: number
}

const microsPerTick = 10_000
const pageBytes = 4_096
const kibibyte = 1_024

/** The PostgreSQL processes below a process, summed. Null if there are none or no /proc. */
export async function postgresBelow(pid: number): Promise<PostgresCost | null> {
  const all = await processes()
  if (all.length === 0) return null
  const family = new Set([pid])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const one of all) if (family.has(one.parent)) family.add(one.pid)
  }
  const servers = all.filter((one) => one.name === 'postgres' && family.has(one.pid))
  if (servers.length === 0) return null
  const memory = await Promise.all(servers.map(memoryOf))
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return {
    cpuMicros: sum(servers.map((one) => one.ticks + one.ticksOfEnded)) * microsPerTick,
    residentBytes: sum(memory.map(([resident]) => resident)),
    proportionalBytes: sum(memory.map(([, proportional]) => proportional)),
  }
}

/** Like postgresBelow, for the product: on Linux its PostgreSQL must be there. */
export async function databaseOf(pid: number): Promise<PostgresCost | null> {
  const cost = await postgresBelow(pid)
  if (!cost && process.platform === 'linux') throw new Error(`no PostgreSQL runs below the product (${pid})`)
  return cost
}

async function processes(): Promise<Stat[]> {
  const entries = await readdir('/proc').catch(() => [])
  const read = entries.filter((name) => /^\d+$/.test(name)).map(readStat)
  return (await Promise.all(read)).filter((stat) => stat !== null)
}

async function readStat(pid: string): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const match = /^(\d+) \((.*)\) \S (.*)$/s.exec(text)
  if (!match) return null
  const fields = (match[3] ?? '').split(' ').map(Number)
  const at = (index: number) => fields[index] ?? 0
  return {
    pid: Number(match[1]),
    name: match[2] ?? '',
    parent: at(0),
    ticks: at(10) + at(11),
    ticksOfEnded: at(12) + at(13),
  }
}

async function memoryOf({ pid }: Stat): Promise<[resident: number, proportional: number]> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0')
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const resident = Number(statm.split(' ')[1]) * pageBytes
  return [resident, Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * kibibyte]
}
