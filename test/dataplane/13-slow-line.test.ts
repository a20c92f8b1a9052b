import { expect, test } from 'vitest'
import { until } from './commands.ts'
import { setUpOver } from './slow-line.ts'

/** The bench has 0.5 Mbit/s, which takes a quarter of an hour. */
const line = { milliseconds: 50, lossPercent: 0, megabits: 4 }
const patience = 900

const what = 'a server is set up over a slow line that breaks off while its programs are sent'
test(what, { timeout: patience * 1000 }, async () => {
  const log = await setUpOver(line, patience, async (way, read) => {
    const has = (pattern: RegExp) =>
      until(
        String(pattern),
        300,
        async () => {
          const text = await read()
          if (!pattern.test(text)) throw new Error(text)
        },
        500,
      )
    await has(/^node: \d\d of /m)
    way.breakOff()
    await has(/^node: the connection broke/m)
    way.mend()
  })
  const steps = [...log.matchAll(/^node: (\d+) of (\d+) MB/gm)].map(([, arrived]) => Number(arrived))
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b))
})
