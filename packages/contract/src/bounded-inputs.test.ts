import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { calls } from './calls.ts'
import { limits } from './limits.ts'

const longTexts = ['a', '1', 'Aa1-', 'a@b.co ', '{}'].map((text) =>
  text.repeat(limits.bodyBytes / text.length),
)

test('every text field of every call is limited', () => {
  const unlimited = calls.flatMap(({ path, input }) =>
    Object.entries<unknown>(input.shape)
      .filter(([, schema]) => longTexts.some((text) => (schema as z.ZodMiniType).safeParse(text).success))
      .map(([name]) => `${path} ${name}`),
  )
  expect(unlimited).toEqual([])
})
