import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { packageRoot } from '../../lib/package-root.ts'
import { type Confinement, confined, pythonUserBase } from './confinement.ts'
import type { LogPump } from './log-pump.ts'
import { applyEvent, newStory, type Story } from './run-events.ts'

export const provisioningDir = join(packageRoot, '../../provisioning')

export const target = 'target'

/** Without a heartbeat for this long, the supervisor ends everything, before another worker takes the run over. */
const leashSeconds = 45
const heartbeatEvery = 10_000
const lookEvery = 1_000

export type Ending = 'called off' | 'taken over' | 'too long' | 'stopping'

export interface Outcome extends Story {
  code: number | null
  ended: Ending | null
}

export interface Watch {
  readonly log: LogPump
  readonly signal: AbortSignal
  readonly timeLimit: number
  /** Called every second; `alive` also renews the lease. */
  look(alive: boolean): Promise<Ending | null>
}

export function findProgram(name: string, path = process.env.PATH ?? ''): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // The program is not in this folder.
    }
  }
  return null
}

/** Only the variables that programs need to find themselves and their libraries. */
const environment = (folder: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  LANG: 'C.UTF-8',
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUSERBASE: pythonUserBase,
  ANSIBLE_CONFIG: join(provisioningDir, 'ansible.cfg'),
  ANSIBLE_LOCAL_TEMP: join(folder, 'tmp'),
  ANSIBLE_SSH_CONTROL_PATH_DIR: join(folder, 'cp'),
})

const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((file) => existsSync(file)) ?? 'python3'

/** Runs the playbook in the folder and removes the folder afterwards. Only provisioning this machine runs unconfined. */
export async function runPlaybook(
  folder: string,
  playbook: string,
  watch: Watch,
  confinement: Confinement | null,
): Promise<Outcome> {
  const command = commandOf(folder, playbook, confinement)
  const child = spawn(
    python,
    [join(provisioningDir, 'supervise.py'), folder, String(leashSeconds), ...command],
    // An own process group: Ctrl-C in a terminal reaches only the product, which then ends the run.
    { detached: true, stdio: ['pipe', 'pipe', 'inherit', 'pipe'], env: environment(folder), cwd: folder },
  )
  child.stdin?.on('error', () => {})
  const story = newStory()
  const [code, ended] = await Promise.all([
    exitCode(child),
    guard(child, watch),
    readLog(child.stdout as Readable, watch.log),
    readEvents(child.stdio[3] as Readable, story),
  ])
  return { ...story, code: ended ? null : code, ended }
}

function commandOf(folder: string, playbook: string, confinement: Confinement | null): string[] {
  const inventory = ['-i', join(folder, 'inventory.json'), '-e', `@${join(folder, 'vars.json')}`]
  const program = findProgram('ansible-playbook')
  if (!program || !confinement) return ['ansible-playbook', ...inventory, playbook]
  const keeps = [...confinement.keeps, provisioningDir, dirname(playbook)]
  const script = [python, '-I', '-S', join(provisioningDir, 'confine.py')]
  return confined(script, { ...confinement, keeps }, folder, [program, ...inventory, playbook])
}

async function exitCode(child: ChildProcess): Promise<number> {
  try {
    const [code] = await once(child, 'close')
    return code ?? 128
  } catch {
    return 127
  }
}

async function readLog(stream: Readable, log: LogPump): Promise<void> {
  for await (const chunk of stream) await log.add(chunk)
  await log.end()
}

async function readEvents(stream: Readable, story: Story): Promise<void> {
  for await (const line of createInterface(stream)) applyEvent(story, line, target)
}

async function guard(child: ChildProcess, { signal, timeLimit, look }: Watch): Promise<Ending | null> {
  const began = performance.now()
  let spoke = began
  let ending: Ending | null = null
  let isOver = false
  const exit = exitCode(child).then(() => {
    isOver = true
  })
  while (!isOver && !ending) {
    const now = performance.now()
    const isDue = now - spoke >= heartbeatEvery
    if (signal.aborted) ending = 'stopping'
    else if (now - began > timeLimit) ending = 'too long'
    else {
      try {
        ending = await look(isDue)
        if (isDue) {
          child.stdin?.write('\n')
          spoke = now
        }
      } catch {
        // The database is unreachable: the program continues for the length of the leash.
      }
    }
    if (!ending) await Promise.race([exit, moment(signal, Math.min(lookEvery, timeLimit))])
  }
  child.stdin?.end()
  return ending
}

function moment(signal: AbortSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal.addEventListener('abort', finish)
  })
}
