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

/** A data folder whose database is these files, as the account PostgreSQL runs as would own them. */
async function makeCluster(files: Record<string, string>): Promise<string> {
  const dataDir = join(makeTemporary(), 'data')
  const cluster = join(dataDir, 'postgres')
  mkdirSync(cluster, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cluster, name), text)
  const account = await chooseAccount()
  if (account) chownSync(cluster, account.uid, account.gid)
  return dataDir
}

function makePackage(programs: Record<string, string>): string {
  const folder = join(makeTemporary(), 'package')
  mkdirSync(join(folder, 'native/bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "version": "18.4.0-beta.17" }')
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'native/bin', name), text)
    chmodSync(join(folder, 'native/bin', name), 0o755)
  }
  return folder
}

test('data of another major version of PostgreSQL is refused', async () => {
  const dataDir = await makeCluster({ PG_VERSION: '17\n' })
  expect(await refusal(startEmbedded({ dataDir }))).toMatch(
    /written by PostgreSQL 17, and this release brings PostgreSQL 18.*DATABASE_URL/,
  )
})

test('a database without its password file is refused and not touched', async () => {
  const dataDir = await makeCluster({ PG_VERSION: '18\n' })
  expect(await refusal(startEmbedded({ dataDir }))).toMatch(
    /lost its password, the file .*postgres\.password/,
  )
  expect(existsSync(join(dataDir, 'postgres.password'))).toBe(false)
})

test('files that are no database are refused and not touched', async () => {
  const dataDir = await makeCluster({ 'notes.txt': 'mine' })
  expect(await refusal(startEmbedded({ dataDir }))).toMatch(/holds files but no database.*KELID_DATA_DIR/)
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['notes.txt'])
})

test('a system without a package is told about DATABASE_URL', () => {
  expect(() => findPackage('sunos', 'sparc')).toThrow(/sunos-sparc.*DATABASE_URL/)
  expect(() => findPackage('win32', 'x64')).toThrow(EmbeddedUnavailable)
})

test('a system without glibc, where the programs lack their loader, is told about DATABASE_URL', async () => {
  const folder = makePackage({ postgres: '#!/lib64/no-such-loader.so\n' })
  const dataDir = join(dirname(folder), 'data')
  expect(await refusal(startEmbedded({ dataDir, packageDir: folder }))).toMatch(/glibc.*DATABASE_URL/)
})

test('programs that do not run are told with their own words', async () => {
  const folder = makePackage({ postgres: '#!/bin/sh\necho "libicu is missing" >&2\nexit 127\n' })
  const dataDir = join(dirname(folder), 'data')
  expect(await refusal(startEmbedded({ dataDir, packageDir: folder }))).toMatch(
    /libicu is missing.*DATABASE_URL/,
  )
})

test('a failed initdb is told with its own words and leaves no draft', async () => {
  const initdb = '#!/bin/sh\necho "no space left on device" >&2\nexit 1\n'
  const folder = makePackage({ postgres: '#!/bin/sh\n', initdb })
  const dataDir = join(dirname(folder), 'data')
  expect(await refusal(startEmbedded({ dataDir, packageDir: folder }))).toMatch(/code 1.*no space left/)
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
