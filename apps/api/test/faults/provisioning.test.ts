import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addServer, getHostRuns, getServer, getServerLog } from '@kelid/contract'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownAddress, withoutAnsible } from '../../src/features/provisioning/ansible.fixture.ts'
import { addCore } from '../../src/features/provisioning/core-store.ts'
import { findProgram } from '../../src/features/provisioning/playbook.ts'
import { runningClock } from '../clock.ts'
import { createDatabase } from '../database.ts'
import { folderForAllTests, openForEachTest } from '../hooks.ts'
import { type ProductProcess, startProcess } from '../process.ts'
import { productForEachTest } from '../product.ts'
import { sampleServer } from '../sample-hosts.ts'
import { until } from '../until.ts'
import { processesOf } from './process-tree.ts'

const suite = withoutAnsible ? describe.skip : describe

suite(`workers that die over a run${withoutAnsible}`, () => {
  const folder = folderForAllTests()
  const database = openForEachTest(createDatabase)
  const product = productForEachTest(() => ({
    ...{ database, clock: runningClock(), env: { KELID_ALLOW_RESERVED_TARGETS: 'yes' } },
  }))
  let mark: string
  let workers: ProductProcess[]
  /** Other tests have runs at the same time, with folders of theirs. */
  let temporary: string
  beforeAll(async () => {
    temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    await addCore(join(folder, 'core'), process.execPath, '26.3.27', new Date())
  })
  beforeEach(() => {
    mark = `${3_000 + Math.floor(Math.random() * 1e6)}.75`
    workers = []
  })
  afterEach(() => Promise.all(workers.map((one) => one.kill('SIGKILL'))))

  /** The real program, but with these tasks instead of the product's, which are not for this machine. */
  async function startWorker(task: string): Promise<ProductProcess> {
    const own = mkdtempSync(join(folder, 'bin-'))
    const playbook = join(own, 'play.yml')
    writeFileSync(playbook, `- hosts: target\n  gather_facts: false\n  tasks:\n    - ${task}\n`)
    const program = join(own, 'ansible-playbook')
    const script = `#!/bin/sh\nexec ${findProgram('ansible-playbook')} "$1" "$2" "$3" "$4" ${playbook}\n`
    writeFileSync(program, script, { mode: 0o755 })
    const worker = await startProcess({
      KELID_ROLE: 'worker',
      DATABASE_URL: database.url,
      PATH: `${own}:${process.env.PATH}`,
      TMPDIR: temporary,
      KELID_AGENT_URL: 'https://nodes.example.com',
      KELID_AGENT_PORT: '0',
      KELID_ALLOW_LOCAL_HOST: 'yes',
      KELID_ALLOW_RESERVED_TARGETS: 'yes',
      KELID_CORE_DIR: join(folder, 'core'),
    })
    workers.push(worker)
    return worker
  }
  const addOne = async () => {
    const serverUUID = randomUUID()
    await product.admin.ask(addServer, { ...sampleServer(), serverIPV4: ownAddress, serverUUID })
    return serverUUID
  }
  const hangs = () => `command: sleep ${mark}`
  const hasBegun = () => until(() => processesOf(mark).length > 0, 'the task to begin', 60_000)
  const runFolders = () => readdirSync(temporary).filter((name) => name.startsWith('kelid-run-'))
  const stateOf = async (serverUUID: string) =>
    (await product.admin.ask(getServer, { serverUUID })).serverState

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
    await product.sql(`UPDATE provision_runs SET beat_at = beat_at - interval '2 minutes'`)
    await startWorker('command: "true"')
    await until(async () => (await stateOf(serverUUID)) === 'ready', 'the other one to finish it')
    const { items } = await product.admin.ask(getHostRuns, { hostUUID: serverUUID })
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
    const { items } = await product.admin.ask(getHostRuns, { hostUUID: serverUUID })
    expect(items).toMatchObject([{ runState: 'queued', runAttempts: 0 }])
    expect((await product.admin.ask(getServerLog, { serverUUID })).ansibleLog).toContain('was stopped')
    await startWorker('command: "true"')
    await until(async () => (await stateOf(serverUUID)) === 'ready', 'the next one to finish it')
  })

  test('a slow host delays no other, and two workers execute each run once', async () => {
    const trace = join(folder, 'trace')
    const slow = randomUUID()
    const task = `shell: "echo {{ kelid.host.uuid }} >> ${trace}; test {{ kelid.host.uuid }} != ${slow} || sleep ${mark}"`
    const others = Array.from({ length: 4 }, () => randomUUID())
    for (const serverUUID of [slow, ...others])
      await product.admin.ask(addServer, { ...sampleServer(), serverUUID })
    // Not by the calls, which refuse a second server on one machine.
    await product.sql('UPDATE servers SET ipv4 = $1', ownAddress)
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
