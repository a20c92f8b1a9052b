import { expect, test } from 'vitest'
import { openClock } from './clock.ts'

function surroundings(start: number) {
  const time = { machine: start, passed: 0 }
  const pass = (ms: number) => {
    time.machine += ms
    time.passed += ms
  }
  const open = (known?: number) =>
    openClock(
      known,
      () => time.machine,
      () => time.passed,
    )
  return { time, pass, open }
}

test('after an answer of the control plane its time counts, not the clock of the host', () => {
  const { time, pass, open } = surroundings(1_000_000)
  const clock = open()
  clock.synchronize(new Date(5_000_000).toISOString())
  expect(clock.now()).toBe(5_000_000)
  time.machine = 0
  pass(1_000)
  expect(clock.now()).toBe(5_001_000)
  time.machine = 9_000_000_000
  expect(clock.now()).toBe(5_001_000)
  clock.synchronize('nonsense')
  expect(clock.now()).toBe(5_001_000)
})

test("before the first answer the host's clock is used, but never an earlier time than the latest known one", () => {
  const { time, pass, open } = surroundings(1_000_000)
  expect(open().now()).toBe(1_000_000)
  const clock = open(7_000_000)
  expect(clock.now()).toBe(7_000_000)
  pass(500)
  expect(clock.now()).toBe(7_000_500)
  time.machine = 8_000_000
  expect(clock.now()).toBe(8_000_000)
  time.machine = 0
  expect(clock.now()).toBe(8_000_000)
})
