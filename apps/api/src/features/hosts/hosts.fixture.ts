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

export const rich = (product: Product): Promise<Person> =>
  product.person({ points: 1_000_000, tunnelCredit: 1_000_000 })

const asHost = (row: Record<string, unknown>, kind: 'server' | 'tunnel'): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace(kind, ''), value]))

const sharedCalls = {
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

export const bothKinds = [
  {
    ...sharedCalls,
    kind: 'server' as const,
    make: async (product: Product, { max = 10, name = 'one' } = {}) => {
      await product.tunnel({ tunnelMaxAccounts: 10_000 })
      return product.server({ ...trojanServer(), serverName: name, serverMaxAccounts: max })
    },
    other: (product: Product) => product.server({ serverMaxAccounts: 10 }),
    add: (who: Person, uuid: string) => who.call(contract.addServer, { ...sampleServer(), serverUUID: uuid }),
    read: async (who: Person, uuid: string) =>
      asHost(await who.ask(contract.getServer, { serverUUID: uuid }), 'server'),
    find: (who: Person, uuid: string) => who.call(contract.getServer, { serverUUID: uuid }),
    uuids: async (who: Person) =>
      (await who.ask(contract.getServers, {})).items.map(({ serverUUID }) => serverUUID),
    provision: (who: Person, uuid: string) => who.call(contract.provisionServer, { serverUUID: uuid }),
    change: (who: Person, uuid: string, ipv4: string, seen?: string) =>
      who.call(contract.changeServer, {
        serverUUID: uuid,
        serverIPV4: ipv4,
        countryId: 276,
        ...(seen && { basedOn: { serverIPV4: seen } }),
      }),
    log: (who: Person, uuid: string, runUUID?: string) =>
      who.call(contract.getServerLog, { serverUUID: uuid, ...(runUUID && { runUUID }) }),
    edit: (who: Person, uuid: string, { name, max, seen }: Edit) =>
      who.call(contract.editHost, {
        hostUUID: uuid,
        ...(name && { serverName: name }),
        ...(max !== undefined && { serverMaxAccounts: max }),
        ...(seen && { basedOn: { serverName: seen } }),
      }),
    table: 'servers' as const,
    deed: (name: string) => name.replace('host', 'server'),
  },
  {
    ...sharedCalls,
    kind: 'tunnel' as const,
    make: async (product: Product, { max = 10, name = 'one' } = {}) => {
      await product.server({ ...trojanServer(), serverMaxAccounts: 10_000 })
      return product.tunnel({ tunnelName: name, tunnelMaxAccounts: max })
    },
    other: (product: Product) => product.tunnel({ tunnelType: 'ssh', tunnelMaxAccounts: 10 }),
    add: (who: Person, uuid: string) => who.call(contract.addTunnel, { ...sampleTunnel(), tunnelUUID: uuid }),
    read: async (who: Person, uuid: string) =>
      asHost(await who.ask(contract.getTunnel, { tunnelUUID: uuid }), 'tunnel'),
    find: (who: Person, uuid: string) => who.call(contract.getTunnel, { tunnelUUID: uuid }),
    uuids: async (who: Person) =>
      (await who.ask(contract.getTunnels, {})).items.map(({ tunnelUUID }) => tunnelUUID),
    provision: (who: Person, uuid: string) => who.call(contract.provisionTunnel, { tunnelUUID: uuid }),
    change: (who: Person, uuid: string, ipv4: string, seen?: string) =>
      who.call(contract.changeTunnel, {
        tunnelUUID: uuid,
        tunnelIPV4: ipv4,
        ...(seen && { basedOn: { tunnelIPV4: seen } }),
      }),
    log: (who: Person, uuid: string, runUUID?: string) =>
      who.call(contract.getTunnelLog, { tunnelUUID: uuid, ...(runUUID && { runUUID }) }),
    edit: (who: Person, uuid: string, { name, max, seen }: Edit) =>
      who.call(contract.editHost, {
        hostUUID: uuid,
        ...(name && { tunnelName: name }),
        ...(max !== undefined && { tunnelMaxAccounts: max }),
        ...(seen && { basedOn: { tunnelName: seen } }),
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

export async function standAlone(
  { ctx }: Product,
  table: 'servers' | 'tunnels',
  uuid: string,
): Promise<void> {
  await ctx.db.updateTable(table).set({ state: 'failed' }).where('uuid', '!=', uuid).execute()
}

export const buy = (who: Person) => who.call(contract.newAccount, { ...tunnelledAccount, accountDuration: 5 })
