import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { chooseAccount, isRoot } from './account.ts'
import { attachEmbedded, startEmbedded } from './embedded.ts'
import { bundleProduct } from './test-product.ts'
import { ask, asNobody, cleanUpLater, copyPackage, makeTemporary, processesOf, stopLater } from './testbed.ts'

function uidsIn(folder: string): number[] {
  return [...new Set(processesOf(folder).map(({ uid }) => uid))]
}

function makeFolder(path: string, mode: number): string {
  mkdirSync(path)
  chmodSync(path, mode)
  return path
}

describe.skipIf(!isRoot())('as root', () => {
  test('PostgreSQL runs as postgres or nobody, and that user cannot write beside its own data', async () => {
    const dataDir = join(makeTemporary(), 'data')
    const account = await chooseAccount()
    stopLater(await startEmbedded({ dataDir }))
    expect(['postgres', 'nobody']).toContain(account?.name)
    expect(uidsIn(dataDir)).toEqual([account?.uid])
    expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o040711 })
  })

  test('programs its user cannot read are copied beside the data, once, and older copies go', async () => {
    const folder = makeTemporary()
    const packageDir = copyPackage(join(makeFolder(join(folder, 'private'), 0o700), 'package'))
    spawnSync('chmod', ['-R', 'go-rwx', packageDir])
    const dataDir = makeFolder(join(folder, 'data'), 0o755)
    mkdirSync(join(dataDir, 'postgres-bin-17.0.0'))
    const copy = join(dataDir, 'postgres-bin-18.4.0-beta.17')
    mkdirSync(`${copy}.draft`)
    writeFileSync(join(`${copy}.draft`, 'half'), 'of a copy')

    const progress: string[] = []
    const start = () => startEmbedded({ dataDir, packageDir, onProgress: (line) => progress.push(line) })
    await (await start()).stop()
    stopLater(await start())
    expect(progress.filter((line) => line === `Copying PostgreSQL's programs to ${copy}.`)).toHaveLength(1)
    expect(existsSync(join(copy, 'half')) || existsSync(`${copy}.draft`)).toBe(false)
    expect(existsSync(join(dataDir, 'postgres-bin-17.0.0'))).toBe(false)
  })

  test('a data folder that its user cannot reach keeps a pointer to the database', async () => {
    const folder = makeTemporary()
    const closed = makeFolder(join(folder, 'closed'), 0o700)
    const dataDir = makeFolder(join(closed, 'data'), 0o750)
    const elsewhere = join(folder, 'elsewhere')
    const progress: string[] = []
    const first = await startEmbedded({ dataDir, elsewhere, onProgress: (line) => progress.push(line) })
    await ask(first.owner, 'CREATE TABLE kept AS SELECT 7 AS n')
    expect(await attachEmbedded(dataDir)).toEqual({ connection: first.connection, owner: first.owner })
    await first.stop()

    const pointer = readFileSync(join(dataDir, 'postgres-is-elsewhere.txt'), 'utf8')
    const [home = ''] = pointer.split('\n')
    expect(home).toMatch(new RegExp(`^${elsewhere}/[0-9a-f]{12}$`))
    expect(progress[0]).toContain(`The database is kept in ${home}`)
    expect([closed, dataDir].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o750])

    for (const path of [closed, dataDir]) chmodSync(path, 0o755)
    const second = await startEmbedded({ dataDir, elsewhere })
    expect(await ask(second.owner, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
    await second.stop()

    rmSync(home, { recursive: true })
    await expect(startEmbedded({ dataDir, elsewhere })).rejects.toThrow(
      /database is missing.*Bring that folder back/,
    )
  })

  test('a database keeps its owner, but root is no owner', async () => {
    const dataDir = join(makeTemporary(), 'data')
    await (await startEmbedded({ dataDir })).stop()
    spawnSync('chown', ['-R', `${asNobody.uid}:${asNobody.gid}`, join(dataDir, 'postgres')])
    const database = await startEmbedded({ dataDir })
    expect(uidsIn(dataDir)).toEqual([asNobody.uid])
    await database.stop()
    chownSync(join(dataDir, 'postgres'), 0, 0)
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/belongs to root.*chown/)
  })
})

const canRunNode = isRoot() && spawnSync(process.execPath, ['--version'], asNobody).status === 0

describe.skipIf(!canRunNode)('as another user than root', () => {
  let run: Awaited<ReturnType<typeof bundleProduct>>

  beforeAll(async () => {
    run = await bundleProduct(makeTemporary(), true)
  })

  function makeOwn(): string {
    const folder = makeTemporary()
    chownSync(folder, asNobody.uid, asNobody.gid)
    return folder
  }

  test('PostgreSQL runs as that user, who need not be able to write in TMPDIR', async () => {
    const dataDir = join(makeOwn(), 'data')
    process.env.TMPDIR = makeTemporary()
    const { host } = JSON.parse(await run({ dataDir }, asNobody).says('ready'))
    cleanUpLater(() => rmSync(host, { recursive: true, force: true }))
    expect(host).toMatch(/^\/tmp\/kelid-/)
    expect(uidsIn(dataDir)).toEqual([asNobody.uid])
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test('links that cannot be made in the package are made in a copy', async () => {
    const packageDir = copyPackage(join(makeTemporary(), 'package'))
    const dataDir = join(makeOwn(), 'data')
    rmSync(join(packageDir, 'native/lib/libicuuc.so.60'))
    const product = run({ dataDir, packageDir }, asNobody)
    await product.says('ready')
    expect(await product.says('progress Copying')).toContain(dataDir)
    expect(existsSync(join(packageDir, 'native/lib/libicuuc.so.60'))).toBe(false)
  })

  test('a folder of another user is refused with a clear message', async () => {
    const dataDir = makeFolder(join(makeTemporary(), 'data'), 0o755)
    expect(await run({ dataDir }, asNobody).says('failed EmbeddedUnavailable')).toMatch(
      /cannot be used.*KELID_DATA_DIR/,
    )
  })
})
