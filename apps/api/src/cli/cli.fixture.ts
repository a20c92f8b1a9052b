import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Call, Sent } from '@kelid/contract'
import type { Body } from '../../test/calls.ts'
import { callAt } from '../../test/calls.ts'
import { testEnvironment } from '../../test/product.ts'
import { packageRoot } from '../lib/package-root.ts'
import { runCommand } from './run.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly outcome: Promise<Outcome>
}

const keyOfTests = { KELID_SECRET_KEY: testEnvironment.KELID_SECRET_KEY }

/** The program, as a process. */
export function startKelid(args: readonly string[], env: Record<string, string>): Running {
  const child = spawn(process.execPath, [join(packageRoot, 'run.mjs'), 'cli', ...args], {
    env: { PATH: process.env.PATH, ...keyOfTests, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return {
    child,
    outcome: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr }))),
  }
}

export const runKelid = (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  startKelid(args, env).outcome

/** The same command in this process: a start of the program takes longer than most commands. */
export async function kelid(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  let [stdout, stderr] = ['', '']
  const code = await runCommand(
    args,
    { ...keyOfTests, ...env },
    {
      say: (line) => {
        stdout += `${line}\n`
      },
      note: (line) => {
        stderr += `${line}\n`
      },
      signal: new AbortController().signal,
    },
  )
  return { code, stdout, stderr }
}

export const passwordIn = ({ stdout }: Outcome): string => /^Password: (\S+)$/m.exec(stdout)?.[1] ?? ''

export const ask = async <C extends Call>(
  url: string,
  call: C,
  body: Body<C>,
  token?: string,
): Promise<Sent<C>> => (await callAt(url, token)(call, body)).answer()
