import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { safeguards } from './safeguards.mjs'

const root = join(import.meta.dirname, '..')

test.each(safeguards)('$safeguard stands where its tests are tested', ({ file, from, to, tests }) => {
  const whole = readFileSync(join(root, file), 'utf8')
  expect(whole.replace(from, to)).not.toBe(whole)
  expect(existsSync(join(root, tests))).toBe(true)
})
