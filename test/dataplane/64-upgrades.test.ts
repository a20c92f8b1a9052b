import { createHash } from 'node:crypto'
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  deleteAccount,
  getHostPrograms,
  getUpgrades,
  type ProgramName,
  provisionServer,
  startRollout,
  upgradeHost,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { isIn, named, sell } from './accounts.ts'
import { seconds, until } from './commands.ts'
import type { Host } from './host.ts'
import { added } from './installation.ts'
import { call, cli, dataFolder, settled, sql } from './product.ts'
import { programs } from './programs.ts'

const lib = '/usr/local/lib/kelid'
const changesIn = (log: string) => Number(/target\s+:.*changed=(\d+)/.exec(log)?.[1] ?? -1)
const processOf = (host: Host, unit: string) => host.say(`systemctl show ${unit} --property=MainPID --value`)
const linkOf = (host: Host, name: string) => host.say(`readlink ${lib}/${name}`)
const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

const hysteria = async () => {
  const { hosts, servers } = await added()
  return { host: hosts.hysteriaServer, uuid: servers[2].serverUUID }
}
const stateOf = async (uuid: string) => {
  const { items } = await call(getHostPrograms, { limit: 100 })
  const found = items.find(({ hostUUID }) => hostUUID === uuid)
  if (!found) throw new Error('not in the list')
  return found
}
async function provisioned(uuid: string): Promise<string> {
  await call(provisionServer, { serverUUID: uuid })
  return settled('server', uuid)
}
async function upgraded(uuid: string): Promise<string> {
  await call(upgradeHost, { hostUUID: uuid })
  return settled('server', uuid)
}

/** A core that says the version, passes or fails the test of its configuration, and exits 23 when it is started. */
function coreThatExits23(version: string, { atTest }: { atTest: boolean }): string {
  const file = join(dataFolder, `core-${version}`)
  const lines = [
    '#!/bin/sh',
    `case "$*" in`,
    `version) echo "Xray ${version} (a test)";;`,
    `*-test*) exit ${atTest ? 23 : 0};;`,
    '*) echo "it does not like it" >&2; exit 23;;',
    'esac',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o755 })
  return file
}

/** Another build of the same program. */
function rebuilt(file: string, name: string): string {
  const copy = join(dataFolder, name)
  copyFileSync(file, copy)
  appendFileSync(copy, '\n')
  return copy
}

test('upkeep after a core was added changes nothing and restarts nothing', async () => {
  const { host, uuid } = await hysteria()
  const before = [await processOf(host, 'kelid-core'), await processOf(host, 'kelid-agent')]
  expect(cli('core', 'add', coreThatExits23('98.0.0', { atTest: true }))).toContain('Hosts keep the core')
  const log = await provisioned(uuid)
  expect(changesIn(log), log).toBe(0)
  expect([await processOf(host, 'kelid-core'), await processOf(host, 'kelid-agent')]).toEqual(before)
  expect(await stateOf(uuid)).toMatchObject({ upgradeState: 'outdated' })
})

test('programs of an earlier release become files with their digests in the name, without a restart', async () => {
  const { host, uuid } = await hysteria()
  const before = [await processOf(host, 'kelid-core'), await processOf(host, 'kelid-agent')]
  const links = [await linkOf(host, 'core'), await linkOf(host, 'agent.mjs')]
  await host.say(
    `cd ${lib} && for name in core node agent.mjs; do cp $name $name.plain && mv -T $name.plain $name; done && rm -r programs`,
  )
  const log = await provisioned(uuid)
  expect(changesIn(log), log).toBeGreaterThan(0)
  expect([await linkOf(host, 'core'), await linkOf(host, 'agent.mjs')]).toEqual(links)
  expect([await processOf(host, 'kelid-core'), await processOf(host, 'kelid-agent')]).toEqual(before)
  expect(changesIn(await provisioned(uuid))).toBe(0)
})

test('a core that refuses the configuration is not even started', async () => {
  const { host, uuid } = await hysteria()
  const account = await sell('hysteria2')
  const before = await processOf(host, 'kelid-core')
  expect(await upgraded(uuid)).toContain('The other core refuses the configuration of this host')
  expect(await processOf(host, 'kelid-core')).toBe(before)
  expect(await isIn(account)).toBe(true)
  expect(await stateOf(uuid)).toMatchObject({ upgradeState: 'failed', hostState: 'ready' })
  await call(deleteAccount, named(account))
})

