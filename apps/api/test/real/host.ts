import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasReality, type VpnType } from '@kelid/contract'
import { issueNodeCertificate, issueServerCertificate } from '../../src/features/authority/authority.ts'
import { openRealityKeys } from '../../src/features/hosts/reality.ts'
import { agentFiles } from '../../src/features/provisioning/agent-files.ts'
import type { ProductWithNodes } from '../nodes.ts'
import { until } from '../until.ts'
import { openRealCore } from './core.ts'
import { openLine } from './line.ts'

/** As the unit of a host starts it. */
export const agentFlags = ['--jitless', '--max-old-space-size=64', '--max-semi-space-size=1']

/** The built agent of a host, as a process, behind a line that can be cut. */
async function openAgent(product: ProductWithNodes, folder: string, uuid: string, change: object) {
  await mkdir(folder, { recursive: true })
  const { runtime, bundle } = await agentFiles(product.ctx)
  const line = await openLine(product.nodesUrl)
  const at = (name: string) => join(folder, name)
  await copyFile(bundle.file, at('agent.mjs'))
  const { ca, certificate, key } = await issueNodeCertificate(product.ctx, uuid)
  await writeFile(at('ca.pem'), ca)
  await writeFile(at('certificate.pem'), certificate)
  await writeFile(at('key.pem'), key)
  const files = {
    state: at('state'),
    inbound: at('none'),
    restart: at('restart'),
    loadFirewall: at('load-firewall'),
    connections: at('connections.json'),
    core: at('none'),
  }
  await writeFile(at('config.json'), JSON.stringify({ url: line.url, ...files, ...change }))
  let child: ChildProcess | null = null
  let output = ''
  function start() {
    const args = [...agentFlags, at('agent.mjs'), at('config.json')]
    const started = spawn(runtime.file, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
  }
  async function stop(signal: NodeJS.Signals = 'SIGKILL') {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  start()
  return {
    ...{ line, start, stop, folder },
    output: () => output,
    says: (text: RegExp, within?: number) => until(() => text.test(output), `${text} in:\n${output}`, within),
    pid: () => child?.pid ?? 0,
    async close() {
      await stop()
      line.close()
    },
  }
}

export async function realityOf({ ctx }: ProductWithNodes, uuid: string, name: string) {
  const row = await ctx.db
    .selectFrom('servers')
    .selectAll()
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  return { name, ...openRealityKeys(ctx, row).current }
}

/** A server's core and agent. */
export async function openRealServer(
  product: ProductWithNodes,
  folder: string,
  { uuid, name, vpnType, table }: { uuid: string; name: string; vpnType: VpnType; table: string },
) {
  const certificate = await issueServerCertificate(product.ctx, name)
  await mkdir(join(folder, 'core'), { recursive: true })
  const reality = hasReality(vpnType) ? await realityOf(product, uuid, name) : undefined
  const core = await openRealCore(join(folder, 'core'), vpnType, certificate, reality)
  const { api, accessLog, inboundFile: inbound, accountsFile: accounts } = core
  const { speedsFile: speeds, routingFile: routing } = core
  const agent = await openAgent(product, join(folder, 'agent'), uuid, {
    kind: vpnType,
    api,
    accessLog,
    inbound,
    accounts,
    speeds,
    routing,
    table,
    chain: join(folder, 'core', 'chain.pem'),
  })
  return {
    ...{ core, agent, ca: certificate.ca },
    async close() {
      await agent.close()
      await core.stop()
    },
  }
}

/** A tunnel's agent. What it has of a core does not matter here. */
export const openRealTunnel = (product: ProductWithNodes, folder: string, uuid: string, door: number) =>
  openAgent(product, folder, uuid, { kind: 'tunnel', api: '127.0.0.1:1', door: String(door) })
