import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openAccessLog, readLine } from './access-log.ts'

const id = '01234567-89ab-4cde-8f01-23456789abcd'
const folder = mkdtempSync(join(tmpdir(), 'kelid-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** As Xray 26.3.27 writes them. */
const line = (from: string, to = 'tcp:example.com:443', who = id) =>
  `2026/11/17 01:25:08.022026 from ${from} accepted ${to} [vpn >> direct] email: ${who}`

test.each([
  [line('203.0.113.9:44004'), { id, address: '203.0.113.9', port: 44_004 }],
  [line('udp:203.0.113.9:44004'), { id, address: '203.0.113.9', port: 44_004 }],
  [line('[2001:db8::1]:5'), { id, address: '2001:db8::1', port: 5 }],
  [line('203.0.113.9:1', `tcp:x email: ${id.replace('0', 'f')}:1`), { id, address: '203.0.113.9', port: 1 }],
  [line('203.0.113.9:44004', 'tcp:a:1', 'somebody'), null],
  ['2026/11/17 01:25:08.022026 from 203.0.113.9:1 rejected  proxy/trojan: not trojan protocol', null],
  ['', null],
])('%s', (text, seen) => {
  expect(readLine(text)).toEqual(seen)
  expect(JSON.stringify(readLine(text))).not.toMatch(/example/)
})

test('the file is read to its end, over halves of lines, and emptied when it is quiet', () => {
  const file = join(folder, 'access.log')
  const log = openAccessLog(file)
  expect(log.read()).toEqual([])
  writeFileSync(file, `${line('203.0.113.9:1')}\n${line('203.0.113.9:2').slice(0, 40)}`)
  expect(log.read().map(({ port }) => port)).toEqual([1])
  appendFileSync(file, `${line('203.0.113.9:2').slice(40)}\n`)
  expect(log.read().map(({ port }) => port)).toEqual([2])
  expect(log.read()).toEqual([])
  expect(statSync(file).size).toBe(0)
  appendFileSync(file, `${line('203.0.113.9:3')}\n`)
  expect(log.read().map(({ port }) => port)).toEqual([3])
  renameSync(file, `${file}.old`)
  writeFileSync(file, `${line('203.0.113.9:4')}\n`)
  expect(log.read().map(({ port }) => port)).toEqual([4])
  log.close()
})

test('a busy file does not grow', () => {
  const file = join(folder, 'busy.log')
  const log = openAccessLog(file)
  writeFileSync(file, `${line('203.0.113.9:7')}\n`.repeat(4_000))
  expect(log.read()).toHaveLength(4_000)
  expect(statSync(file).size).toBe(0)
  log.close()
})
