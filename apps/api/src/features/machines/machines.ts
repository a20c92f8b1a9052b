import type { Context } from '../../context.ts'
import { probesOf, tellHealth } from '../health/health.ts'
import { findRow, type HostRow } from '../hosts/hosts.ts'
import { servicesAt } from '../hosts/occupancy.ts'
import { portsOf } from '../hosts/ports.ts'

const typeOf = (host: HostRow): string =>
  host.kind === 'tunnel'
    ? host.row.type
    : [host.row.vpn_type, host.row.tunnel_type].filter((part) => part !== '').join(' · ')

export async function getMachine({ db, clock }: Context, ipv4: string) {
  const services = await servicesAt(db, ipv4)
  const probes = await probesOf(
    db,
    services.map(({ uuid }) => uuid),
  )
  const found = await Promise.all(
    services.map(async (service) => ({ service, host: await findRow(db, service.kind, service.uuid) })),
  )
  // One may have been removed since.
  const hosts = found.flatMap(({ service, host }) => (host ? [{ service, host }] : []))
  return {
    machineIPV4: ipv4,
    machineSSHPort: hosts[0]?.host.row.ssh_port ?? null,
    services: hosts.map(({ service, host }) => {
      const { uuid, name, url, state, paused, accounts, max_accounts } = host.row
      return {
        ...{ hostUUID: uuid, hostKind: host.kind, hostName: name, hostURL: url, hostType: typeOf(host) },
        ...{ hostState: state, hostPaused: paused, hostAccounts: accounts, hostMaxAccounts: max_accounts },
        hostHealth: tellHealth(host.row, probes.get(uuid), clock.now()).health,
        ports: portsOf(service),
      }
    }),
  }
}
