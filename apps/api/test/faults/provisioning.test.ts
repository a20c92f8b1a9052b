import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addServer, getHostRuns, getServer, getServerLog } from '@kelid/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownAddress, withoutAnsible } from '../../src/features/provisioning/ansible.fixture.ts'
import { addCore } from '../../src/features/provisioning/core-store.ts'
import { findProgram } from '../../src/features/provisioning/playbook.ts'
import { runningClock } from '../clock.ts'
import { createDatabase, query, type TestDatabase } from '../database.ts'
import { type ProductProcess, startProcess } from '../process.ts'
import { openProduct, type Product } from '../product.ts'
import { sampleServer } from '../sample-hosts.ts'
import { until } from '../until.ts'
import { processesOf } from './process-tree.ts'

const suite = withoutAnsible ? describe.skip : describe

suite(`workers that die over a run${withoutAnsible}`, () => {
  let database: TestDatabase
  let product: Product
  let folder: string
  let mark: string
  let workers: ProductProcess[]
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kelid-dying-'))
    database = await createDatabase()
    product = await openProduct({
      database,
      clock: runningClock(),
      env: { KELID_ALLOW_RESERVED_TARGETS: 'yes' },
    })
    mark = `${3_000 + Math.floor(Math.random() * 1e6)}.75`
    workers = []
    await addCore(join(folder, 'core'), process.execPath, '26.3.27', new Date())
  })
  afterEach(async () => {
    await Promise.all(workers.map((one) => one.kill('SIGKILL')))
    await product.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The real program, but with these tasks instead of the product's, which are not for this machine. */
  function startWorker(task: string): Promise<ProductProcess> {
    const own = mkdtempSync(join(folder, 'bin-'))
    const playbook = join(own, 'play.yml')
    writeFileSync(playbook, `- hosts: target\n  gather_facts: false\n  tasks:\n    - ${task}\n`)
    const program = join(own, 'ansible-playbook')
    writeFileSync(
      program,
      `#!/bin/sh\nexec ${findProgram('ansible-playbook')} "$1" "$2" "$3" "$4" ${playbook}\n`,
    )
    chmodSync(program, 0o755)
    return startProcess({
      KELID_ROLE: 'worker',
      DATABASE_URL: database.url,
      PATH: `${own}:${process.env.PATH}`,
      KELID_AGENT_URL: 'https://nodes.example.com',
      KELID_AGENT_PORT: '0',
      KELID_ALLOW_LOCAL_HOST: 'yes',
      KELID_ALLOW_RESERVED_TARGETS: 'yes',
      KELID_CORE_DIR: join(folder, 'core'),
    }).then((worker) => {
      workers.push(worker)
      return worker
    })
  }
  const addOne = async () => {
    const serverUUID = randomUUID()
    ;(await product.admin.call(addServer, { ...sampleServer(), serverIPV4: ownAddress, serverUUID })).answer()
    return serverUUID
  }
  const hangs = () => `command: sleep ${mark}`
  const hasBegun = () => until(() => processesOf(mark).length > 0, 'the task to begin', 60_000)
  const runFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('kelid-run-'))
  const stateOf = async (serverUUID: string) =>
    (await product.admin.call(getServer, { serverUUID })).answer().serverState

  test('a worker that is killed leaves no program and no secret behind; another one carries the run out', async () => {
    const before = new Set(runFolders())
    const worker = await startWorker(hangs())
    const serverUUID = await addOne()
    await hasBegun()
    expect(runFolders().filter((name) => !before.has(name))).toHaveLength(1)
    await worker.kill('SIGKILL')
    await until(() => processesOf(mark).length === 0, 'nothing to be left of the run', 5_000)
    await until(() => runFolders().every((name) => before.has(name)), 'its folder to be gone', 5_000)
    expect(await stateOf(serverUUID)).toBe('provisioning')
    // As if a minute had passed.
    await query(database.connection, `UPDATE provision_runs SET beat_at = beat_at - interval '2 minutes'`)
    await startWorker('command: "true"')
    await until(async () => (await stateOf(serverUUID)) === 'ready', 'the other one to finish it')
    const { items } = (await product.admin.call(getHostRuns, { hostUUID: serverUUID })).answer()
    expect(items).toMatchObject([{ runState: 'succeeded', runAttempts: 2 }])
  })

  test('a worker that stops in good order ends the run and leaves it for the next; nothing runs on', async () => {
    const worker = await startWorker(hangs())
    const serverUUID = await addOne()
    await hasBegun()
    const asked = performance.now()
    expect(await worker.kill('SIGTERM')).toBe(0)
    expect(performance.now() - asked).toBeLessThan(10_000)
    expect(processesOf(mark)).toEqual([])
    const { items } = (await product.admin.call(getHostRuns, { hostUUID: serverUUID })).answer()
    expect(items).toMatchObject([{ runState: 'queued', runAttempts: 0 }])
    expect((await product.admin.call(getServerLog, { serverUUID })).answer().ansibleLog).toContain(
      'was stopped',
    )
    await startWorker('command: "true"')
    await until(async () => (await stateOf(serverUUID)) === 'ready', 'the next one to finish it')
  })

  test('a host that takes long holds up nobody else, and two workers do each run once', async () => {
    const trace = join(folder, 'trace')
    const slow = randomUUID()
    const task = `shell: "echo {{ kelid.host.uuid }} >> ${trace}; test {{ kelid.host.uuid }} != ${slow} || sleep ${mark}"`
    const others = Array.from({ length: 4 }, () => randomUUID())
    for (const serverUUID of [slow, ...others])
      (await product.admin.call(addServer, { ...sampleServer(), serverUUID })).answer()
    // Not by the calls, which refuse a second server on one machine.
    await product.ctx.db.updateTable('servers').set({ ipv4: ownAddress }).execute()
    await Promise.all([startWorker(task), startWorker(task)])
    await hasBegun()
    await until(
      async () => (await Promise.all(others.map(stateOf))).every((state) => state === 'ready'),
      'the others to be ready',
      90_000,
    )
    expect(readFileSync(trace, 'utf8').trim().split('\n').sort()).toEqual([slow, ...others].sort())
    expect(await stateOf(slow)).toBe('provisioning')
  })
})
