import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { addServer } from '@kelid/contract'
import {
  type Body,
  openProduct,
  type Product,
  type ProductOptions,
  sampleServer,
} from '../../../test/product.ts'
import { addCore } from './core-store.ts'
import type { Description } from './description.ts'
import { findProgram } from './playbook.ts'
import { type HowToRun, provision } from './provision.job.ts'

/** Why tests with the real Ansible are left out here; empty when they are not. */
export const withoutAnsible = findProgram('ansible-playbook')
  ? ''
  : ' (left out: ansible-playbook is not installed)'

/** An address of this machine that is not reserved, or any of the documentation's where the operator allows all. */
export const ownAddress =
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'

export interface Workshop {
  readonly product: Product
  readonly folder: string
  /** A server on this very machine, whose run waits. */
  server(change?: Partial<Body<typeof addServer>>): Promise<{ serverUUID: string; run: string }>
  /** A playbook of these tasks, each a line or more of YAML. */
  playbook(...tasks: string[]): string
  run(uuid: string, how: HowToRun): Promise<void>
  close(): Promise<void>
}

/** The product with all that a run needs, where hosts are the machine itself. */
export async function openWorkshop(options: ProductOptions = {}): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), 'kelid-workshop-'))
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
    async server({ serverIPV4: ipv4 = ownAddress, ...change } = {}) {
      const serverUUID = randomUUID()
      ;(await product.admin.call(addServer, { ...sampleServer, ...change, serverUUID })).answer()
      // Not by the call, which refuses a second server on one machine.
      await product.ctx.db.updateTable('servers').set({ ipv4 }).where('uuid', '=', serverUUID).execute()
      const { uuid } = await product.ctx.db
        .selectFrom('provision_runs')
        .select('uuid')
        .where('subject_uuid', '=', serverUUID)
        .executeTakeFirstOrThrow()
      return { serverUUID, run: uuid }
    },
    playbook(...tasks) {
      playbooks += 1
      const file = join(folder, `play-${playbooks}.yml`)
      writeFileSync(file, `- hosts: target\n  gather_facts: false\n  tasks:\n${tasks.map(indented).join('')}`)
      return file
    },
    run: (uuid, how) => provision(product.ctx, uuid, how),
    async close() {
      await product.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const indented = (task: string) => `    - ${task.trim().split('\n').join('\n      ')}\n`

/**
 * A program in Ansible's place that says that all is well and keeps what it was told, where only that is asked about: the
 * real one takes seconds.
 */
export function standIn(folder: string): {
  told(uuid: string): Description
  /** Where the host was then. */
  address(uuid: string): string
  /** By what it was to be reached: the inventory. */
  way(uuid: string): string
  leave(): void
} {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const stats = { event: 'stats', stats: { target: { ok: 1, changed: 0, failures: 0, unreachable: 0 } } }
  writeFileSync(
    join(bin, 'ansible-playbook'),
    [
      '#!/bin/sh',
      `vars=\${4#@}`,
      `host=$(sed 's/.*"host":{"uuid":{"__ansible_unsafe":"\\([^"]*\\).*/\\1/' "$vars")`,
      `cp "$vars" "${folder}/told-$host"`,
      `cp "$2" "${folder}/way-$host"`,
      `echo '${JSON.stringify({ event: 'ok', task: 'all' })}' >&3`,
      `echo '${JSON.stringify(stats)}' >&3`,
      '',
    ].join('\n'),
    { mode: 0o755 },
  )
  const way = (uuid: string) => readFileSync(join(folder, `way-${uuid}`), 'utf8')
  const before = process.env.PATH
  process.env.PATH = `${bin}:${before}`
  return {
    told: (uuid) => JSON.parse(readFileSync(join(folder, `told-${uuid}`), 'utf8'), unwrapped).kelid,
    address: (uuid) => /"ansible_host":"([\d.]+)"/.exec(way(uuid))?.[1] ?? 'local',
    way,
    leave: () => {
      process.env.PATH = before
    },
  }
}

const unwrapped = (_: string, value: { __ansible_unsafe?: string }) => value?.__ansible_unsafe ?? value
