import { type TunnelType, type VpnType, vpnCatalogue } from '@kelid/contract'

/** Ports of a machine that a service takes. */
export interface PortRange {
  readonly network: 'tcp' | 'udp'
  readonly first: number
  readonly last: number
}

export type PortsOwner = { readonly port: number } & (
  | { readonly kind: 'tunnel' }
  | {
      readonly kind: 'server'
      readonly vpn_type: VpnType
      readonly tunnel_type: TunnelType | ''
      readonly details: { readonly serverHopPorts?: string }
    }
)

/** Inner ports of the playbook, of all services of a machine; roles/base/vars/main.yml and service.yml have them. */
export const localPorts = {
  relays: { network: 'tcp', first: 20_000, last: 31_999 },
  moreRelays: { network: 'tcp', first: 11_000, last: 19_999 },
  exits: { network: 'tcp', first: 4_443, last: 4_451 },
  cores: { network: 'tcp', first: 10_085, last: 10_166 },
} as const satisfies Record<string, PortRange>

const localPortsOf = (owner: PortsOwner): PortRange[] => [
  localPorts.cores,
  ...(owner.kind === 'tunnel'
    ? [localPorts.relays, localPorts.moreRelays]
    : owner.tunnel_type === ''
      ? []
      : [localPorts.exits]),
]

/** A port that customers reach, and that the other service needs. */
export function clashOf(one: PortsOwner, other: PortsOwner): number | null {
  const [ours, theirs] = [portsOf(one), portsOf(other)]
  return sharedPort(ours, [...theirs, ...localPortsOf(other)]) ?? sharedPort(localPortsOf(one), theirs)
}

export function portsOf(owner: PortsOwner): PortRange[] {
  const own = { first: owner.port, last: owner.port }
  if (owner.kind === 'tunnel') return [{ network: 'tcp', ...own }]
  // Tunnels come by SSH.
  if (owner.tunnel_type === 'ssh') return []
  const network = owner.tunnel_type === '' ? vpnCatalogue[owner.vpn_type].network : 'tcp'
  const [first, last] = (owner.details.serverHopPorts ?? '').split('-').map(Number)
  return [{ network, ...own }, ...(first && last ? [{ network, first, last }] : [])]
}

function sharedPort(ours: readonly PortRange[], theirs: readonly PortRange[]): number | null {
  for (const one of ours)
    for (const other of theirs) {
      const first = Math.max(one.first, other.first)
      if (one.network === other.network && first <= Math.min(one.last, other.last)) return first
    }
  return null
}
