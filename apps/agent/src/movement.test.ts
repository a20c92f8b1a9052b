import { movement } from '@kelid/contract'
import { expect, test } from 'vitest'
import { watchMovement } from './movement.ts'

const second = 1_000
const slice = movement.sliceSeconds * second

/** Reads counters that grow by these bytes in each slice; an address without bytes is forgotten by the kernel. */
function watched(bytesIn: (slice: number) => Record<string, number> | null) {
  let time = 0
  let number = -1
  const totals = new Map<string, number>()
  const lines: string[] = []
  const watch = watchMovement(
    async () => {
      const bytes = number < 0 ? {} : bytesIn(number)
      if (bytes === null) throw new Error('no table')
      for (const [address, count] of Object.entries(bytes))
        totals.set(address, count === 0 ? 0 : (totals.get(address) ?? 0) + count)
      return new Map([...totals].filter(([, total]) => total > 0))
    },
    (line) => lines.push(line),
    () => time,
  )
  return {
    lines,
    finished: watch.finished,
    async pass(slices: number, pause = slice) {
      for (let count = 0; count < slices; count += 1) {
        time += pause
        await watch.look()
        number += 1
      }
    },
  }
}

test('a minute contains who moved bytes in which slices, those of most slices first', async () => {
  const watch = watched((number) => ({
    steady: 1_000,
    pausing: number % 2 === 0 ? 1_000 : 0,
    glimpse: number === 3 ? 1_000_000 : 0,
    idle: 60,
    leaving: number < 16 ? 1_000 : 0,
  }))
  await watch.pass(movement.slices)
  expect(watch.finished()).toBeNull()
  await watch.pass(1)
  const minute = watch.finished()
  expect(minute?.addresses.map(({ address }) => address)).toEqual(['steady', 'leaving', 'pausing', 'glimpse'])
  const [steady, , pausing, glimpse] = minute?.addresses ?? []
  expect(steady?.slices).toBe(2 ** movement.slices - 1)
  expect(pausing?.slices).toBe(Number.parseInt('01'.repeat(movement.slices / 2), 2))
  expect(glimpse?.slices).toBe(1 << 3)
})

test('a slice that took too long, or could not be read, starts the minute over', async () => {
  let isBroken = false
  const watch = watched(() => (isBroken ? null : { steady: 1_000 }))
  await watch.pass(movement.slices)
  await watch.pass(1, 3 * slice)
  expect(watch.finished()).toBeNull()
  await watch.pass(movement.slices - 1)
  isBroken = true
  await watch.pass(2)
  isBroken = false
  await watch.pass(movement.slices)
  expect(watch.finished()).toBeNull()
  await watch.pass(1)
  expect(watch.finished()?.addresses).toHaveLength(1)
  expect(watch.lines).toEqual(['cannot read who moves bytes: no table'])
})
