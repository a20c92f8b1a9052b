import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cancelHostRun, getHostRuns, getServer, getServerLog, removeHost } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import { processesOf } from '../../../test/faults/process-tree.ts'
import { runOf } from '../../../test/product.ts'
import { runModule } from '../../../test/real/inbound.ts'
import { until } from '../../../test/until.ts'
import { withoutAnsible, workshopForAllTests } from './ansible.fixture.ts'
import { maintainRuns } from './provision.job.ts'

const suite = withoutAnsible ? describe.skip : describe

/** A task that prints 100 MB in lines. */
const loud = `
import os
from ansible.plugins.action import ActionBase

class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        for _ in range(1600):
            rest = b"0123456789 0123456789 0123456789\\n" * 2000
            while rest:
                rest = rest[os.write(1, rest):]
        return {"changed": True}
`

suite(`runs by the real Ansible${withoutAnsible}`, () => {
  const shop = workshopForAllTests()

  const hostOf = (serverUUID: string) => shop.product.admin.ask(getServer, { serverUUID })
  const logOf = async (serverUUID: string) =>
    (await shop.product.admin.ask(getServerLog, { serverUUID })).ansibleLog
  const runsOf = async (serverUUID: string) =>
    (await shop.product.admin.ask(getHostRuns, { hostUUID: serverUUID })).items
  test('a host on which everything goes well is ready, and its log has what was done', async () => {
    const { serverUUID, run } = await shop.server({ serverName: 'good-1' })
    const playbook = shop.playbook(
      'debug:\n  msg: "set up {{ kelid.server.name }} on {{ kelid.server.port }}"',
    )
    await shop.run(run, { playbook })
    expect(await hostOf(serverUUID)).toMatchObject({ serverState: 'ready' })
    expect(await logOf(serverUUID)).toContain('set up fra1.example.com on 8443')
    expect(await runsOf(serverUUID)).toMatchObject([{ runState: 'succeeded', runAttempts: 1 }])
    await shop.run(run, { playbook })
    expect(await runsOf(serverUUID)).toMatchObject([{ runState: 'succeeded', runAttempts: 1 }])
  })

  test.each([
    ['fail:\n  msg: "KELID:PORT_TAKEN 443 is taken"', 'Another program on the host uses the required port'],
    ['fail:\n  msg: "KELID:NOT_SUPPORTED fedora"', 'neither Debian 12 or 13 nor Ubuntu'],
    ['fail:\n  msg: "KELID:UNKNOWN_VPN_TYPE pigeon needs wings"', 'does not know the VPN type'],
    ['fail:\n  msg: "of no known kind"', 'The task "fail" failed on the host'],
    ['no_such_module:\n  a: b', 'Ansible could not read its instructions'],
    ['command: sh -c "echo No space left on device >&2; exit 1"', 'The disk of the host is full'],
  ])('a run that fails by %j says what to do next', async (task, sentence) => {
    const { serverUUID, run } = await shop.server()
    await shop.run(run, { playbook: shop.playbook(task) })
    expect(await hostOf(serverUUID)).toMatchObject({ serverState: 'failed' })
    const lines = (await logOf(serverUUID)).split('\n')
    expect(lines.at(-1)).toContain(sentence)
    expect(lines.at(-1)).toMatch(/then set the host up again\.$/)
  })

  test('a VPN type that the playbook does not have is refused by name', async () => {
    const vpn = { protocol: 'seeds', transport: 'tcp', security: 'wings', network: 'tcp' }
    const server = { vpn_type: 'pigeon', vpn, tunnel_type: '', port: 1 }
    const checks = { name: 'checks', tasks_from: 'core' }
    await expect(runModule({ server }, 'ansible.builtin.include_role', checks)).rejects.toMatchObject({
      stdout: expect.stringContaining('KELID:UNKNOWN_VPN_TYPE pigeon needs seeds, wings'),
    })
  })

  test('a playbook that never touches the host is no success, although it ends well', async () => {
    const { serverUUID, run } = await shop.server()
    const playbook = shop.playbook('debug:\n  msg: hello')
    writeFileSync(playbook, readFileSync(playbook, 'utf8').replace('hosts: target', 'hosts: nobody'))
    await shop.run(run, { playbook })
    expect((await hostOf(serverUUID)).serverState).toBe('failed')
    expect(await logOf(serverUUID)).toContain('did nothing on the host')
  })

  test('a run that hangs is ended with all it has started when its time is over', async () => {
    const { serverUUID, run } = await shop.server()
    const mark = `${3_000 + Math.floor(Math.random() * 1e6)}.125`
    const playbook = shop.playbook(`name: hang about\nshell: "setsid sleep ${mark} & sleep ${mark}"`)
    await shop.run(run, { playbook, timeLimit: 12_000 })
    expect(processesOf(mark)).toEqual([])
    expect((await hostOf(serverUUID)).serverState).toBe('failed')
    const log = await logOf(serverUUID)
    expect(log).toContain('exceeded its time limit')
    expect(log).toContain('The task "hang about" had begun and may still be running on the host')
  })

  test('a cancelled run ends within two seconds with all its programs', async () => {
    const { serverUUID, run } = await shop.server()
    const mark = `${3_000 + Math.floor(Math.random() * 1e6)}.25`
    const under = shop.run(run, { playbook: shop.playbook(`name: wait\ncommand: sleep ${mark}`) })
    await until(() => processesOf(mark).length > 0, 'the task to begin')
    await shop.product.admin.ask(cancelHostRun, { hostUUID: serverUUID })
    const asked = performance.now()
    await until(() => processesOf(mark).length === 0, 'the programs to end')
    expect(performance.now() - asked).toBeLessThan(2_500)
    await under
    expect(await logOf(serverUUID)).toMatch(/cancelled.*The task "wait" had begun/)
    expect(await runsOf(serverUUID)).toMatchObject([{ runState: 'cancelled' }])
    expect((await hostOf(serverUUID)).serverState).toBe('failed')
  })

  test('a run delivered twice and to two workers is carried out once; a newer one waits for its turn', async () => {
    const { serverUUID, run } = await shop.server()
    const marks = `${shop.folder}/marks-${run}`
    const playbook = shop.playbook(`shell: "echo once >> ${marks}; sleep 1"`)
    await Promise.all(Array.from({ length: 6 }, () => shop.run(run, { playbook })))
    expect(readFileSync(marks, 'utf8')).toBe('once\n')
    expect(await runsOf(serverUUID)).toMatchObject([{ runState: 'succeeded', runAttempts: 1 }])
  })

  test('a run whose worker is silent is taken over, and given up after the third', async () => {
    const { serverUUID, run } = await shop.server()
    const { ctx, clock } = shop.product
    const hang = () =>
      shop.product.sql(
        `UPDATE provision_runs SET state = 'running', started_at = $2, beat_at = $2, attempts = attempts + 1
         WHERE uuid = $1`,
        run,
        clock.now(),
      )
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await hang()
      expect(await maintainRuns(ctx)).toMatchObject({ resent: 0, givenUp: 0 })
      clock.advance(61_000)
      expect(await maintainRuns(ctx)).toMatchObject({ resent: 1, givenUp: 0 })
    }
    await hang()
    clock.advance(61_000)
    expect(await maintainRuns(ctx)).toMatchObject({ resent: 0, givenUp: 1 })
    expect(await runsOf(serverUUID)).toMatchObject([{ runState: 'failed', runAttempts: 3 }])
    expect((await hostOf(serverUUID)).serverState).toBe('failed')
    expect(await logOf(serverUUID)).toContain('lost three times')
  })

  test('100 MB of output neither fill the log nor the memory, and the API answers meanwhile', async () => {
    const { serverUUID, run } = await shop.server()
    mkdirSync(`${shop.folder}/action_plugins`)
    writeFileSync(`${shop.folder}/action_plugins/loud.py`, loud)
    const playbook = shop.playbook('loud:')
    const before = process.memoryUsage().rss
    let peak = 0
    let isOver = false
    const under = shop.run(run, { playbook }).finally(() => {
      isOver = true
    })
    let slowest = 0
    while (!isOver) {
      const asked = performance.now()
      await hostOf(serverUUID)
      slowest = Math.max(slowest, performance.now() - asked)
      peak = Math.max(peak, process.memoryUsage().rss)
      await sleep(20)
    }
    await under
    const log = await logOf(serverUUID)
    expect(log.length).toBeLessThan(1_100_000)
    expect(log).toContain('[the log is longer than is kept]')
    expect(peak - before).toBeLessThan(200 * 1_048_576)
    expect(slowest).toBeLessThan(2_000)
    expect((await hostOf(serverUUID)).serverState).toBe('ready')
  })

  test('a removed host is cleaned if it was ever reached, and its stored access is deleted then', async () => {
    const alone = { serverIPV4: '127.0.0.1', serverSSHPassword: 'canary-of-the-removed' }
    const { serverUUID, run } = await shop.server(alone)
    await shop.run(run, { playbook: shop.playbook('command: "true"') })
    shop.product.clock.advance(1_000)
    await shop.product.admin.ask(removeHost, { hostUUID: serverUUID })
    const { uuid } = await runOf(shop.product, serverUUID)
    const trace = `${shop.folder}/cleaned`
    await shop.run(uuid, {
      playbook: shop.playbook(
        `copy:\n  dest: ${trace}\n  content: "{{ kelid.purpose }} {{ kelid.host.uuid }}"`,
      ),
    })
    expect(readFileSync(trace, 'utf8')).toBe(`clean ${serverUUID}`)
    expect(await shop.product.row('provision_runs', uuid)).toMatchObject({
      ...{ purpose: 'clean', state: 'succeeded', last_words: null, beat_at: null },
    })
  })
})
