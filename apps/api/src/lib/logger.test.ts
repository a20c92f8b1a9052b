import { pino } from 'pino'
import { expect, test } from 'vitest'
import { loggerOptions } from './logger.ts'

const lines: string[] = []
const log = pino(loggerOptions('info'), { write: (line) => void lines.push(line) })

test.each([
  ['a field', () => log.info({ password: 'hunter2', user: 7 }, 'text')],
  ['a field of a field', () => log.info({ user: 7, request: { authorization: 'hunter2' } }, 'text')],
  ['what a child is given', () => log.child({ token: 'hunter2', user: 7 }).info('text')],
  [
    'what an error carries',
    () => log.error({ user: 7, err: Object.assign(new Error('no'), { secret: 'hunter2' }) }, 'text'),
  ],
])('a secret is cut out of %s, and nothing else', (_, write) => {
  lines.length = 0
  write()
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('hunter2')
  expect(lines[0]).toContain('[hidden]')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ user: 7, msg: 'text' })
})

test('an error keeps its message and stack, and what was given is left as it was', () => {
  lines.length = 0
  const fields = { request: { password: 'hunter2' }, err: new Error('out of paper') }
  log.error(fields, 'text')
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ message: 'out of paper', type: 'Error' })
  expect(JSON.parse(lines[0] ?? '').err.stack).toContain('logger.test.ts')
  expect(fields.request.password).toBe('hunter2')
})
