import { expect, test } from 'vitest'
import { memo } from './memo.ts'

test('computes once, forgets what was not asked for in a while, and keeps at most two generations', () => {
  const computed: string[] = []
  const remember = memo<string>(3)
  const ask = (key: string) =>
    remember(key, () => {
      computed.push(key)
      return key.toUpperCase()
    })
  for (const key of ['a', 'b', 'c', 'a', 'b', 'c']) expect(ask(key)).toBe(key.toUpperCase())
  expect(computed.join('')).toBe('abc')
  for (const key of ['d', 'a', 'e', 'a']) expect(ask(key)).toBe(key.toUpperCase())
  expect(computed.join('')).toBe('abcde')
  for (const key of ['f', 'g', 'h', 'a', 'b']) expect(ask(key)).toBe(key.toUpperCase())
  expect(computed.join('')).toBe('abcdefghb')
})
