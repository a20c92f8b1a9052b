import { randomUUID } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  addServer,
  addTunnel,
  cancelHostRun,
  getHostPrograms,
  getMachineRuns,
  getUpgrades,
  type Programs,
  provisionServer,
  startRollout,
  stopRollout,
  upgradeHost,
} from '@kelid/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { runOf } from '../../../test/product.ts'
import { sampleServer, sampleTunnel, unusedAddress } from '../../../test/sample-hosts.ts'
import { type PerProcessor, thisProcessor } from '../../lib/processor.ts'
import { installedCores } from '../hosts/programs.ts'
import { useStandIn } from '../provisioning/ansible.fixture.ts'
import { addCore, coreDirOf, coreInUse } from '../provisioning/core-store.ts'
import { maintainRuns } from '../provisioning/provision.job.ts'
import { batchSize } from './rollout.ts'

/** Each test has a product of its own, because a core that is added is the newest for all hosts. */
function useShop() {
  const own = useStandIn()
  beforeAll(() => {
    current = own
  })
}
let current: ReturnType<typeof useStandIn>
const shop = () => current.shop
const ask = ((call: never, body: never) => shop().product.admin.ask(call, body)) as ReturnType<
  typeof useStandIn
>['shop']['product']['admin']['ask']
const refusal = ((call: never, body: never) => shop().product.admin.refusal(call, body)) as ReturnType<
  typeof useStandIn
>['shop']['product']['admin']['refusal']

const failing = { playbook: '/nowhere.yml' }

/** Runs what is queued for the host; fails it unless Ansible is to be asked. */
async function settle(uuid: string, how = {}) {
  const queued = `SELECT uuid FROM provision_runs WHERE subject_uuid = $1 AND state = 'queued'`
  const runs = await shop().product.sql(queued, uuid)
  for (const run of runs) await shop().run(run.uuid, how)
  await shop().product.job('rollout')
  return runs.length
}

let cores = 0
/** What `core add` does. */
async function addNewCore(): Promise<string> {
  cores += 1
  const file = join(shop().folder, `core-${cores}`)
  writeFileSync(file, `core ${cores}`)
  chmodSync(file, 0o755)
  shop().product.clock.advance(1_000)
  return (await addCore(join(shop().folder, 'core'), file, `27.0.${cores}`, new Date())).sha256
}

async function servers(count: number): Promise<string[]> {
  const uuids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const { serverUUID } = await shop().server({ serverName: `host-${at}`, serverIPV4: unusedAddress() })
    await settle(serverUUID)
    uuids.push(serverUUID)
  }
  return uuids
}

const hosts = async () => (await ask(getHostPrograms, { limit: 100 })).items
const hostOf = async (uuid: string) => {
  const host = (await hosts()).find(({ hostUUID }) => hostUUID === uuid)
  if (!host) throw new Error('the host is not in the list')
  return host
}
const statesOf = async () => (await hosts()).map(({ upgradeState }) => upgradeState)
const coreSentTo = (uuid: string) =>
  (current.ansible.description(uuid) as { programs: PerProcessor<Programs> }).programs[thisProcessor]?.core
    .sha256

