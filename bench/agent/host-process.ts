import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openRealCore } from '../../apps/api/test/real/core.ts'
import { xray } from '../../apps/api/test/real/programs.ts'
import type { Identity } from '../server/identities.ts'

const run = promisify(execFile)
const bundle = join(import.meta.dirname, '../../apps/agent/dist/agent.mjs')
/** The flags of the unit on a host. */
const flags = ['--jitless', '--max-old-space-size=64', '--max-semi-space-size=1']

export type HostProcess = Awaited<ReturnType<typeof openHost>>

/** The real core and the built agent of a server, on ports of this machine. */
export async function openHost(folder: string, identity: Identity, url: string) {
  const at = (name: string) => join(folder, name)
  await mkdir(at('core'), { recursive: true })
  const { vpnType } = identity
  const core = await openRealCore(at('core'), vpnType, identity.served)
  await copyFile(bundle, at('agent.mjs'))
  await writeFile(at('ca.pem'), identity.ca)
  await writeFile(at('certificate.pem'), identity.certificate)
  await writeFile(at('key.pem'), identity.key)
  const { api, accessLog, inboundFile: inbound, accountsFile: accounts } = core
  const config = {
    ...{ url, kind: vpnType, api, accessLog, inbound, accounts, core: xray, table: 'kelid_bench' },
    ...{
      state: at('state'),
      restart: at('restart'),
      loadFirewall: at('load-firewall'),
      connections: at('connections.json'),
    },
  }
  await writeFile(at('config.json'), JSON.stringify(config))
  let agent: ChildProcess | null = null
  return {
    core,
    startAgent() {
      const log = openSync(at('agent.log'), 'a')
      const args = [...flags, at('agent.mjs'), at('config.json')]
      agent = spawn(process.execPath, args, { env: {}, stdio: ['ignore', log, log] })
    },
    /** The number of accounts in the core; 0 while it is down. */
    users: () =>
      run(xray, ['api', 'inboundusercount', `--server=${api}`, '-tag=vpn']).then(
        ({ stdout }) => Number(JSON.parse(stdout).count ?? 0),
        () => 0,
      ),
    agentPid: () => agent?.pid ?? 0,
    async close() {
      if (agent && agent.exitCode === null) {
        agent.kill('SIGKILL')
        await once(agent, 'exit')
      }
      await core.stop()
    },
  }
}

/** In MB: now, and the peak. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: of('VmRSS'), peak: of('VmHWM') }
}

/** CPU seconds so far. */
export async function cpuOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
