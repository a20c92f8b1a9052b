import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isVpnType, type VpnType } from '@kelid/contract'

/** Where the control plane is, the files by which the two know each other, and what there is of the core on this host. */
export interface Config {
  readonly url: string
  readonly kind: VpnType | 'tunnel'
  /** Beside this file, unless it says where. */
  readonly ca: string
  readonly certificate: string
  readonly key: string
  /** The core's program, which says its own version; there may be none. */
  readonly core: string
  /** The core's API. */
  readonly api: string
  /** The inbound of customers as the host was set up with it; there is none on a tunnel. */
  readonly inbound: string
  /** The certificate that customers meet, with who signed it; there is none on a tunnel. */
  readonly chain: string
  /** Read by the core after its own configuration. */
  readonly accounts: string
  readonly accessLog: string
  /** Who is connected, for the next start of the agent; in memory too. */
  readonly connections: string
  /** Written to have the core restarted. */
  readonly restart: string
  /** What outlives a restart of the agent. */
  readonly state: string
  /** Of nftables, with the sets of who is cut. */
  readonly table: string
  /** The port by which customers come to a tunnel. */
  readonly door: string
}

const usual = {
  core: '/usr/local/lib/kelid/core',
  api: '127.0.0.1:10085',
  inbound: '/etc/kelid/inbound.json',
  chain: '/etc/kelid/certificate/chain.pem',
  accounts: '/var/lib/kelid-core/accounts.json',
  accessLog: '/run/kelid/access.log',
  connections: '/run/kelid-agent/connections.json',
  restart: '/run/kelid-agent/restart-core',
  state: '/var/lib/kelid-agent',
  table: 'kelid',
  door: '443',
}

/** Throws a sentence that names the file and what is wrong with it. */
export async function readConfig(path: string): Promise<Config> {
  const text = await readFile(path, 'utf8')
  const found: unknown = JSON.parse(text)
  const beside = (name: string) => join(dirname(path), `${name}.pem`)
  const files = { ca: beside('ca'), certificate: beside('certificate'), key: beside('key') }
  const config: Record<string, unknown> = {
    url: '',
    kind: '',
    ...usual,
    ...files,
    ...(found as object | null),
  }
  for (const name of ['url', ...Object.keys(usual), ...Object.keys(files)])
    if (typeof config[name] !== 'string' || config[name] === '') throw new Error(`${path} must say "${name}"`)
  const url = String(config.url)
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error(`"url" in ${path} must begin with https://`)
  const kind = String(config.kind)
  if (kind !== 'tunnel' && !isVpnType(kind))
    throw new Error(`this agent does not know the VPN type "${kind}", which ${path} names`)
  return config as unknown as Config
}