describe('a core that is added', () => {
  useShop()
  test('changes nothing that runs: upkeep installs what the host wants, until an administrator upgrades it', async () => {
    const [uuid = ''] = await servers(1)
    const first = coreSentTo(uuid)
    expect(await hostOf(uuid)).toMatchObject({
      upgradeState: 'current',
      hostKind: 'server',
      failedUpgrade: null,
    })
    const second = await addNewCore()
    expect((await ask(getUpgrades, {})).newestPrograms?.core).toEqual({ version: '27.0.1', sha256: second })
    expect(await hostOf(uuid)).toMatchObject({ upgradeState: 'outdated' })
    await ask(provisionServer, { serverUUID: uuid })
    await settle(uuid)
    expect(coreSentTo(uuid)).toBe(first)

    const { ctx } = shop().product
    const probe = await coreInUse(coreDirOf(ctx.config), await installedCores(ctx.db))
    expect(probe, 'the control plane probes with what hosts run').toMatchObject({ sha256: first })

    const { serverUUID: late } = await shop().server()
    await settle(late)
    expect(coreSentTo(late), 'a new host gets the newest').toBe(second)

    shop().product.clock.advance(1_000)
    await ask(upgradeHost, { hostUUID: uuid })
    expect(await hostOf(uuid)).toMatchObject({
      upgradeState: 'waiting',
      hostState: 'ready',
      wantedPrograms: { core: { sha256: second } },
      installedPrograms: { core: { sha256: first } },
    })
    expect(await shop().product.lastAudit()).toMatchObject({
      auditAction: 'upgradeserver',
      auditSubject: uuid,
      auditDetail: { core: '27.0.1' },
    })
    await settle(uuid)
    expect(coreSentTo(uuid)).toBe(second)
    expect(await hostOf(uuid)).toMatchObject({ upgradeState: 'current' })
    expect(await refusal(upgradeHost, { hostUUID: uuid })).toBe('UP_TO_DATE')
  })

  test('an upgrade that fails sets back what the host wants, and the next run restores it', async () => {
    const [uuid = ''] = await servers(1)
    const before = coreSentTo(uuid)
    await addNewCore()
    await ask(upgradeHost, { hostUUID: uuid })
    await settle(uuid, failing)
    const host = await hostOf(uuid)
    expect(host).toMatchObject({
      upgradeState: 'failed',
      hostState: 'ready',
      wantedPrograms: { core: { sha256: before } },
      failedUpgrade: {
        runUUID: (await runOf(shop().product, uuid)).uuid,
        lastLine: expect.stringContaining('Install the complete release'),
      },
    })
    shop().product.clock.advance(60_000)
    expect(await maintainRuns(shop().product.ctx)).toMatchObject({ retried: 1 })
    await settle(uuid)
    expect(coreSentTo(uuid)).toBe(before)
    expect(await hostOf(uuid), 'it is shown until the next upgrade').toMatchObject({ upgradeState: 'failed' })
    await ask(upgradeHost, { hostUUID: uuid })
    await settle(uuid)
    expect(await hostOf(uuid)).toMatchObject({ upgradeState: 'current', failedUpgrade: null })
  })

  test('a cancelled upgrade is given up as well', async () => {
    const [uuid = ''] = await servers(1)
    await addNewCore()
    await ask(upgradeHost, { hostUUID: uuid })
    await ask(cancelHostRun, { hostUUID: uuid })
    const { wantedPrograms, installedPrograms, upgradeState } = await hostOf(uuid)
    expect(wantedPrograms).toEqual(installedPrograms)
    expect(upgradeState).toBe('failed')
  })

  test('two administrators who upgrade a host at once queue one run; no other host is found', async () => {
    const [uuid = ''] = await servers(1)
    await addNewCore()
    const other = await shop().product.person({ level: 6 })
    await Promise.all([ask(upgradeHost, { hostUUID: uuid }), other.ask(upgradeHost, { hostUUID: uuid })])
    expect(await settle(uuid)).toBe(1)
    expect(await refusal(upgradeHost, { hostUUID: randomUUID() })).toBe('RESOURCE_NOT_FOUND')
  })

  test('a host of an earlier release keeps what it runs until it is upgraded', async () => {
    const [uuid = ''] = await servers(1)
    const unknown = { wanted_programs: null, installed_programs: null }
    await shop().product.setRow('servers', uuid, unknown)
    shop().product.clock.advance(1_000)
    await ask(provisionServer, { serverUUID: uuid })
    await settle(uuid)
    expect(current.ansible.description(uuid)).toMatchObject({ keeps_programs: true })
    expect(await hostOf(uuid)).toMatchObject({ upgradeState: 'unknown', installedPrograms: null })
    await ask(upgradeHost, { hostUUID: uuid })
    await settle(uuid, failing)
    expect(await hostOf(uuid)).toMatchObject({ upgradeState: 'failed', wantedPrograms: null })
    await ask(upgradeHost, { hostUUID: uuid })
    await settle(uuid)
    expect(current.ansible.description(uuid)).toMatchObject({ keeps_programs: false })
    expect(await hostOf(uuid)).toMatchObject({ upgradeState: 'current' })
  })
})

