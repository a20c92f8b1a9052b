import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseAccount } from './account.ts'
import { attachEmbedded, EmbeddedUnavailable, startEmbedded } from './embedded.ts'
import { acquireLock } from './lock.ts'
import { findPackage } from './package.ts'
import { makeTemporary } from './testbed.ts'

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => null,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(EmbeddedUnavailable)
  return error.message
}

/** A data folder whose database is this file, owned by the account PostgreSQL runs as. */
async function makeCluster(name: string, text: string): Promise<string> {
  const dataDir = join(makeTemporary(), 'data')
  const cluster = join(dataDir, 'postgres')
  mkdirSync(cluster, { recursive: true })
  writeFileSync(join(cluster, name), text)
  const account = await chooseAccount()
  if (account) chownSync(cluster, account.uid, account.gid)
  return dataDir
}

function makePackage(programs: { postgres: string; initdb?: string }): string {
  const folder = join(makeTemporary(), 'package')
  mkdirSync(join(folder, 'native/bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "version": "18.4.0-beta.17" }')
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'native/bin', name), text)
    chmodSync(join(folder, 'native/bin', name), 0o755)
  }
  return folder
}

test.each([
  ['data of another major version', 'PG_VERSION', '17\n', /PostgreSQL 17, and this.* 18.*DATABASE_URL/],
  ['a database without its password file', 'PG_VERSION', '18\n', /lost its password, the file .*\.password/],
  ['files that are no database', 'notes.txt', 'mine', /holds files but no database.*KELID_DATA_DIR/],
])('%s is refused and not touched', async (_, name, text, sentence) => {
  const dataDir = await makeCluster(name, text)
  expect(await refusal(startEmbedded({ dataDir }))).toMatch(sentence)
  expect(existsSync(join(dataDir, 'postgres.password'))).toBe(false)
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual([name])
})

test('a system without a package gets a hint about DATABASE_URL', () => {
  expect(() => findPackage('sunos', 'sparc')).toThrow(/sunos-sparc.*DATABASE_URL/)
  expect(() => findPackage('win32', 'x64')).toThrow(EmbeddedUnavailable)
})

const works = '#!/bin/sh\n'
const failing = (words: string, code: number) => `#!/bin/sh\necho "${words}" >&2\nexit ${code}\n`

test.each([
  ['a system without glibc', { postgres: '#!/lib64/no-such-loader.so\n' }, /glibc.*DATABASE_URL/],
  ['programs that do not run', { postgres: failing('libicu is missing', 127) }, /libicu.*DATABASE_URL/],
  ['a failed initdb', { postgres: works, initdb: failing('no space left', 1) }, /code 1.*no space left/],
])('%s is reported in a sentence and leaves no half-made database', async (_, programs, sentence) => {
  const packageDir = makePackage(programs)
  const dataDir = join(dirname(packageDir), 'data')
  expect(await refusal(startEmbedded({ dataDir, packageDir }))).toMatch(sentence)
  expect(readdirSync(dataDir).filter((name) => /init|^postgres$/.test(name))).toEqual([])
})

test('a data folder that is a file is refused in plain words', async () => {
  const file = join(makeTemporary(), 'file')
  writeFileSync(file, '')
  expect(await refusal(startEmbedded({ dataDir: file }))).toMatch(/cannot be used.*KELID_DATA_DIR/)
})

test('attaching to a server whose socket cannot be seen from here says so', async () => {
  const dataDir = makeTemporary()
  const lock = await acquireLock(dataDir, '/nonexistent/socket')
  expect(await refusal(attachEmbedded(dataDir))).toMatch(/does not answer here.*same container/)
  await lock.release()
  expect(await attachEmbedded(dataDir)).toBeNull()
})
