import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { chooseAccount, isRoot, spawnOptions } from './account.ts'
import { startEmbedded } from './embedded.ts'
import { makeLinks } from './package.ts'
import { startServer } from './server.ts'
import { chooseSocketDir, port, prepareSocketDir } from './socket-dir.ts'
import { ask, cleanUpLater, copyPackage, makeTemporary, stopLater } from './testbed.ts'

interface Link {
  target: string
}

test('links that the installation left out are made, also by several processes at once', async () => {
  const folder = makeTemporary()
  const packageDir = copyPackage(join(folder, 'package'))
  const links: Link[] = JSON.parse(readFileSync(join(packageDir, 'native/pg-symlinks.json'), 'utf8'))
  const removeLinks = () => {
    for (const { target } of links) rmSync(join(packageDir, target), { force: true })
  }
  removeLinks()
  await Promise.all(Array.from({ length: 8 }, () => makeLinks(packageDir)))
  expect(links.every(({ target }) => lstatSync(join(packageDir, target)).isSymbolicLink())).toBe(true)

  removeLinks()
  const database = stopLater(await startEmbedded({ dataDir: join(folder, 'data'), packageDir }))
  expect(await ask(database.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a pid file left by a power cut does not stop the server, even if its number is in use again or it is empty', async () => {
  const dataDir = join(makeTemporary(), 'data')
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  await (await startEmbedded({ dataDir })).stop()
  const stranger = spawn('sleep', ['60'], spawnOptions(await chooseAccount()))
  cleanUpLater(() => stranger.kill())

  for (const text of [`${stranger.pid}\n${dataDir}/postgres\n1700000000\n5432\n\n\n\nready\n`, '']) {
    writeFileSync(pidFile, text)
    await (await startEmbedded({ dataDir })).stop()
  }
})

test('a server that does not stop, such as one in another container on the same folder, is reported', async () => {
  const cluster = makeTemporary()
  const account = await chooseAccount()
  if (account) chownSync(cluster, account.uid, account.gid)
  const holder = spawn('flock', [join(cluster, 'running.lock'), '-c', `touch '${cluster}/held'; sleep 60`], {
    ...spawnOptions(account),
    detached: true,
  })
  cleanUpLater(() => process.kill(-Number(holder.pid)))
  await until(() => existsSync(join(cluster, 'held')))

  const nobody = { onProgress() {}, onLaunch() {} }
  const connection = { host: cluster, port, user: 'kelid', password: '', database: 'kelid' }
  const starting = startServer({ home: cluster, cluster, account }, '/bin/true', connection, nobody, 100)
  await expect(starting).rejects.toThrow(/Another PostgreSQL still runs.*another container.*KELID_DATA_DIR/)
})

test('a socket folder that is a symlink or a file, open to others or somebody else’s is refused', async () => {
  const folder = makeTemporary()
  const account = await chooseAccount()
  const good = join(folder, 'good')
  await prepareSocketDir(good, account)
  await prepareSocketDir(good, account)
  expect(lstatSync(good).mode & 0o777).toBe(0o700)

  symlinkSync(good, join(folder, 'link'))
  await expect(prepareSocketDir(join(folder, 'link'), account)).rejects.toThrow(/not a private folder/)
  writeFileSync(join(folder, 'file'), '', { mode: 0o600 })
  await expect(prepareSocketDir(join(folder, 'file'), account)).rejects.toThrow(/not a private folder/)
  mkdirSync(join(folder, 'open'))
  chmodSync(join(folder, 'open'), 0o755)
  await expect(prepareSocketDir(join(folder, 'open'), account)).rejects.toThrow(/not a private folder/)
  const stranger = { name: 'stranger', uid: 54321, gid: 54321 }
  if (isRoot()) await expect(prepareSocketDir(good, stranger)).rejects.toThrow(/not a private folder/)
})

test('/tmp is used if the path of the temporary folder is too long or not accessible', async () => {
  const folder = makeTemporary()
  const account = await chooseAccount()
  expect(await chooseSocketDir('/data/postgres', account)).toMatch(`${tmpdir()}/kelid-`)
  for (const [name, mode] of [
    ['long'.repeat(25), 0o755],
    ['closed', 0o600],
  ] as const) {
    process.env.TMPDIR = join(folder, name)
    mkdirSync(process.env.TMPDIR)
    chmodSync(process.env.TMPDIR, mode)
    expect(await chooseSocketDir('/data/postgres', account)).toMatch(/^\/tmp\/kelid-[0-9a-f]{12}$/)
  }
})
