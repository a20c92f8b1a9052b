import { appendFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineReader, openAccessLog, readLine } from './access-log.ts'
import { temporaryFolder } from './agent.fixture.ts'
import { coreAccounts } from './vpn-types.ts'

const { harmlessRefusal } = coreAccounts.trojan

const id = '01234567-89ab-4cde-8f01-23456789abcd'
const folder = temporaryFolder()

/** As Xray 26.3.27 writes them. */
const line = (from: string, to = 'tcp:example.com:443', who = id) =>
  `2026/11/17 01:25:08.022026 from ${from} accepted ${to} [vpn >> direct] email: ${who}`

test.each([
  [line('203.0.113.9:44004'), { id, address: '203.0.113.9', port: 44_004 }],
  [line('udp:203.0.113.9:44004'), { id, address: '203.0.113.9', port: 44_004 }],
  [line('[2001:db8::1]:5'), { id, address: '2001:db8::1', port: 5 }],
  [line('203.0.113.9:1', `tcp:x email: ${id.replace('0', 'f')}:1`), null],
  [
    line('203.0.113.9:1', 'tcp:[2001:db8::1]:443').replace('>>', '->'),
    { id, address: '203.0.113.9', port: 1 },
  ],
  [line('203.0.113.9:1').replace('direct', `speed-12-${id}`), { id, address: '203.0.113.9', port: 1 }],
  [`${line('203.0.113.9:1').slice(0, 70)}${line('203.0.113.8:2')}`, null],
  [line('203.0.113.9:44004', 'tcp:a:1', 'somebody'), null],
  ['2026/11/17 01:25:08.022026 from 203.0.113.9:1 rejected  proxy/trojan: not trojan protocol', null],
  ['', null],
])('%s', (text, seen) => {
  expect(readLine(text)).toEqual(seen)
  expect(JSON.stringify(readLine(text))).not.toMatch(/example/)
})

/** The line of a stranger is ten times a second's business of every host, and says nothing that a customer wrote. */
test('a line that a customer may have written is doubtful, and a line far behind it is not', () => {
  const forged = line('198.51.100.53:53')
  const pieces = fc.array(fc.constantFrom(forged, line('203.0.113.7:7'), forged.slice(0, 60), 'x', ''), {
    minLength: 1,
    maxLength: 12,
  })
  const trojan =
    '2026/11/17 01:25:08.022026 from 203.0.113.9:1 rejected  proxy/trojan: failed to read address and port > common/protocol: invalid domain name: '
  const entries = fc.constantFrom(
    // As the core completes it: a name has no brackets in hysteria2, and no more than 255 bytes in trojan.
    (name: string) => line('203.0.113.9:1', `tcp:${name.replaceAll(/[[\]]/g, '')}:80`),
    (name: string) => `${trojan}${name.slice(0, 255)}`,
  )
  fc.assert(
    fc.property(entries, pieces, (entry, parts) => {
      const next = createLineReader(harmlessRefusal)
      const stranger =
        '2026/11/17 01:25:08.022026 from 203.0.113.9:1 rejected  proxy/trojan: not a valid user'
      const honest = line('203.0.113.10:10')
      expect(next(honest)).toEqual({ id, address: '203.0.113.10', port: 10 })
      expect(next(stranger)).toBe(null)
      expect(next(honest)?.isDoubtful).toBe(undefined)
      const written = entry(`x\n${parts.join('\n')}`.slice(0, 2_040))
      for (const text of written.split('\n')) expect(next(text)?.isDoubtful ?? true).toBe(true)
      for (let bytes = 0; bytes < 2_048; bytes += honest.length + 1) next(honest)
      expect(next(honest)?.isDoubtful).toBe(undefined)
    }),
  )
})

test.each([
  ['user id: 99999999-2222-4333-8444-555555555555', false],
  ['version', false],
  ['user id: 99999999-2222-4333-8444-55555555555', true],
  ['address > common/protocol: invalid domain name: version', true],
])('after the refusal of VLESS "invalid request %s" an entry is doubtful: %s', (end, isDoubtful) => {
  const next = createLineReader(coreAccounts['vless-reality'].harmlessRefusal)
  const stranger =
    '2026/11/19 05:16:51.739839 from 203.0.113.9:1 rejected  proxy/vless/encoding: invalid request'
  expect(next(`${stranger} ${end}`)).toBe(null)
  expect(next(line('203.0.113.10:10'))?.isDoubtful ?? false).toBe(isDoubtful)
})

test.each([
  ['tcp:127.0.0.1:4443', false],
  [`tcp:x email: ${id}:1`, true],
])('after the line of a WebSocket tunnel to %s an entry is doubtful: %s', (to, isDoubtful) => {
  const next = createLineReader(harmlessRefusal)
  expect(next(`2026/11/19 06:13:53.938586 from 0.0.0.0:0 accepted ${to} [relay -> vpn]`)).toBe(null)
  expect(next(line('203.0.113.10:10'))?.isDoubtful ?? false).toBe(isDoubtful)
})

function reader(file: string, store?: () => void) {
  const log = openAccessLog(file, harmlessRefusal, store)
  return {
    ports: () => {
      const ports: number[] = []
      log.read(({ port }) => ports.push(port))
      return ports
    },
    close: log.close,
  }
}

test('the file is read to its end, over halves of lines, and emptied when it is quiet', () => {
  const file = join(folder, 'access.log')
  const log = reader(file)
  expect(log.ports()).toEqual([])
  writeFileSync(file, `${line('203.0.113.9:1')}\n${line('203.0.113.9:2').slice(0, 40)}`)
  expect(log.ports()).toEqual([1])
  appendFileSync(file, `${line('203.0.113.9:2').slice(40)}\n`)
  expect(log.ports()).toEqual([2])
  expect(log.ports()).toEqual([])
  expect(statSync(file).size).toBe(0)
  appendFileSync(file, `${line('203.0.113.9:3')}\n`)
  expect(log.ports()).toEqual([3])
  renameSync(file, `${file}.old`)
  writeFileSync(file, `${line('203.0.113.9:4')}\n`)
  expect(log.ports()).toEqual([4])
  log.close()
})

test('a busy file does not grow, and what is in no file is stored before', () => {
  const file = join(folder, 'busy.log')
  let stored = 0
  const log = reader(file, () => {
    stored = statSync(file).size
  })
  const lines = `${line('203.0.113.9:7')}\n`.repeat(20_000)
  writeFileSync(file, lines)
  expect(log.ports()).toHaveLength(20_000)
  expect(stored).toBe(lines.length)
  expect(statSync(file).size).toBe(0)
  log.close()
})
