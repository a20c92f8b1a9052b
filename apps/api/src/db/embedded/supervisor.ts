import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Account, spawnOptions } from './account.ts'

export interface Watching {
  onProgress(line: string): void
  onLaunch(): void
}

export interface Supervised {
  pid(): number | null
  exited: Promise<number>
  hasExited(): boolean
  end(): void
  lastLines(): string
}

/**
 * Runs a command and interrupts it when the pipe on stdin closes, which the kernel does however this process ends. It
 * repeats the interrupt, because a program that is still starting may miss it. It ignores signals to itself, and a
 * failed write of the process id, because the product may be dead by then. It waits for its own helper, so nothing is
 * left running.
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

const maxLines = 30

export function supervise(account: Account, command: string[]): Supervised {
  const child = spawn('/bin/sh', ['-c', supervisorScript, 'sh', ...command], {
    ...spawnOptions(account),
    // An own process group, so that Ctrl-C in a terminal reaches only the product.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})

  const lines: string[] = []
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line)
    if (lines.length > maxLines) lines.shift()
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
      // The pipe may still contain the last lines, but a process that keeps it open is not awaited.
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
