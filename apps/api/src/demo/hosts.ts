import { addServer, addTunnel, type HostState, type Input } from '@kelid/contract'
import { administrator } from './people.ts'
import type { Random } from './random.ts'

interface Fate {
  /** Days ago. */
  readonly added: number
  readonly state: HostState
}

export interface DemoServer extends Fate {
  readonly input: Input<typeof addServer>
}
export interface DemoTunnel extends Fate {
  readonly input: Input<typeof addTunnel>
}

type Kind = 'direct' | 'wstunnel' | 'ssh'
type ServerLine = readonly [string, number, Kind, number, number, HostState]

/** Name, ISO number of the country, kind, capacity, days ago, state. */
const serverLines: readonly ServerLine[] = [
  ['fra-1', 276, 'direct', 120, 208, 'ready'],
  ['ams-1', 528, 'wstunnel', 110, 208, 'ready'],
  ['hel-1', 246, 'direct', 100, 207, 'ready'],
  ['lon-1', 826, 'ssh', 70, 206, 'ready'],
  ['par-1', 250, 'wstunnel', 90, 150, 'ready'],
  ['ist-1', 792, 'direct', 60, 122, 'ready'],
  ['sto-1', 752, 'ssh', 50, 97, 'ready'],
  ['zrh-1', 756, 'wstunnel', 60, 64, 'ready'],
  ['tor-1', 124, 'direct', 40, 30, 'ready'],
  ['sin-1', 702, 'wstunnel', 40, 6, 'failed'],
  ['vie-1', 40, 'direct', 80, 0.05, 'provisioning'],
  ['tyo-1', 392, 'ssh', 40, 0.03, 'queued'],
]

const tunnelLines: readonly (readonly [string, 'wstunnel' | 'ssh', number, number, HostState])[] = [
  ['thr-1', 'wstunnel', 160, 208, 'ready'],
  ['thr-2', 'ssh', 110, 206, 'ready'],
  ['mhd-1', 'wstunnel', 120, 149, 'ready'],
  ['shz-1', 'ssh', 60, 96, 'ready'],
  ['ifn-1', 'wstunnel', 80, 15, 'failed'],
  ['tbz-1', 'wstunnel', 80, 0.04, 'provisioning'],
  ['krj-1', 'ssh', 60, 0.03, 'queued'],
]

const common = { client: 'demo', clientVersion: '1.0' }

/** Addresses are of the ranges that documentation may use, so that no demo ever reaches a real host. */
export const demoServers = (random: Random): DemoServer[] =>
  serverLines.map(([name, countryId, kind, capacity, added, state], index) => ({
    added,
    state,
    input: addServer.input.parse({
      ...common,
      serverName: name,
      serverType: kind === 'direct' ? 'hysteria' : 'xray',
      serverUUID: random.uuid(),
      serverVersion: '1.0',
      serverVPNType: kind === 'direct' ? 'hysteria2-direct' : 'trojan',
      serverVPNVersion: kind === 'direct' ? '2.6' : '25.3',
      serverIPV4: `192.0.2.${20 + index}`,
      serverURL: `${name.replace('-', '')}.example.net`,
      serverPort: kind === 'direct' ? 8443 : 443,
      serverMaxAccounts: capacity,
      serverTunnelActive: kind !== 'direct',
      serverTunnelType: kind === 'direct' ? '' : kind,
      countryId,
      serverProvider: random.pick(['Example Cloud', 'Sample Hosting', 'Northern Example']),
      serverDescription: 'Part of the demo; there is no such host.',
    }),
  }))

export const demoTunnels = (random: Random): DemoTunnel[] =>
  tunnelLines.map(([name, type, capacity, added, state], index) => ({
    added,
    state,
    input: addTunnel.input.parse({
      ...common,
      tunnelName: name,
      tunnelVersion: '1.0',
      tunnelUUID: random.uuid(),
      tunnelType: type,
      tunnelCreatorEmail: administrator,
      tunnelIPV4: `198.51.100.${10 + index}`,
      tunnelURL: `${name.replace('-', '')}.example.org`,
      tunnelPort: 443,
      tunnelMaxAccounts: capacity,
    }),
  }))
