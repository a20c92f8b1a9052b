import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { VpnType } from '@kelid/contract'
import { inboundOf } from './inbound.ts'
import { freePort } from './ports.ts'
import { xray } from './programs.ts'
import { openSite } from './site.ts'

export type RealCore = Awaited<ReturnType<typeof openRealCore>>

/** A server's core with the inbound of the playbook, on ports of this machine. Here customers may reach any address. */
export async function openRealCore(
  folder: string,
  vpnType: VpnType,
  certificate: { chain: string; key: string },
  reality?: { name: string; privateKey: string; shortId: string },
) {
  const site = reality && (await openSite(certificate))
  const [port, apiPort] = [await freePort(), await freePort()]
  const file = (name: string) => join(folder, name)
  await mkdir(file('accounts'), { recursive: true })
  await writeFile(file('chain.pem'), certificate.chain)
  await writeFile(file('key.pem'), certificate.key)
  await writeFile(file('access.log'), '')
  const template = (await inboundOf(vpnType))
    .replaceAll('/etc/kelid/certificate/chain.pem', file('chain.pem'))
    .replaceAll('/etc/kelid/certificate/key.pem', file('key.pem'))
  const inbound = { ...JSON.parse(template), listen: '127.0.0.1', port }
  // Customers of tests come without a tunnel in between.
  delete inbound.streamSettings.sockopt?.acceptProxyProtocol
  if (reality)
    inbound.streamSettings.realitySettings = {
      ...{ target: `127.0.0.1:${site}`, serverNames: [reality.name] },
      ...{ privateKey: reality.privateKey, shortIds: [reality.shortId] },
    }
  const levels = { 0: { statsUserUplink: true, statsUserDownlink: true, statsUserOnline: true } }
  const services = ['HandlerService', 'StatsService', 'RoutingService']
  const routing = { rules: [{ ruleTag: 'customers', inboundTag: ['vpn'], outboundTag: 'direct' }] }
  const config = {
    log: { loglevel: 'warning', access: file('access.log') },
    api: { tag: 'api', listen: `127.0.0.1:${apiPort}`, services },
    ...{ stats: {}, policy: { levels }, inbounds: [inbound] },
    outbounds: [
      { tag: 'block', protocol: 'blackhole' },
      { tag: 'direct', protocol: 'freedom' },
    ],
    routing,
  }
  await writeFile(file('core.json'), JSON.stringify(config))
  await writeFile(file('inbound.json'), JSON.stringify(inbound))
  await writeFile(file('routing.json'), JSON.stringify(routing))

  let child: ChildProcess | null = null
  /** Root has every right; without these the core cannot mark connections. */
  const withoutMarks = ['setpriv', '--bounding-set', '-net_raw,-net_admin']
  async function start({ mayMark = true } = {}) {
    const args = ['run', '-config', file('core.json'), '-confdir', file('accounts')]
    const env = { ...process.env, XRAY_BUF_SPLICE: 'disable', SSL_CERT_FILE: file('chain.pem') }
    const [program = '', ...words] = [...(mayMark ? [] : withoutMarks), xray, ...args]
    const started = spawn(program, words, {
      env: reality ? env : process.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    for await (const line of createInterface({ input: started.stdout })) if (/ started/.test(line)) return
    throw new Error('the core did not start')
  }
  async function stop() {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await start()
  return {
    ...{ port, api: `127.0.0.1:${apiPort}`, start, stop },
    inboundFile: file('inbound.json'),
    accountsFile: file('accounts/accounts.json'),
    speedsFile: file('accounts/speed-tail.json'),
    routingFile: file('routing.json'),
    accessLog: file('access.log'),
    pid: () => child?.pid ?? 0,
  }
}