describe('an upgrade of all hosts', () => {
  useShop()
  const rolloutOf = async () => (await ask(getUpgrades, {})).rollout

  test('begins after one host, goes in batches, and ends when all run the newest', async () => {
    const uuids = await servers(batchSize + 3)
    expect(await ask(getUpgrades, {})).toMatchObject({ currentHosts: 8, outdatedHosts: 0, rollout: null })
    expect(await refusal(startRollout, {})).toBe('UP_TO_DATE')
    await addNewCore()
    expect(await refusal(startRollout, {})).toBe('UPGRADE_ONE_FIRST')
    const [one = ''] = uuids
    await ask(upgradeHost, { hostUUID: one })
    expect(await refusal(startRollout, {}), 'its run has not succeeded').toBe('UPGRADE_ONE_FIRST')
    await settle(one)
    expect(await refusal(stopRollout, {})).toBe('NOTHING_RUNS')
    const other = await shop().product.person({ level: 6 })
    await Promise.all([ask(startRollout, {}), other.ask(startRollout, {})])
    expect(await rolloutOf()).toMatchObject({ rolloutState: 'running', failedHost: null })
    const waiting = async () =>
      (await hosts()).filter(({ upgradeState }) => upgradeState === 'waiting').map(({ hostUUID }) => hostUUID)
    const batch = await waiting()
    expect(batch).toHaveLength(batchSize)
    for (const uuid of batch.slice(1)) await settle(uuid)
    expect(await waiting(), 'the next batch waits for the last host of this one').toEqual(batch.slice(0, 1))
    await settle(batch[0] ?? '')
    const rest = await waiting()
    expect(rest).toHaveLength(2)
    for (const uuid of rest) await settle(uuid)
    expect(await rolloutOf()).toMatchObject({
      rolloutState: 'succeeded',
      rolloutFinishedDate: expect.any(String),
    })
    expect(new Set(await statesOf())).toEqual(new Set(['current']))
    for (const uuid of uuids) expect((await runOf(shop().product, uuid)).state).toBe('succeeded')
  })

  test('stops at the first failure, names the host, and hosts whose run has not begun keep what they run', async () => {
    await addNewCore()
    const [one = ''] = (await hosts()).map(({ hostUUID }) => hostUUID)
    await ask(upgradeHost, { hostUUID: one })
    await settle(one)
    await ask(startRollout, {})
    const batch = (await hosts()).filter(({ upgradeState }) => upgradeState === 'waiting')
    const [bad, ...others] = batch
    await settle(bad?.hostUUID ?? '', failing)
    expect(await rolloutOf()).toMatchObject({
      rolloutState: 'failed',
      failedHost: {
        hostUUID: bad?.hostUUID,
        hostName: bad?.hostName,
        lastLine: expect.stringContaining('release'),
      },
    })
    for (const { hostUUID } of others) {
      expect(await hostOf(hostUUID)).toMatchObject({ upgradeState: 'outdated' })
      await settle(hostUUID)
      expect(await hostOf(hostUUID)).toMatchObject({ upgradeState: 'outdated' })
    }
    expect(await ask(getUpgrades, {})).toMatchObject({ currentHosts: 1, outdatedHosts: 7 })
  })

  test('can be stopped, and leaves hosts alone that were set up by hand', async () => {
    const byHand = await shop().product.server()
    shop().product.clock.advance(1_000)
    await ask(startRollout, {})
    expect(await hostOf(byHand)).toMatchObject({ upgradeState: 'unknown', wantedPrograms: null })
    await ask(stopRollout, {})
    expect(await rolloutOf()).toMatchObject({ rolloutState: 'stopped' })
    expect(await statesOf()).not.toContain('waiting')
    await shop().product.job('rollout')
    expect(await statesOf()).not.toContain('waiting')
  })
})

