import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { acquireLock } from './lock.ts'
import { makeTemporary } from './testbed.ts'

const seed = Date.now() % 1_000_000
let state = seed

function random(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((state / 2 ** 31) * below)
}

/** Lets the others go ahead, mostly a little and now and then by whole turns of the lock. */
async function dawdle(): Promise<void> {
  for (let turns = random(5) === 0 ? random(150) : random(3); turns > 0; turns--)
    await new Promise(setImmediate)
}

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>()
  const slow =
    <In extends unknown[], Out>(work: (...input: In) => Promise<Out>) =>
    async (...input: In) => {
      await dawdle()
      return work(...input)
    }
  return { ...actual, readlink: slow(actual.readlink), symlink: slow(actual.symlink), rm: slow(actual.rm) }
})

test(`many contenders for a stale lock and for each other’s: never two hold it (seed ${seed})`, async () => {
  const folder = makeTemporary()
  let turns = 0
  for (let round = 0; round < 40; round++) {
    const home = join(folder, String(round))
    mkdirSync(home)
    symlinkSync(JSON.stringify({ pid: 4_194_304, started: 'long ago' }), join(home, 'postgres.lock.7'))
    let holders = 0
    const contend = async () => {
      for (let attempt = 0; attempt < 8; attempt++) {
        const lock = await acquireLock(home, '/tmp/x').catch(() => null)
        if (!lock) continue
        turns++
        expect(++holders).toBe(1)
        await dawdle()
        holders--
        await lock.release()
      }
    }
    await Promise.all(Array.from({ length: 8 }, contend))
  }
  expect(turns).toBeGreaterThan(40)
})
