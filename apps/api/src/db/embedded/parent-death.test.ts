import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { startEmbedded } from './embedded.ts'
import { bundleProduct, type Product } from './test-product.ts'
import { ask, killProcessesOf, makeTemporary, postmaster, processesOf, stopLater } from './testbed.ts'

let run: Awaited<ReturnType<typeof bundleProduct>>

beforeAll(async () => {
  run = await bundleProduct(makeTemporary())
})

async function killGroup(product: Product): Promise<void> {
  const exited = once(product.process, 'exit')
  process.kill(-Number(product.process.pid), 'SIGKILL')
  await exited
}

describe('a running product', () => {
  const dataDir = join(makeTemporary(), 'data')
  const cluster = join(dataDir, 'postgres')

  test('when killed leaves no process of the database behind', async () => {
    const product = run({ dataDir })
    const connection = JSON.parse(await product.says('ready'))
    await ask(connection, 'CREATE TABLE kept AS SELECT 7 AS n')
    expect(processesOf(cluster).length).toBeGreaterThan(3)
    product.process.kill('SIGKILL')
    await until(() => processesOf(dataDir).length === 0, 'all processes to end', 5_000)
  })

  test('when killed is followed by a start that waits for the former server to go', async () => {
    const product = run({ dataDir })
    await product.says('ready')
    const former = postmaster(cluster)
    process.kill(former.pid, 'SIGSTOP')
    await killGroup(product)

    const progress: string[] = []
    const starting = startEmbedded({ dataDir, onProgress: (line) => progress.push(line) })
    await until(() => progress.includes('Waiting for the former database server to shut down.'))
    process.kill(former.pid, 'SIGCONT')
    const database = await starting
    expect(await ask(database.owner, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
    expect(postmaster(cluster).pid).not.toBe(former.pid)
    await database.stop()
  })

  test('refuses a second process on the folder at once', async () => {
    const product = run({ dataDir })
    await product.says('ready')
    const begin = performance.now()
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      `is in use by process ${product.process.pid}: stop that process first, or set KELID_DATA_DIR`,
    )
    expect(performance.now() - begin).toBeLessThan(5_000)
    expect(processesOf(cluster)).not.toEqual([])
    await killGroup(product)
  })

  test('alone receives Ctrl-C, and the supervisor ignores signals to the process group', async () => {
    const product = run({ dataDir })
    const connection = JSON.parse(await product.says('ready'))
    const { pid, parent } = postmaster(cluster)
    for (const { group } of processesOf(cluster)) expect(group).not.toBe(product.process.pid)

    process.kill(-Number(product.process.pid), 'SIGINT')
    await product.says('interrupted')
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(parent, signal)
    expect(await ask(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(postmaster(cluster)).toMatchObject({ pid, parent })
  })
})

const drafted = (dataDir: string, path: string) => () =>
  existsSync(dataDir) &&
  readdirSync(dataDir).some((n) => n.startsWith('postgres.init-') && existsSync(join(dataDir, n, path)))
const made = (dataDir: string, path: string) => () => existsSync(join(dataDir, path))

test.each([
  ['the draft is made', drafted, '', false],
  ['initdb makes its folders', drafted, 'data/base', true],
  ['the catalogue is written', drafted, 'data/base/1/pg_filenode.map', false],
  ['the catalogue is whole', drafted, 'data/base/4', true],
  ['the database has got its final name', made, 'postgres/PG_VERSION', false],
  ['the server begins', made, 'postgres/postmaster.pid', true],
] as const)(
  'a first start killed when %s leaves nothing half-made',
  async (_, reached, path, killsChildren) => {
    const dataDir = join(makeTemporary(), 'data')
    const product = run({ dataDir })
    await until(reached(dataDir, path))
    await killGroup(product)
    if (killsChildren) await killProcessesOf(dataDir)

    const database = stopLater(await startEmbedded({ dataDir }))
    expect(await ask(database.connection, 'SELECT current_database() AS name')).toEqual([{ name: 'kelid' }])
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.init-'))).toEqual([])
  },
)
