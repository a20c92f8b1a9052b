import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './agent.fixture.ts'
import { createRestarter } from './restart.ts'

const folder = temporaryFolder()

test('the core is restarted for bytes that go on after a minute, once in five minutes, and for nothing else', async () => {
  const file = join(folder, 'restart-core')
  let now = 0
  const look = createRestarter(
    file,
    () => {},
    () => now,
  )
  const at = (seconds: number, bytes: Record<string, number>) => {
    now = seconds * 1000
    return look(new Map(Object.entries(bytes)))
  }
  expect(await at(0, { a: 10 })).toBe(false)
  expect(await at(50, { a: 20 })).toBe(false)
  expect(await at(60, { a: 20 })).toBe(false)
  expect(await at(70, { a: 21 })).toBe(true)
  expect(readFileSync(file, 'utf8')).toMatch(/^1970/)
  expect(await at(80, { a: 22 })).toBe(false)
  expect(await at(369, { a: 30 })).toBe(false)
  expect(await at(371, { a: 31 })).toBe(true)
  expect(await at(680, {})).toBe(false)
  expect(await at(690, { a: 40 })).toBe(false)
  expect(await at(700, { a: 50 })).toBe(false)
})