describe('hosts of one machine', () => {
  useShop()
  const addressOf = new Map<string, string>()
  /** Two servers and a tunnel at one address, provisioned. */
  async function machine() {
    const ipv4 = unusedAddress()
    const [first, second, tunnel] = [randomUUID(), randomUUID(), randomUUID()]
    const server = { ...sampleServer(), serverIPV4: ipv4, serverName: 'm-1' }
    await ask(addServer, { ...server, serverUUID: first })
    await ask(addServer, { ...server, serverUUID: second, serverPort: 9443, serverName: 'm-1-b' })
    await ask(addTunnel, { ...sampleTunnel(), tunnelUUID: tunnel, tunnelIPV4: ipv4 })
    const uuids = [first, second, tunnel]
    for (const uuid of uuids) addressOf.set(uuid, ipv4)
    for (const uuid of uuids) await settle(uuid)
    return { ipv4, first, second, tunnel, uuids }
  }
  const stateOf = async (uuid: string) => (await hostOf(uuid)).upgradeState
  const waiting = async () => (await hosts()).filter(({ upgradeState }) => upgradeState === 'waiting')

  test('are upgraded together, and the rest only after all of them', async () => {
    const { ipv4, first, second, tunnel, uuids } = await machine()
    const other = await machine()
    await addNewCore()
    await ask(upgradeHost, { hostUUID: second })
    const of = (await ask(getHostPrograms, { machineIPV4: ipv4 })).items
    expect(of.map(({ hostUUID, upgradeState }) => [hostUUID, upgradeState]).sort()).toEqual(
      uuids.map((uuid) => [uuid, 'waiting']).sort(),
    )
    for (const uuid of other.uuids) expect(await stateOf(uuid)).toBe('outdated')
    for (const uuid of [tunnel, second]) await settle(uuid)
    expect(await ask(getUpgrades, {})).toMatchObject({ currentHosts: 2, currentMachines: 0 })
    expect(await refusal(startRollout, {}), 'one service of the machine waits').toBe('UPGRADE_ONE_FIRST')
    await settle(first)
    expect(await ask(getUpgrades, {})).toMatchObject({
      currentHosts: 3,
      currentMachines: 1,
      outdatedHosts: 3,
    })
    expect(await refusal(upgradeHost, { hostUUID: first })).toBe('UP_TO_DATE')
    await ask(startRollout, {})
    expect((await waiting()).map(({ hostUUID }) => hostUUID).sort()).toEqual([...other.uuids].sort())
    for (const uuid of [other.tunnel, other.first, other.second]) await settle(uuid)
    expect((await ask(getUpgrades, {})).rollout).toMatchObject({ rolloutState: 'succeeded' })
    const { items, total, nextCursor } = await ask(getMachineRuns, { machineIPV4: ipv4, limit: 4 })
    expect([total, items.length, nextCursor === null]).toEqual([6, 4, false])
    expect(items.map(({ hostUUID }) => hostUUID)).toEqual(expect.arrayContaining(uuids))
    expect(items[0]).toMatchObject({ runState: 'succeeded', hostName: expect.stringMatching(/^(m-1|thr-1)/) })
    expect(await ask(getMachineRuns, { machineIPV4: unusedAddress() })).toMatchObject({ total: 0, items: [] })
  })

  test('keep what they run when the upgrade of one fails, and no other machine is begun', async () => {
    const uuids: string[][] = []
    for (let at = 0; at <= batchSize; at += 1) uuids.push((await machine()).uuids)
    await addNewCore()
    const [one = []] = uuids
    await ask(upgradeHost, { hostUUID: one[0] ?? '' })
    const [first, ...rest] = await waiting()
    await settle(first?.hostUUID ?? '', failing)
    expect(await stateOf(first?.hostUUID ?? '')).toBe('failed')
    for (const { hostUUID } of rest) expect(await stateOf(hostUUID)).toBe('outdated')

    await ask(upgradeHost, { hostUUID: one[0] ?? '' })
    for (const uuid of one) await settle(uuid)
    await ask(startRollout, {})
    const batch = await waiting()
    const begun = new Set(batch.map(({ hostUUID }) => addressOf.get(hostUUID)))
    expect([batch.length, begun.size]).toEqual([3 * batchSize, batchSize])
    const bad = batch[0]?.hostUUID ?? ''
    await settle(bad, failing)
    expect((await ask(getUpgrades, {})).rollout).toMatchObject({
      rolloutState: 'failed',
      failedHost: { hostUUID: bad },
    })
    for (const { hostUUID } of batch.slice(1)) {
      await settle(hostUUID)
      expect(await stateOf(hostUUID)).toBe('outdated')
    }
  })
})

describe('without a core in the store', () => {
  useShop()
  test('there is nothing to upgrade to, and the page says so', async () => {
    const uuid = randomUUID()
    await ask(addServer, { ...sampleServer(), serverUUID: uuid })
    writeFileSync(join(shop().folder, 'core', 'cores.json'), '[]')
    expect(await ask(getUpgrades, {})).toMatchObject({
      newestPrograms: null,
      currentHosts: 0,
      outdatedHosts: 0,
    })
    expect(await refusal(upgradeHost, { hostUUID: uuid })).toBe('NO_PROGRAMS')
    expect(await refusal(startRollout, {})).toBe('NO_PROGRAMS')
    expect(await hostOf(uuid)).toMatchObject({ upgradeState: 'unknown' })
  })
})
