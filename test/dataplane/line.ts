import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { run, until } from './commands.ts'
import type { Host } from './host.ts'

export interface Line {
  /** One way. */
  milliseconds: number
  /** Of all packets, in each direction. */
  lossPercent: number
  megabits: number
  /** The congestion control of connections over it; by default the hosts' own. */
  control?: string
}

/** Mobile internet through a filter, as measured: a round trip of 100 ms, and every hundredth packet is lost. */
export const lossyLine: Line = { milliseconds: 50, lossPercent: 1, megabits: 300 }
export const longLine: Line = { ...lossyLine, lossPercent: 0 }

interface End {
  /** Of its network namespace. */
  name: string
  address: string
}

/**
 * Connects the SSH connections of a tunnel anew. Those that were there before the line remember its short way for ten
 * seconds, in which they send almost nothing.
 */
export async function reconnect(tunnel: Host): Promise<void> {
  await tunnel.say("systemctl restart 'kelid-relay@*'")
  await until('the SSH connections', 30, () =>
    tunnel.say(
      // They listen here once the exit has let them in.
      `test $(ss -Hltn 'sport >= :11000 and sport <= :31999' | wc -l) -ge $(systemctl list-units --plain --no-legend 'kelid-relay@*' | wc -l)`,
    ),
  )
}

/** Leads all packets between two hosts over a line; closing it restores their routes. */
export async function openLine(one: End, other: End, line: Line) {
  const { milliseconds, lossPercent, megabits, control } = line
  const seed = process.env.KELID_TEST_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
  console.log(`line: seed ${seed} (repeat with KELID_TEST_SEED=${seed})`)
  const shape = [milliseconds, lossPercent, megabits].map(String)
  const program = spawn(
    'python3',
    [join(import.meta.dirname, 'line.py'), one.name, other.name, ...shape, seed],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(program, 'exit')
  const device = await Promise.race([
    once(program.stdout, 'data').then(([text]) => String(text).trim()),
    ended.then(() => Promise.reject(new Error('The line did not open'))),
  ])
  // A test that fails leaves it behind, and would wait for it.
  program.stdout.destroy()
  program.unref()
  const ends = [
    { from: one, to: other },
    { from: other, to: one },
  ]
  for (const { from, to } of ends) {
    run('ip', '-n', from.name, 'link', 'set', device, 'up')
    const route = [`${to.address}/32`, 'dev', device, 'src', from.address]
    run('ip', '-n', from.name, 'route', 'add', ...route, ...(control ? ['congctl', control] : []))
  }
  return {
    /** While it is broken no packet gets through, and neither end is told. */
    breakOff: () => program.kill('SIGSTOP'),
    mend: () => program.kill('SIGCONT'),
    close: async () => {
      program.kill('SIGCONT')
      program.kill()
      await ended
    },
  }
}
