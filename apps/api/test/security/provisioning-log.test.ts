import { getServerLog } from '@kelid/contract'
import { expect, test } from 'vitest'
import { writeLog } from '../../src/features/provisioning/provisioning.ts'
import { productForAllTests, runOf } from '../product.ts'

const product = productForAllTests()

const mebibyte = 1_048_576

/** A server with its run: writes into the log, and reads it by the API. */
async function newLog() {
  const serverUUID = await product.server()
  const run = await runOf(product, serverUUID)
  return {
    write: (text: string, secrets: string[] = []) => writeLog(product.ctx, run, text, secrets),
    read: async () => (await product.admin.ask(getServerLog, { serverUUID })).ansibleLog,
    events: async () => {
      const rows = await product.ctx.db.selectFrom('events').select('payload').execute()
      return rows.map((row) => JSON.stringify(row.payload)).filter((text) => text.includes(run.uuid))
    },
  }
}

test('terminal codes, control and direction characters are stripped before a line is kept', async () => {
  const log = await newLog()
  await log.write(
    '\u001b[31mred\u001b[0m \u001b]0;title\u0007bell\u0007 \u202eflip\u202c a\rb \u0000nul\u009b tab\tend\n',
  )
  expect(await log.read()).toBe('red bell flip ab nul tab\tend')
})

test('a secret is hidden even with terminal codes or controls between its letters', async () => {
  const log = await newLog()
  const secret = 'Hunter-22-canary'
  await log.write(
    `Hunter\u001b[0m-22-canary\n${[...secret].join('\u0000')}\nHunter-22\r-canary\nHun\u202eter-22-canary`,
    [secret],
  )
  await log.write('a\u001b[1mb', ['a\u001b[1mb-long-one'])
  expect(await log.read()).toBe('[hidden]\n[hidden]\n[hidden]\n[hidden]\nab')
  expect((await log.events()).join('')).not.toMatch(/Hunter|canary/)
})

test('a key with Windows line ends is hidden line by line', async () => {
  const log = await newLog()
  const lines = ['c29tZS1saW5lLW9mLWEta2V5', 'YW5vdGhlci1saW5lLW9mLWl0']
  for (const line of lines) await log.write(`debug ${line}`, [lines.join('\r\n')])
  expect(await log.read()).toBe('debug [hidden]\ndebug [hidden]')
})

test('at most a mebibyte is kept, with a mark where it was cut, and live readers get no more', async () => {
  const log = await newLog()
  const chunk = `${'of a log '.repeat(113)}123456\n`.repeat(64)
  for (let count = 0; count < 20; count += 1) await log.write(chunk)
  const kept = await log.read()
  expect(kept.length).toBeGreaterThan(mebibyte - 70_000)
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(mebibyte + 100)
  expect(kept.endsWith('[the log is longer than is kept]')).toBe(true)
  expect(kept.match(/longer than is kept/g)).toHaveLength(1)
  expect(await log.events()).toHaveLength(kept.split('\n').length)
})

test('one write that is far too long keeps its beginning', async () => {
  const log = await newLog()
  await log.write(`first line\n${`${'of a log '.repeat(11)}\n`.repeat(30_000)}`)
  const kept = await log.read()
  expect(kept.startsWith('first line\n')).toBe(true)
  expect(Buffer.byteLength(kept)).toBeGreaterThan(mebibyte / 2)
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(mebibyte + 100)
})

test('many short lines at once are kept', async () => {
  const log = await newLog()
  await log.write(Array.from({ length: 40_000 }, (_, count) => `${count}`).join('\n'))
  expect((await log.read()).split('\n')).toHaveLength(40_000)
})

test('a line without end is cut, and never in the middle of a character', async () => {
  const log = await newLog()
  await log.write('😀'.repeat(5_000))
  expect(await log.read()).toBe('😀'.repeat(2_048))
})
