import type { Context, Db } from '../../context.ts'
import { networkOf, readAddress } from '../../lib/addresses.ts'
import { groupBy } from '../../lib/grouped.ts'
import { currentSettings } from '../settings/settings.ts'
import { countAccounts } from './abuse.store.ts'
import { stopsAllowed } from './abuse-limits.ts'
import * as store from './devices.store.ts'

const maxNetworks = 32
const networksPerDevice = 4
/** Longer than a minute is judged after it ended. */
const keepDevices = 10 * 60_000

export interface OnlineAccount {
  readonly id: string
  readonly addresses: readonly string[]
}

/** Notes where accounts are connected. Returns the number of devices ignored because the host must have invented them. */
export async function noteDevices(
  ctx: Context,
  tx: Db,
  hostUUID: string,
  online: readonly OnlineAccount[],
): Promise<number> {
  const now = ctx.clock.now()
  const reported = devicesOf(online, now)
  if (reported.length === 0) return 0
  const { maxDevices } = await currentSettings(tx)
  const most = Math.max(maxNetworks, networksPerDevice * maxDevices)
  const accepted = await withinLimit(tx, hostUUID, reported, most, new Date(now.getTime() - keepDevices))
  if (accepted.length > 0) await store.noteDevices(tx, hostUUID, accepted)
  return countInvented(tx, hostUUID, reported, accepted)
}

/** A widely shared link has that many devices too, so a few such accounts are no reason to distrust the host. */
async function countInvented(
  tx: Db,
  hostUUID: string,
  reported: readonly store.DeviceSighting[],
  accepted: readonly store.DeviceSighting[],
): Promise<number> {
  const isNoted = new Set(accepted)
  const dropped = reported.filter((device) => !isNoted.has(device))
  if (dropped.length === 0) return 0
  const accounts = await countAccounts(tx, hostUUID)
  return new Set(dropped.map(({ id }) => id)).size > stopsAllowed(accounts) ? dropped.length : 0
}

/** Each server has a limit of its own, so that none can keep others from reporting devices of an account. */
async function withinLimit(
  tx: Db,
  hostUUID: string,
  reported: readonly store.DeviceSighting[],
  most: number,
  since: Date,
): Promise<readonly store.DeviceSighting[]> {
  const byAccount = groupBy(reported, ({ id }) => id)
  const networkCounts = await store.countNetworks(tx, hostUUID, [...byAccount.keys()])
  const many = [...byAccount].filter(([id, devices]) => (networkCounts.get(id) ?? 0) + devices.length > most)
  if (many.length === 0) return reported
  const ids = many.map(([id]) => id)
  await store.forgetAbsentDevices(tx, since, ids)
  const storedNetworks = groupBy(
    await store.networksOf(tx, hostUUID, ids),
    ({ account_uuid }) => account_uuid,
  )
  const newNetworks = new Map<string, Set<string>>()
  for (const id of ids) newNetworks.set(id, new Set(storedNetworks.get(id)?.map(({ network }) => network)))
  return reported.filter(({ id, network }) => {
    const networks = newNetworks.get(id)
    if (!networks || networks.has(network)) return true
    return networks.size < most && networks.add(network)
  })
}

/** Counts networks, because a user with one IPv6 address has 2^64 of them. */
export const deviceAt = (address: string): string => networkOf(readAddress(address) ?? address)

function devicesOf(online: readonly OnlineAccount[], at: Date): store.DeviceSighting[] {
  const devices = new Map<string, store.DeviceSighting>()
  for (const { id, addresses } of online)
    for (const network of addresses.map(deviceAt)) devices.set(`${id} ${network}`, { id, network, at })
  return [...devices.values()].sort((a, b) => (a.id + a.network < b.id + b.network ? -1 : 1))
}
