import * as contract from '@kelid/contract'
import type { Person, Product } from '../../../test/product.ts'
import { sampleServer, sampleTunnel, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'
import { provision } from '../provisioning/provision.job.ts'

export async function runQueued({ ctx, sql }: Product, hostUuid: string): Promise<number> {
  const queued = `SELECT uuid FROM provision_runs WHERE subject_uuid = $1 AND state = 'queued'`
  const runs = await sql(queued, hostUuid)
  for (const run of runs) await provision(ctx, run.uuid)
  return runs.length
}

export const rich = (product: Product): Promise<Person> =>
  product.person({ points: 1_000_000, tunnelCredit: 1_000_000 })

const { server, tunnel } = {
  server: {
    add: contract.addServer,
    get: contract.getServer,
    list: contract.getServers,
    ready: contract.setServerReady,
    provision: contract.provisionServer,
    change: contract.changeServer,
    log: contract.getServerLog,
  },
  tunnel: {
    add: contract.addTunnel,
    get: contract.getTunnel,
    list: contract.getTunnels,
    ready: contract.setTunnelReady,
    provision: contract.provisionTunnel,
    change: contract.changeTunnel,
    log: contract.getTunnelLog,
  },
}

type Fields = Record<string, unknown>

/** One kind of host. Its fields have their names without the kind: `Name` is serverName or tunnelName. */
function hostKind(kind: 'server' | 'tunnel') {
  // The calls of tunnels have the types of those of servers, but for the names of their fields.
  const calls = kind === 'server' ? server : (tunnel as unknown as typeof server)
  const named = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${kind}${name}`, value])) as {
      serverUUID: string
      serverIPV4: string
      serverName: string
    }
  const unnamed = (row: object): Fields =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace(kind, ''), value]))
  return {
    kind,
    table: `${kind}s` as const,
    deed: (name: string) => name.replace('host', kind),
    make: async (product: Product, { max = 10, name = 'one' } = {}) => {
      if (kind === 'tunnel') {
        await product.server({ ...trojanServer(), serverMaxAccounts: 10_000 })
        return product.tunnel({ tunnelName: name, tunnelMaxAccounts: max })
      }
      await product.tunnel({ tunnelMaxAccounts: 10_000 })
      return product.server({ ...trojanServer(), serverName: name, serverMaxAccounts: max })
    },
    other: (product: Product) =>
      kind === 'server'
        ? product.server({ serverMaxAccounts: 10 })
        : product.tunnel({ tunnelType: 'ssh', tunnelMaxAccounts: 10 }),
    add: (who: Person, UUID: string, fields: Fields = {}) => {
      const sample = kind === 'server' ? sampleServer() : (sampleTunnel() as never)
      return who.call(calls.add, { ...sample, ...named({ UUID, ...fields }) })
    },
    setReady: (who: Person, UUID: string) =>
      who.ask(calls.ready, { ...named({ UUID }), reason: 'set up by hand' }),
    find: (who: Person, UUID: string) => who.call(calls.get, named({ UUID })),
    read: async (who: Person, UUID: string) => unnamed(await who.ask(calls.get, named({ UUID }))),
    list: async (who: Person, question: object = {}) => {
      const { items, ...page } = await who.ask(calls.list, question)
      return { items: items.map(unnamed), ...page }
    },
    provision: (who: Person, UUID: string) => who.call(calls.provision, named({ UUID })),
    change: (who: Person, UUID: string, IPV4: string, { seen, ...fields }: Fields = {}) =>
      who.call(calls.change, {
        ...named({ UUID, IPV4, ...fields }),
        ...(kind === 'server' ? { countryId: 276 } : ({} as never)),
        ...(seen !== undefined && { basedOn: named({ IPV4: seen }) }),
      }),
    log: (who: Person, UUID: string, runUUID?: string) =>
      who.call(calls.log, { ...named({ UUID }), ...(runUUID && { runUUID }) }),
    edit: (who: Person, hostUUID: string, { seen, ...fields }: Fields) =>
      who.call(contract.editHost, {
        hostUUID,
        ...named(fields),
        ...(seen !== undefined && { basedOn: named({ Name: seen }) }),
      }),
    runs: (who: Person, hostUUID: string, page: { cursor?: string; limit?: number } = {}) =>
      who.call(contract.getHostRuns, { hostUUID, ...page }),
    cancel: (who: Person, hostUUID: string) => who.call(contract.cancelHostRun, { hostUUID }),
    pause: (who: Person, hostUUID: string, hostPaused: boolean, seen?: boolean) =>
      who.call(contract.setHostPaused, {
        hostUUID,
        hostPaused,
        ...(seen !== undefined && { basedOn: { hostPaused: seen } }),
      }),
    targets: async (who: Person, hostUUID: string, search?: string) =>
      (await who.ask(contract.getHostMoveTargets, { hostUUID, ...(search && { search }) })).items.map(
        (target) => target.hostUUID,
      ),
    quote: (who: Person, hostUUID: string, toHostUUID: string) =>
      who.call(contract.quoteHostMove, { hostUUID, toHostUUID }),
    move: (who: Person, hostUUID: string, toHostUUID: string, accounts: number, headers = {}) =>
      who.call(contract.moveHostAccounts, { hostUUID, toHostUUID, accounts }, headers),
    remove: (who: Person, hostUUID: string) => who.call(contract.removeHost, { hostUUID }),
    hostKey: (who: Person, hostUUID: string) => who.call(contract.getHostKey, { hostUUID }),
    acceptKey: (who: Person, hostUUID: string, seen?: string) =>
      who.call(contract.acceptHostKey, {
        hostUUID,
        ...(seen !== undefined && { basedOn: { hostKeyFingerprint: seen } }),
      }),
  }
}

export const bothKinds = [hostKind('server'), hostKind('tunnel')]
export type BothKinds = (typeof bothKinds)[number]

export const standAlone = ({ sql }: Product, table: 'servers' | 'tunnels', uuid: string) =>
  sql(`UPDATE ${table} SET state = 'failed' WHERE uuid <> $1`, uuid)

export const buy = (who: Person) => who.call(contract.newAccount, { ...tunnelledAccount, accountDuration: 5 })
