import * as contract from '@kelid/contract'
import {
  type Person,
  type Product,
  sampleServer,
  sampleTunnel,
  trojanServer,
  tunnelledAccount,
} from '../../../test/product.ts'
import { provision } from '../provisioning/provision.job.ts'

/** Does what the worker would: runs whatever waits for a host. Returns how many there were. */
export async function runQueued({ ctx }: Product, hostUuid: string): Promise<number> {
  const runs = await ctx.db
    .selectFrom('provision_runs')
    .select('uuid')
    .where('subject_uuid', '=', hostUuid)
    .where('state', '=', 'queued')
    .execute()
  for (const run of runs) await provision(ctx, run.uuid)
  return runs.length
}

/** A person who may have no end of accounts. */
export const rich = (product: Product): Promise<Person> =>
  product.person({ points: 1_000_000, tunnelCredit: 1_000_000 })

const asHost = (row: Record<string, unknown>, kind: 'server' | 'tunnel'): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace(kind, ''), value]))

/** What is asked of both kinds of host alike, by the calls of each. */
export const bothKinds = [
  {
    kind: 'server' as const,
    /** Ready, with an address and a name of its own; a tunnelled account finds a place on it. */
    make: async (product: Product, { max = 10, name = 'one' } = {}) => {
      await product.tunnel({ tunnelMaxAccounts: 10_000 })
      return product.server({ ...trojanServer(), serverName: name, serverMaxAccounts: max })
    },
    /** Of another kind than the one above. */
    other: (product: Product) => product.server({ serverMaxAccounts: 10 }),
    add: (who: Person, uuid: string) => who.call(contract.addServer, { ...sampleServer(), serverUUID: uuid }),
    read: async (who: Person, uuid: string) =>
      asHost((await who.call(contract.getServer, { serverUUID: uuid })).answer(), 'server'),
    find: (who: Person, uuid: string) => who.call(contract.getServer, { serverUUID: uuid }),
    uuids: async (who: Person) =>
      (await who.call(contract.getServers, {})).answer().items.map(({ serverUUID }) => serverUUID),
    provision: (who: Person, uuid: string) => who.call(contract.provisionServer, { serverUUID: uuid }),
    change: (who: Person, uuid: string, ipv4: string, seen?: string) =>
      who.call(contract.changeServer, {
        serverUUID: uuid,
        serverIPV4: ipv4,
        countryId: 276,
        ...(seen && { basedOn: { serverIPV4: seen } }),
      }),
    runs: (who: Person, uuid: string, page: { cursor?: string; limit?: number } = {}) =>
      who.call(contract.getServerRuns, { serverUUID: uuid, ...page }),
    log: (who: Person, uuid: string, runUUID?: string) =>
      who.call(contract.getServerLog, { serverUUID: uuid, ...(runUUID && { runUUID }) }),
    cancel: (who: Person, uuid: string) => who.call(contract.cancelServerRun, { serverUUID: uuid }),
    pause: (who: Person, uuid: string, isPaused: boolean, seen?: boolean) =>
      who.call(contract.setServerPaused, {
        serverUUID: uuid,
        serverPaused: isPaused,
        ...(seen !== undefined && { basedOn: { serverPaused: seen } }),
      }),
    edit: (who: Person, uuid: string, { name, max, seen }: Edit) =>
      who.call(contract.editServer, {
        serverUUID: uuid,
        ...(name && { serverName: name }),
        ...(max !== undefined && { serverMaxAccounts: max }),
        ...(seen && { basedOn: { serverName: seen } }),
      }),
    targets: async (who: Person, uuid: string, search?: string) =>
      (await who.call(contract.getServerMoveTargets, { serverUUID: uuid, ...(search && { search }) }))
        .answer()
        .items.map(({ serverUUID }) => serverUUID),
    quote: (who: Person, uuid: string, to: string) =>
      who.call(contract.quoteServerMove, { serverUUID: uuid, toServerUUID: to }),
    move: (who: Person, uuid: string, to: string, accounts: number, headers = {}) =>
      who.call(contract.moveServerAccounts, { serverUUID: uuid, toServerUUID: to, accounts }, headers),
    remove: (who: Person, uuid: string) => who.call(contract.removeServer, { serverUUID: uuid }),
    hostKey: (who: Person, uuid: string) => who.call(contract.getServerHostKey, { serverUUID: uuid }),
    acceptKey: (who: Person, uuid: string, seen?: string) =>
      who.call(contract.acceptServerHostKey, {
        serverUUID: uuid,
        ...(seen !== undefined && { basedOn: { hostKeyFingerprint: seen } }),
      }),
    table: 'servers' as const,
    deed: (name: string) => name.replace('host', 'server'),
  },
  {
    kind: 'tunnel' as const,
    make: async (product: Product, { max = 10, name = 'one' } = {}) => {
      await product.server({ ...trojanServer(), serverMaxAccounts: 10_000 })
      return product.tunnel({ tunnelName: name, tunnelMaxAccounts: max })
    },
    other: (product: Product) => product.tunnel({ tunnelType: 'ssh', tunnelMaxAccounts: 10 }),
    add: (who: Person, uuid: string) => who.call(contract.addTunnel, { ...sampleTunnel(), tunnelUUID: uuid }),
    read: async (who: Person, uuid: string) =>
      asHost((await who.call(contract.getTunnel, { tunnelUUID: uuid })).answer(), 'tunnel'),
    find: (who: Person, uuid: string) => who.call(contract.getTunnel, { tunnelUUID: uuid }),
    uuids: async (who: Person) =>
      (await who.call(contract.getTunnels, {})).answer().items.map(({ tunnelUUID }) => tunnelUUID),
    provision: (who: Person, uuid: string) => who.call(contract.provisionTunnel, { tunnelUUID: uuid }),
    change: (who: Person, uuid: string, ipv4: string, seen?: string) =>
      who.call(contract.changeTunnel, {
        tunnelUUID: uuid,
        tunnelIPV4: ipv4,
        ...(seen && { basedOn: { tunnelIPV4: seen } }),
      }),
    runs: (who: Person, uuid: string, page: { cursor?: string; limit?: number } = {}) =>
      who.call(contract.getTunnelRuns, { tunnelUUID: uuid, ...page }),
    log: (who: Person, uuid: string, runUUID?: string) =>
      who.call(contract.getTunnelLog, { tunnelUUID: uuid, ...(runUUID && { runUUID }) }),
    cancel: (who: Person, uuid: string) => who.call(contract.cancelTunnelRun, { tunnelUUID: uuid }),
    pause: (who: Person, uuid: string, isPaused: boolean, seen?: boolean) =>
      who.call(contract.setTunnelPaused, {
        tunnelUUID: uuid,
        tunnelPaused: isPaused,
        ...(seen !== undefined && { basedOn: { tunnelPaused: seen } }),
      }),
    edit: (who: Person, uuid: string, { name, max, seen }: Edit) =>
      who.call(contract.editTunnel, {
        tunnelUUID: uuid,
        ...(name && { tunnelName: name }),
        ...(max !== undefined && { tunnelMaxAccounts: max }),
        ...(seen && { basedOn: { tunnelName: seen } }),
      }),
    targets: async (who: Person, uuid: string, search?: string) =>
      (await who.call(contract.getTunnelMoveTargets, { tunnelUUID: uuid, ...(search && { search }) }))
        .answer()
        .items.map(({ tunnelUUID }) => tunnelUUID),
    quote: (who: Person, uuid: string, to: string) =>
      who.call(contract.quoteTunnelMove, { tunnelUUID: uuid, toTunnelUUID: to }),
    move: (who: Person, uuid: string, to: string, accounts: number, headers = {}) =>
      who.call(contract.moveTunnelAccounts, { tunnelUUID: uuid, toTunnelUUID: to, accounts }, headers),
    remove: (who: Person, uuid: string) => who.call(contract.removeTunnel, { tunnelUUID: uuid }),
    hostKey: (who: Person, uuid: string) => who.call(contract.getTunnelHostKey, { tunnelUUID: uuid }),
    acceptKey: (who: Person, uuid: string, seen?: string) =>
      who.call(contract.acceptTunnelHostKey, {
        tunnelUUID: uuid,
        ...(seen !== undefined && { basedOn: { hostKeyFingerprint: seen } }),
      }),
    table: 'tunnels' as const,
    deed: (name: string) => name.replace('host', 'tunnel'),
  },
]

interface Edit {
  name?: string
  max?: number
  seen?: string
}

/** The only host of its kind that takes anything: the others of the table are out of the way. */
export async function standAlone(
  { ctx }: Product,
  table: 'servers' | 'tunnels',
  uuid: string,
): Promise<void> {
  await ctx.db.updateTable(table).set({ state: 'failed' }).where('uuid', '!=', uuid).execute()
}

export const buy = (who: Person) => who.call(contract.newAccount, { ...tunnelledAccount, accountDuration: 5 })
