import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildClient } from './built.mjs'

let root
let builds

const write = (name, content) => {
  const file = join(root, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
const build = () => {
  builds += 1
  write('apps/web/dist/index.html', 'the page')
}
const start = () => buildClient(root, build)

const sources = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'node_modules/.package-lock.json',
  'apps/web/build.ts',
  'apps/web/vite.config.ts',
  'apps/web/index.html',
  'apps/web/package.json',
  'apps/web/fonts/roboto-regular.woff2',
  'apps/web/public/icon.svg',
  'apps/web/src/app/shell.tsx',
  'apps/web/src/locales/fa.json',
  'packages/contract/package.json',
  'packages/contract/src/rules.ts',
]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kelid-built-'))
  builds = 0
  for (const name of sources) write(name, `the first ${name}`)
  start()
})
afterEach(() => rmSync(root, { recursive: true }))

test('the first start builds the client; while nothing changes, no other does', () => {
  expect(builds).toBe(1)
  start()
  expect(builds).toBe(1)
})

test.each(sources)('a changed %s builds it again, once', (name) => {
  write(name, `the second ${name}`)
  start()
  start()
  expect(builds).toBe(2)
})

test.each(sources)('%s counts by what is in it and not by its date', (name) => {
  const old = new Date('2001-01-01')
  utimesSync(join(root, name), old, old)
  start()
  expect(builds).toBe(1)
  write(name, `the one before ${name}`)
  utimesSync(join(root, name), old, old)
  start()
  expect(builds).toBe(2)
})

test.each(['apps/web/src/app/shell.tsx', 'apps/web/public/icon.svg', 'packages/contract/src/rules.ts'])(
  'without %s it is built again, and under another name too',
  (name) => {
    renameSync(join(root, name), join(root, `${name}.moved`))
    start()
    expect(builds).toBe(2)
    rmSync(join(root, `${name}.moved`))
    start()
    expect(builds).toBe(3)
  },
)

test('a new file builds it again', () => {
  write('apps/web/src/screens/new-screen.tsx', 'a screen')
  start()
  expect(builds).toBe(2)
})

test.each([
  'apps/web/src/app/shell.test.tsx',
  'packages/contract/src/rules.test.ts',
  'apps/web/test/answers.ts',
  'apps/web/node_modules/vite/index.js',
  'apps/web/dist-server/entry-server.js',
  'apps/api/src/main.ts',
])('%s is no part of the client', (name) => {
  write(name, 'anything')
  start()
  expect(builds).toBe(1)
})

test('a client that was built, changed or half removed by somebody else is built again', () => {
  write('apps/web/dist/index.html', 'the page of another branch')
  start()
  expect(builds).toBe(2)
  rmSync(join(root, 'apps/web/dist'), { recursive: true })
  start()
  expect(builds).toBe(3)
})

test('a build that fails does not count', () => {
  write('apps/web/src/app/shell.tsx', 'nonsense')
  expect(() =>
    buildClient(root, () => {
      throw new Error('nonsense')
    }),
  ).toThrow()
  start()
  expect(builds).toBe(2)
})
