import { readFileSync } from 'node:fs'
import { codeOf } from './unavailable.ts'

/** Process ids are reused, so the start time is part of the identity. */
export interface ProcessIdentity {
  pid: number
  started: string
}

export function identify(pid: number): ProcessIdentity {
  return { pid, started: readStat(pid)?.started ?? '' }
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  if (pid <= 0 || !respondsToSignals(pid)) return false
  const stat = readStat(pid)
  // Without /proc the process id must be enough.
  if (!stat) return true
  return stat.started === started && stat.state !== 'Z'
}

function respondsToSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function readStat(pid: number): { started: string; state: string } | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name may contain spaces and brackets, so fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', started: `${boot} ${fields[19]}` }
  } catch {
    return null
  }
}
