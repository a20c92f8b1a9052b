import { Refusal, type TunnelType } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { hostCopyOf } from './cleaning.ts'
import { readRow } from './hosts.store.ts'
import type { Host } from './kinds.ts'
import * as store from './occupancy.store.ts'
import { clashOf, type PortsOwner } from './ports.ts'
import { tlsNameOf } from './tls-name.ts'

export { lockAddresses, servicesAt } from './occupancy.store.ts'

export const maxServices = 9

/** With the number that a cleaning would clean. */
export const isServiceThere = async (db: Db, ipv4: string, service: number): Promise<boolean> =>
  (await store.servicesAt(db, ipv4)).some((other) => other.service === service)

/** Services that wait to be cleaned at the address, or still serve from there. */
export async function leavingFrom(ctx: Pick<Context, 'seal'>, db: Db, address: string) {
  const runs = await store.openCleanings(db, address)
  return runs.map((run) => {
    const copy = hostCopyOf(ctx, run)
    return {
      run,
      leaving: { service: 1, ...copy, kind: run.subject } as PortsOwner & Omit<store.Service, 'kind'>,
    }
  })
}

const isOver = ({ state, host_state }: store.OpenCleaning) =>
  state === 'queued' && (host_state ?? 'ready') === 'ready'

/**
 * Gives a host that has come to its address, or whose ports have changed, a number on its machine, and refuses it if
 * another service there has one of its ports. The caller has locked the addresses. A service that is leaving counts
 * while it is cleaned, and while its host is not ready elsewhere and so still serves from here. A host that has just
 * come takes its number otherwise, if it has its ports, and nothing is cleaned. Returns the other services.
 */
export async function settle(
  ctx: Context,
  tx: Db,
  { kind, uuid }: Host,
  { hasCome }: { hasCome: boolean },
): Promise<store.Service[]> {
  const { row } = await readRow(tx, kind, uuid)
  const address = row.ipv4
  const own = { kind, ...row } as PortsOwner
  const others = (await store.servicesAt(tx, address)).filter((other) => other.uuid !== uuid)
  for (const other of others) {
    const port = clashOf(own, other)
    if (port !== null) throw new Refusal('PORT_TAKEN', { address, port, name: other.name })
    if (kind === 'tunnel' && other.kind === 'tunnel')
      throw new Refusal('TUNNEL_TAKEN', { address, name: other.name })
  }
  const taken = new Set(others.map(({ service }) => service))
  const wanted = [row.service]
  for (const { run, leaving } of await leavingFrom(ctx, tx, address)) {
    const { service, name } = leaving
    const isInTheWay = clashOf(own, leaving) !== null || (kind === 'tunnel' && leaving.kind === 'tunnel')
    if (run.subject_uuid === uuid || (isInTheWay && isOver(run) && hasCome)) wanted.unshift(service)
    else if (isInTheWay)
      throw new Refusal(
        isOver(run) || run.state === 'running' ? 'ADDRESS_IN_CLEANING' : 'ADDRESS_STILL_USED',
        {
          address,
          name,
        },
      )
    else taken.add(service)
  }
  const numbers = [...wanted, ...Array.from({ length: maxServices }, (_, index) => index + 1)]
  const service = numbers.find((number) => !taken.has(number))
  if (service === undefined) throw new Refusal('MACHINE_FULL', { address })
  await store.setService(tx, kind, uuid, service)
  return others
}

/**
 * Tunnels identify servers by TLS name only, and a renamed server keeps its former name until it is provisioned. The
 * caller has locked the addresses.
 */
export async function requireFreeTlsName(
  tx: Db,
  server: { uuid: string; url: string; sni: string | undefined; tunnelType: TunnelType | '' },
): Promise<void> {
  if (server.tunnelType === '') return
  const tlsName = tlsNameOf(server).toLowerCase()
  const others = await store.otherServersOf(tx, server.tunnelType, server.uuid)
  const namesake = others.find(({ url, details, serving }) =>
    [tlsNameOf({ url, sni: details.serverSNIAddress }), serving?.name].some(
      (name) => name?.toLowerCase() === tlsName,
    ),
  )
  if (namesake) throw new Refusal('TLS_NAME_TAKEN', { tlsName, name: namesake.name })
}
