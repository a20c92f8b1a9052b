import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { addServer, addTunnel } from '@kelid/contract'
import type { Body } from '../../../test/calls.ts'
import { openForAllTests } from '../../../test/hooks.ts'
import { openProduct, type ProductOptions, runOf } from '../../../test/product.ts'
import { sampleServer, sampleTunnel } from '../../../test/sample-hosts.ts'
import { thisProcessor } from '../../lib/processor.ts'
import { addCore } from './core-store.ts'
import type { Description } from './description.ts'
import { createLogPump } from './log-pump.ts'
import { findProgram, runPlaybook, type Watch } from './playbook.ts'
import { type HowToRun, provision } from './provision.job.ts'

export const withoutAnsible = findProgram('ansible-playbook')
  ? ''
  : ' (left out: ansible-playbook is not installed)'

/** An address of this machine that is not reserved, or a documentation address if the operator allows all. */
export const ownAddress =
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'

export async function openWorkshop(options: ProductOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kelid-workshop-'))
  // Another user reads the playbooks.
  chmodSync(folder, 0o755)
  const core = join(folder, 'xray')
  writeFileSync(core, 'a core')
  await addCore(join(folder, 'core'), core, '26.3.27', new Date())
  const product = await openProduct({
    ...options,
    env: {
      KELID_AGENT_URL: 'https://nodes.example.com:8443',
      KELID_ALLOW_LOCAL_HOST: 'yes',
      KELID_ALLOW_RESERVED_TARGETS: 'yes',
      KELID_CORE_DIR: join(folder, 'core'),
      ...options.env,
    },
  })
  let playbooks = 0
  return {
    product,
    folder,
    async server({ serverIPV4: ipv4 = ownAddress, ...change }: Partial<Body<typeof addServer>> = {}) {
      const serverUUID = randomUUID()
      const admin = await product.again(product.admin)
      await admin.ask(addServer, { ...sampleServer(), ...change, serverUUID })
      // The call would refuse a second server on one machine.
      await product.setRow('servers', serverUUID, { ipv4 })
      return { serverUUID, run: (await runOf(product, serverUUID)).uuid }
    },
    async tunnel({ tunnelIPV4: ipv4 = ownAddress, ...change }: Partial<Body<typeof addTunnel>> = {}) {
      const tunnelUUID = randomUUID()
      await product.admin.ask(addTunnel, { ...sampleTunnel(), ...change, tunnelUUID })
      await product.setRow('tunnels', tunnelUUID, { ipv4 })
      return { tunnelUUID, run: (await runOf(product, tunnelUUID)).uuid }
    },
    playbook(...tasks: string[]) {
      playbooks += 1
      const file = join(folder, `play-${playbooks}.yml`)
      writeFileSync(
        file,
        `- hosts: target\n  gather_facts: false\n  tasks:\n${tasks.map(indentTask).join('')}`,
      )
      return file
    },
    run: (uuid: string, how: HowToRun) => provision(product.ctx, uuid, how),
    /** Executes what waits to set this host up, and says how many runs that were. */
    async runSetUps(hostUuid: string) {
      const queued = `SELECT uuid FROM provision_runs
        WHERE subject_uuid = $1 AND purpose = 'set-up' AND state = 'queued'`
      const runs = await product.sql(queued, hostUuid)
      for (const { uuid } of runs) await provision(product.ctx, uuid)
      return runs.length
    },
    async close() {
      await product.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const workshopForAllTests = (options?: ProductOptions) => openForAllTests(() => openWorkshop(options))

/** Runs a playbook in its folder, without the product around it. */
export async function playIn(
  folder: string,
  playbook: string,
  confinement: Parameters<typeof runPlaybook>[3] = null,
  { signal = new AbortController().signal, look = async () => null }: Partial<Watch> = {},
) {
  let output = ''
  const keep = async (text: string) => {
    output += text
    return { isFull: output.length > 500_000 }
  }
  const log = createLogPump(keep, () => {})
  const outcome = await runPlaybook(folder, playbook, { log, signal, timeLimit: 170_000, look }, confinement)
  return { ...outcome, output }
}

const indentTask = (task: string) => `    - ${task.trim().split('\n').join('\n      ')}\n`

/** A workshop in which the stand-in carries out all runs, for all tests of a file. */
export function useStandIn() {
  const shop = workshopForAllTests()
  const ansible = openForAllTests(() => standIn(shop.folder))
  return { shop, ansible }
}

/**
 * A fast replacement for Ansible that reports success and sends its input to the test. It is confined like the real
 * one, so it uses the loopback. `events` come before its own.
 */
export async function standIn(folder: string, ...events: object[]) {
  const runs = new Map<string, { kelid: Description; inventory: string }>()
  const listener = createServer((socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      const [vars = '', inventory = '', rest] = text.split('\n')
      if (rest === undefined) return
      const { kelid } = JSON.parse(vars, unwrapUnsafe)
      runs.set(kelid.host.uuid, { kelid, inventory })
      socket.end('taken\n')
    })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const { port } = listener.address() as AddressInfo
  const bin = join(folder, 'bin')
  const more = join(bin, 'events')
  mkdirSync(bin)
  const processor = { event: 'processor', text: thisProcessor }
  const stats = { event: 'stats', stats: { target: { ok: 1, changed: 0, failures: 0, unreachable: 0 } } }
  writeFileSync(
    join(bin, 'ansible-playbook'),
    [
      '#!/bin/bash',
      `exec 5<>/dev/tcp/127.0.0.1/${port}`,
      `{ cat "\${4#@}"; echo; cat "$2"; echo; } >&5`,
      'read -r <&5',
      ...[...events, processor, { event: 'ok', task: 'all' }, stats].map(
        (event) => `echo '${JSON.stringify(event)}' >&3`,
      ),
      `[ ! -e ${more} ] || cat ${more} >&3`,
      '',
    ].join('\n'),
    { mode: 0o755 },
  )
  const before = process.env.PATH
  process.env.PATH = `${bin}:${before}`
  const runOf = (uuid: string) => {
    const run = runs.get(uuid)
    if (!run) throw new Error(`no run of ${uuid}`)
    return run
  }
  return {
    description: (uuid: string) => runOf(uuid).kelid,
    address: (uuid: string) => /"ansible_host":"([\d.]+)"/.exec(runOf(uuid).inventory)?.[1] ?? 'local',
    /** From now on every run has this event. */
    say: (event: object) => writeFileSync(more, `${JSON.stringify(event)}\n`, { mode: 0o644 }),
    way: (uuid: string) => runOf(uuid).inventory,
    close: () => {
      listener.close()
      process.env.PATH = before
    },
  }
}

const unwrapUnsafe = (_: string, value: { __ansible_unsafe?: string }) => value?.__ansible_unsafe ?? value
