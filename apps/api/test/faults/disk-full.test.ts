import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getUserAccounts, getUserCredit, newAccount } from '@kelid/contract'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { callAt } from '../calls.ts'
import { openForAllTests } from '../hooks.ts'
import { directAccount } from '../sample-hosts.ts'
import { until } from '../until.ts'
import { ownDatabase, productOn } from './own-database.ts'
import { killProcessesOf } from './process-tree.ts'
import { isReady } from './remote.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'kelid-full-'))
chmodSync(folder, 0o755)

function mountSmallDisk(): string | null {
  if (process.getuid?.() !== 0) return 'only root can mount a small disk'
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', folder], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `a small disk cannot be mounted here: ${(error as Error).message}`
  }
}

const obstacle = mountSmallDisk()
if (obstacle) rmdirSync(folder)

describe.skipIf(obstacle !== null)(`disk full${obstacle ? ` (left out: ${obstacle})` : ''}`, () => {
  const dataDir = join(folder, 'data')
  const ballast = join(folder, 'ballast')
  afterAll(async () => {
    await killProcessesOf(dataDir)
    execFileSync('umount', [folder])
    rmdirSync(folder)
  })
  const database = openForAllTests(() => ownDatabase(dataDir))
  const product = openForAllTests(() => productOn(database))

  /** To the last byte. The log of transactions gets a fresh file first, or the database itself would give up. */
  async function fill(): Promise<void> {
    await database.ask('SELECT pg_switch_wal()')
    await database.ask('CHECKPOINT')
    const file = openSync(ballast, 'a')
    for (let size = 1 << 20; size > 0; )
      try {
        writeSync(file, Buffer.alloc(size))
      } catch {
        size >>= 1
      }
    closeSync(file)
  }

  test('writes are refused while the disk is full, reads continue, and writes work again once there is space', async () => {
    const call = callAt(product.url, product.token)
    const acknowledged: string[] = []
    const buy = async () => {
      const accountName = `full_${acknowledged.length}`
      const reply = await call(newAccount, { ...directAccount, accountName, accountDuration: 1 })
      if (reply.status === 200) acknowledged.push(accountName)
      return reply
    }
    for (let number = 0; number < 20; number += 1) expect((await buy()).status).toBe(200)
    let refused = 0
    for (let number = 0; number < 2_000 && refused < 20; number += 1) {
      // The database may have let go of old log files meanwhile.
      if (refused === 0 && number % 100 === 0) await fill()
      const { status, errorType } = await buy()
      if (status === 200) continue
      expect([status, errorType]).toEqual([503, 'UNAVAILABLE'])
      refused += 1
      expect((await call(getUserCredit, {})).status).toBe(200)
      expect((await call(getUserAccounts, {})).answer().items).toHaveLength(acknowledged.length)
    }
    expect(refused).toBe(20)
    expect(await isReady(product.url)).toBe(true)

    rmSync(ballast)
    const startedAt = Date.now()
    await until(async () => (await buy()).status === 200, 'writing to work again')
    console.log(
      `disk full: ${refused} writes refused, selling again ${Date.now() - startedAt} ms after space was made`,
    )
    for (let number = 0; number < 20; number += 1) expect((await buy()).status).toBe(200)
    expect(product.child.exitCode).toBe(null)
    await database.expectExactly(acknowledged)
  })
})
