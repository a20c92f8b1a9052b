import { spawn } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { acquireLock, lockHolder } from './lock.ts'
import { identify, isAlive } from './process-identity.ts'
import { cleanUpLater, makeTemporary } from './testbed.ts'

function leaveClaim(home: string, claim: object): void {
  symlinkSync(JSON.stringify({ socketDir: '/tmp/x', ...claim }), join(home, 'postgres.lock.7'))
}

test('a held lock is refused, a released one is free, also within one process', async () => {
  const home = makeTemporary()
  const lock = await acquireLock(home, '/tmp/x')
  expect(await lockHolder(home)).toMatchObject({ pid: process.pid, socketDir: '/tmp/x' })
  await expect(acquireLock(home, '/tmp/y')).rejects.toThrow(`in use by process ${process.pid}`)
  await lock.release()
  expect(await lockHolder(home)).toBeNull()
  await (await acquireLock(home, '/tmp/y')).release()
})

test('the lock of a dead process is taken over', async () => {
  const home = makeTemporary()
  leaveClaim(home, { pid: 4_194_304, started: 'long ago' })
  await acquireLock(home, '/tmp/x')
})

test('a process id that was given out again does not hold the lock', async () => {
  const home = makeTemporary()
  leaveClaim(home, { pid: process.pid, started: 'before the present process' })
  expect(await lockHolder(home)).toBeNull()
  await acquireLock(home, '/tmp/x')
})

test('a dead process that its parent has not yet buried counts as dead', async () => {
  const parent = spawn('/bin/sh', ['-c', 'exec 3<&0; sh -c "read -r _ <&3" & echo $!; exec sleep 60'])
  cleanUpLater(() => parent.kill('SIGKILL'))
  const pid = await new Promise<number>((resolve) =>
    createInterface(parent.stdout).once('line', (line) => resolve(Number(line))),
  )
  await until(() => readFileSync(`/proc/${parent.pid}/cmdline`, 'utf8').startsWith('sleep'))
  const identity = identify(pid)
  expect(isAlive(identity)).toBe(true)
  parent.stdin.end()
  await until(() => !isAlive(identity))
  expect(() => process.kill(pid, 0)).not.toThrow()
})
