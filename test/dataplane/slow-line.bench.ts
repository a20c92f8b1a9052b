import { test } from 'vitest'
import { setUpOver } from './slow-line.ts'

const line = { milliseconds: 150, lossPercent: 0, megabits: 0.5 }
const patience = 60 * 60

test('a server is set up at 0.5 Mbit/s', { timeout: 2 * patience * 1000 }, async () => {
  await setUpOver(line, patience)
})
