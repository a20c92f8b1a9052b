import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Account, spawnOptions } from './account.ts'

/** Whoever waits for the database, and may do something else meanwhile. */
export interface Watching {
  onProgress(line: string): void
  onLaunch(): void
}

export interface Supervised {
  /** The process id of the command, null until it runs. */
  pid(): number | null
  /** The exit code, above 128 for a signal. */
  exited: Promise<number>
  hasExited(): boolean
  /** Asks the command to end, as the death of this process does. */
  end(): void
  lastLines(): string
}

/**
 * Runs a command and interrupts it as soon as the pipe on stdin closes, which the kernel does for us however this process
 * ends. The interrupt is repeated, since it is lost on a program that has not yet begun to listen for it. Signals to the
 * supervisor itself are ignored: only the product decides when its database goes. It bears that nobody hears the process id,
 * since the product may be dead by then. Once it is over, nothing of it runs any more: its helper too is waited for.
 */
export const supervisorScript = `
trap '' HUP INT TERM
exec 3<&0
"$@" </dev/null >/dev/null 3<&- &
command=$!
(
  read -r _ <&3
  while kill -INT $command; do sleep 0.5; done
) >/dev/null 2>&1 &
watcher=$!
trap '' PIPE
echo $command
exec >/dev/null 2>&1
wait $command
code=$?
kill -KILL $watcher
wait $watcher
exit $code
`

const linesKept = 30

export function supervise(account: Account, command: string[]): Supervised {
  const child = spawn('/bin/sh', ['-c', supervisorScript, 'sh', ...command], {
    ...spawnOptions(account),
    // A process group of its own, so that Ctrl-C in a terminal reaches the product alone.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})

  const lines: string[] = []
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line)
    if (lines.length > linesKept) lines.shift()
  })

  let pid: number | null = null
  createInterface(child.stdout).once('line', (line) => {
    pid = Number(line)
  })

  let hasExited = false
  const exited = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      lines.push(error.message)
      resolve(127)
    })
    child.on('exit', (code, signal) => {
      if (signal) lines.push(`The supervisor was ended by ${signal}.`)
      // The last words may still be in the pipe, but a straggler that keeps it open is not waited for.
      const timer = setTimeout(() => resolve(code ?? 128), 200)
      child.on('close', () => {
        clearTimeout(timer)
        resolve(code ?? 128)
      })
    })
  })
  exited.then(() => {
    hasExited = true
  })
  return {
    pid: () => pid,
    exited,
    hasExited: () => hasExited,
    end: () => child.stdin.end(),
    lastLines: () => lines.join('\n'),
  }
}
