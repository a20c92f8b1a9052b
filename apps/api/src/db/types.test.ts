import pg from 'pg'
import { expect, test } from 'vitest'
import { toDate } from './database.ts'

const byDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown

test.each([
  '2026-11-16 18:13:28.123+00',
  '2026-11-16 18:13:28.1+00',
  '2026-11-16 18:13:28.123999+00',
  '2026-11-16 18:13:28+00',
  '0099-03-01 00:00:00+00',
  '2026-11-16 21:43:28.123+03:30',
  '2026-11-16 13:13:28-05',
  '10000-01-01 00:00:00+00',
  '0044-03-15 12:00:00+00 BC',
  'infinity',
])('a moment that PostgreSQL writes as %s is read as the driver reads it', (text) => {
  expect(toDate(text)).toEqual(byDriver(text))
})
