import { clientLabels, clientMessages, refusals, ruleTexts } from '@kelid/contract'
import { expect, test } from 'vitest'
import en from './en.json'
import fa from './fa.json'

const keysOf = (words: object, path = ''): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object' ? keysOf(value, `${path}${key}.`) : `${path}${key}`,
  )
const textsOf = (words: object): string[] =>
  Object.values(words).flatMap((value) => (typeof value === 'object' ? textsOf(value) : [value as string]))
const parametersOf = (text: string) => (text.match(/\{(\w+)/g) ?? []).sort()

test('both languages have the same keys with the same parameters, and none is empty', () => {
  expect(keysOf(fa)).toEqual(keysOf(en))
  expect(textsOf(fa).map(parametersOf)).toEqual(textsOf(en).map(parametersOf))
  expect([...textsOf(en), ...textsOf(fa)].filter((text) => text.trim() === '')).toEqual([])
})

test('every refusal and every message of the specification is said in English as the contract has it', () => {
  const texts = Object.fromEntries(Object.entries(refusals).map(([type, { text }]) => [type, text]))
  expect(en.errors).toMatchObject(texts)
  expect(en.client).toEqual({ ...clientMessages, ...clientLabels })
})

test('every rule has its sentence, in English that of the contract with a capital', () => {
  const sentences = Object.entries(ruleTexts).map(([rule, text]) => [
    rule,
    text[0]?.toUpperCase() + text.slice(1),
  ])
  expect(en.rules).toEqual(Object.fromEntries(sentences))
})
