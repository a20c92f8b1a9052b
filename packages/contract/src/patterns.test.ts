import { readdirSync, readFileSync } from 'node:fs'
import { check } from 'recheck'
import { beforeAll, describe, expect, test } from 'vitest'
import { adminPatterns } from './admin-rules.ts'
import { patterns as commonPatterns } from './rules.ts'

const patterns = { ...commonPatterns, ...adminPatterns }

const folder = import.meta.dirname

/** Comments and strings go first, so that a path in quotes is not taken for an expression. */
const literalsIn = (source: string): RegExp[] =>
  source
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .match(/(?<=[(,:=\s])\/(?![/*\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g)
    ?.map((literal) => {
      const end = literal.lastIndexOf('/')
      return new RegExp(literal.slice(1, end), literal.slice(end + 1))
    }) ?? []

const inSource = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => literalsIn(readFileSync(`${folder}/${file}`, 'utf8')))

const all = [...new Map([...Object.values(patterns), ...inSource].map((one) => [String(one), one])).values()]

test('the source was read: every named pattern was found in it, and more', () => {
  const found = inSource.map(String)
  for (const pattern of Object.values(patterns)) expect(found).toContain(String(pattern))
  expect(all.length).toBeGreaterThan(Object.keys(patterns).length)
})

describe('patterns that spec.md section 5 names and no rule of a form uses alone', () => {
  const uses: [keyof typeof patterns, string[], string[]][] = [
    ['letters', ['xray', 'Hysteria2'], ['', 'a-b', 'a_b', 'a b', 'é']],
    ['vpnType', ['trojan', 'hysteria2-direct'], ['', 'a_b', 'a b', 'a.b']],
    ['digits', ['0', '0443'], ['', '1.0', '-1', '+1', '1e3', '۱', ' 1']],
    ['client', ['web', '1.0'], ['', 'a b', 'a/b', '<b>']],
    [
      'idempotencyKey',
      ['a'.repeat(16), 'a'.repeat(64), '9c858901-8a57-4791-81fe-4c455b099bc9'],
      ['', 'a'.repeat(15), 'a'.repeat(65), `${'a'.repeat(16)}\n`, `${'a'.repeat(15)}.`],
    ],
  ]
  test.each(uses)('%s', (name, takes, refuses) => {
    for (const value of takes) expect(patterns[name].test(value), value).toBe(true)
    for (const value of refuses) expect(patterns[name].test(value), value).toBe(false)
  })
})

describe('every expression runs in linear time', () => {
  beforeAll(() => {
    // The pure backend is the same on every system and starts no process.
    process.env.RECHECK_BACKEND = 'pure'
  })

  const isLinear = async ({ source, flags }: RegExp) => {
    const found = await check(source, flags, { timeout: 20_000, randomSeed: 1, maxIteration: 3 })
    return found.status === 'safe' && ['linear', 'safe'].includes(found.complexity.type)
  }

  test.each(all.map((one) => [String(one), one] as const))('%s', { timeout: 30_000 }, async (_, one) => {
    expect(await isLinear(one)).toBe(true)
  })

  test.each([/^(a+)+$/, /\s+$/, /^(?:[a-z0-9-]+\.?)+$/])('the analysis does find %s', async (one) => {
    expect(await isLinear(one)).toBe(false)
  })
})