test('a core that exits 23 is switched back within seconds, and customers come in', async () => {
  const { host, uuid } = await hysteria()
  const account = await sell('hysteria2')
  const link = await linkOf(host, 'core')
  cli('core', 'add', coreThatExits23('99.0.0', { atTest: false }))
  let [worst, last] = [0, performance.now()]
  const watching = setInterval(async () => {
    if (!(await isIn(account, 1).catch(() => false))) return
    worst = Math.max(worst, performance.now() - last)
    last = performance.now()
  }, 500)
  const log = await upgraded(uuid)
  clearInterval(watching)
  expect(log).toContain('The other core did not work on this host, so the one from before runs again')
  expect(log).toContain('it does not like it')
  expect(await linkOf(host, 'core')).toBe(link)
  await until('the customer to be in', 20, async () => expect(await isIn(account)).toBe(true))
  console.log(`a core that exits 23: the customer was out for at most ${(worst / 1000).toFixed(1)} s`)
  expect(worst).toBeLessThan(20_000)
  const { wantedPrograms, installedPrograms } = await stateOf(uuid)
  expect(wantedPrograms).toEqual(installedPrograms)
  await call(deleteAccount, named(account))
})

test('a good core is switched to on one host, and then on all others', async () => {
  const { host, uuid } = await hysteria()
  const { rows } = await added()
  const core = rebuilt(programs.xray, 'core-good')
  cli('core', 'add', core)
  const account = await sell('hysteria2')
  const before = await processOf(host, 'kelid-core')
  const since = performance.now()
  const log = await upgraded(uuid)
  console.log(`one host upgraded in ${seconds(since)}`)
  expect(await linkOf(host, 'core'), log).toBe(`programs/core-${digestOf(core).slice(0, 16)}`)
  expect(await processOf(host, 'kelid-core')).not.toBe(before)
  expect(await host.say(`ls ${lib}/programs | grep -c ^core-`), 'it and the one before it').toBe('2')
  await until('the customer to be in', 20, async () => expect(await isIn(account)).toBe(true))
  expect(await stateOf(uuid)).toMatchObject({ upgradeState: 'current' })
  expect(changesIn(await provisioned(uuid))).toBe(0)

  await call(startRollout, {})
  await until(
    'all hosts to be upgraded',
    480,
    async () => {
      const { rollout } = await call(getUpgrades, {})
      expect(rollout).toMatchObject({ rolloutState: 'succeeded' })
    },
    1_000,
  )
  for (const row of rows) expect(await stateOf(row.uuid)).toMatchObject({ upgradeState: 'current' })
  await call(deleteAccount, named(account))
})

/** As a newer release of the control plane would bring it. */
async function wantAgent(uuid: string, file: string): Promise<string> {
  const sha256 = digestOf(file)
  copyFileSync(file, join(dataFolder, 'agent', `agent-9.9.9-${sha256.slice(0, 16)}`))
  const programs = (await stateOf(uuid)).wantedPrograms as Record<ProgramName, object>
  const wanted = { ...programs, agent: { version: '9.9.9', sha256 } }
  await sql('UPDATE servers SET wanted_programs = $2 WHERE uuid = $1', uuid, JSON.stringify(wanted))
  return sha256
}

test('an agent that does not start is switched back, and a good one is switched to', async () => {
  const { host, uuid } = await hysteria()
  const [core, link] = [await processOf(host, 'kelid-core'), await linkOf(host, 'agent.mjs')]
  const bad = join(dataFolder, 'agent-bad')
  writeFileSync(bad, 'throw new Error("not today")\n')
  await wantAgent(uuid, bad)
  expect(await provisioned(uuid)).toContain(
    'The other agent did not start or did not reach this installation',
  )
  expect(await linkOf(host, 'agent.mjs')).toBe(link)
  await until('the agent to run', 20, () => host.say('systemctl is-active kelid-agent'))
  expect(await stateOf(uuid)).toMatchObject({ upgradeState: 'failed', installedPrograms: { agent: {} } })

  const good = rebuilt(join(import.meta.dirname, '../../apps/agent/dist/agent.mjs'), 'agent-good')
  const sha256 = await wantAgent(uuid, good)
  const log = await provisioned(uuid)
  expect(await linkOf(host, 'agent.mjs'), log).toBe(`programs/agent-${sha256.slice(0, 16)}`)
  expect(await stateOf(uuid)).toMatchObject({ installedPrograms: { agent: { version: '9.9.9' } } })
  expect(await processOf(host, 'kelid-core'), 'nothing of the core changed').toBe(core)
  const account = await sell('hysteria2')
  expect(await isIn(account)).toBe(true)
  await call(deleteAccount, named(account))
})
