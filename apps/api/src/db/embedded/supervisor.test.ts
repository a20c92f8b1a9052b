import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { supervisorScript } from './supervisor.ts'
import { makeTemporary } from './testbed.ts'

const endsWhenInterrupted = "process.on('SIGINT', () => process.exit(3)); setInterval(() => {}, 1000)"

test('a product killed before it knows the process id leaves no command running', async () => {
  const command = [process.execPath, '-e', endsWhenInterrupted]
  const supervisor = spawn('/bin/sh', ['-c', supervisorScript, 'sh', ...command], {
    stdio: ['ignore', pipeWithoutReader(), 'ignore'],
  })
  const [code, signal] = await once(supervisor, 'exit')
  // The interrupt ends it either way: by its own answer, or, if it came before the program listened, by the signal itself.
  expect({ isInterrupted: code === 3 || code === 128 + 2, signal }).toEqual({
    isInterrupted: true,
    signal: null,
  })
})

function pipeWithoutReader(): number {
  const path = join(makeTemporary(), 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  closeSync(reader)
  return writer
}
