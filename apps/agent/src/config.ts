import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isVpnType, needsTunnel, type VpnType } from '@kelid/contract'

export interface Config {
  readonly url: string
  readonly kind: VpnType | 'tunnel'
  /** Customers connect to a tunnel, which sends their address. */
  readonly isBehindTunnel: boolean
  /** Apps change ports while they are connected. */
  readonly hops: boolean
  /** PEM files beside the configuration file by default. */
  readonly ca: string
  readonly certificate: string
  readonly key: string
  readonly core: string
  readonly coreUnit: string
  readonly api: string
  readonly inbound: string
  /** May be missing. */
  readonly inboundBefore: string
  readonly chain: string
  /** Of the site that a tunnel or a server with REALITY shows strangers; '' if there is none. */
  readonly siteCertificate: string
  /** The core reads this file after its own configuration. */
  readonly accounts: string
  /** Likewise, with the outbounds of limited accounts. The core appends outbounds of a file with `tail` in its name. */
  readonly speeds: string
  /** The routing of the core's own configuration; earlier playbooks do not write it. */
  readonly routing: string
  /** Of 65,536 marks of connections, which no other service of the machine has. */
  readonly firstMark: string
  readonly accessLog: string
  /** In memory: it survives a restart of the agent, not of the host. */
  readonly connections: string
  /** Writing this file makes systemd restart the core. */
  readonly restart: string
  /** Writing this file makes systemd load the firewall again. */
  readonly loadFirewall: string
  readonly state: string
  readonly table: string
  /** The machine drops what none of its services has opened. */
  readonly hasInput: boolean
  readonly door: string
}

/** Of the first service of a machine. The playbook writes those of the others. */
const defaults = {
  core: '/usr/local/lib/kelid/core',
  coreUnit: 'kelid-core.service',
  api: '127.0.0.1:10085',
  inbound: '/etc/kelid/inbound.json',
  inboundBefore: '/etc/kelid/inbound-previous.json',
  chain: '/etc/kelid/certificate/chain.pem',
  accounts: '/var/lib/kelid-core/accounts.json',
  speeds: '/var/lib/kelid-core/speed-tail.json',
  routing: '/etc/kelid/routing.json',
  firstMark: '65536',
  accessLog: '/run/kelid/access.log',
  connections: '/run/kelid-agent/connections.json',
  restart: '/run/kelid-agent/restart-core',
  loadFirewall: '/run/kelid-agent/load-firewall',
  state: '/var/lib/kelid-agent',
  table: 'kelid',
  door: '443',
}

export async function readConfig(path: string): Promise<Config> {
  const text = await readFile(path, 'utf8')
  const settings: unknown = JSON.parse(text)
  const beside = (name: string) => join(dirname(path), `${name}.pem`)
  const files = { ca: beside('ca'), certificate: beside('certificate'), key: beside('key') }
  const config: Record<string, unknown> = {
    url: '',
    kind: '',
    siteCertificate: '',
    ...defaults,
    ...files,
    ...(settings as object | null),
  }
  for (const name of ['url', ...Object.keys(defaults), ...Object.keys(files)])
    if (typeof config[name] !== 'string' || config[name] === '')
      throw new Error(`${path} must contain "${name}"`)
  if (typeof config.siteCertificate !== 'string')
    throw new Error(`"siteCertificate" in ${path} must be a text`)
  const url = String(config.url)
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error(`"url" in ${path} must begin with https://`)
  const kind = String(config.kind)
  if (kind !== 'tunnel' && !isVpnType(kind)) throw new Error(`unknown VPN type "${kind}" in ${path}`)
  // Playbooks before the first type that can be both do not write it.
  config.isBehindTunnel ??= kind !== 'tunnel' && needsTunnel(kind)
  config.hops ??= false
  config.hasInput ??= false
  for (const name of ['isBehindTunnel', 'hops', 'hasInput'])
    if (typeof config[name] !== 'boolean') throw new Error(`"${name}" in ${path} must be true or false`)
  return config as unknown as Config
}
