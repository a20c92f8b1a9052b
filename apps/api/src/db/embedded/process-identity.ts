import { readFileSync } from 'node:fs'
import { codeOf } from './unavailable.ts'

/** A process id alone is given out again; together with the time the process began it is not. */
export interface ProcessIdentity {
  pid: number
  started: string
}

export function identify(pid: number): ProcessIdentity {
  return { pid, started: look(pid)?.started ?? '' }
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  if (pid <= 0 || !respondsToSignals(pid)) return false
  const seen = look(pid)
  // Without /proc the id has to do.
  if (!seen) return true
  return seen.started === started && seen.state !== 'Z'
}

function respondsToSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function look(pid: number): { started: string; state: string } | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields are counted from behind the command name, which may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', started: `${boot} ${fields[19]}` }
  } catch {
    return null
  }
}
