import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, readConfig } from './config.ts'
import { packageRoot } from './lib/package-root.ts'

test('without any variable the defaults of the product hold', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    PORT: 8080,
    HOST: '127.0.0.1',
    DATABASE_URL: '',
    KELID_ROLE: 'all',
    KELID_BRAND_NAME: 'Kelid',
  })
  expect(config.KELID_DATA_DIR).toBe(join(process.cwd(), 'data'))
})

test.each([
  ['PORT', 'eighty'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['DATABASE_URL', 'mysql://x/y'],
  ['KELID_ROLE', 'boss'],
  ['KELID_SECRET_KEY', 'short'],
  ['KELID_SECRET_KEY', '0'.repeat(64)],
  ['KELID_PUBLIC_URL', 'example.com'],
  ['KELID_ALLOWED_ORIGINS', 'https://a.example, b.example'],
  ['KELID_LOG_LEVEL', 'loud'],
  ['KELID_ALLOW_RESERVED_TARGETS', 'maybe'],
  ['KELID_PROBES', '1'],
  ['KELID_DATABASE_CONNECTIONS', '1'],
  ['KELID_METRICS_PORT', '1e3'],
  ['KELID_AGENT_PORT', '70000'],
  ['KELID_AGENT_URL', 'http://kelid.example.com:8443'],
])('%s=%s stops the start with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be `))
})

test('a wrong secret is not repeated in the sentence', () => {
  expect(() => readConfig({ KELID_SECRET_KEY: 'hunter2hunter2' })).toThrow(/\(hidden\)/)
})

test('the operations guide lists every variable with its default', async () => {
  const guide = await readFile(join(packageRoot, '../../docs/operations.md'), 'utf8')
  for (const [name, { default: initial, description: says }] of Object.entries(environment))
    expect(guide).toContain(`| \`${name}\` | ${initial === '' ? '(none)' : `\`${initial}\``} | ${says} |`)
})
