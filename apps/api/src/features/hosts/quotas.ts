import { limits, providerGigabyte, type QuotaState } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { readRow, updateHost } from './hosts.store.ts'
import { announceHost, type Host } from './kinds.ts'
import { servicesAt } from './occupancy.ts'
import { providerMonth } from './provider-month.ts'
import * as store from './quotas.store.ts'

export type QuotaColumns = Pick<store.QuotaHost, 'ipv4' | 'quota' | 'quota_day' | 'quota_state'>

const stateOf = (quota: number, bytes: number): QuotaState => {
  const allowed = quota * providerGigabyte
  if (quota === 0 || bytes < allowed * limits.lowDataShare) return ''
  return bytes < allowed ? 'low' : 'exhausted'
}

/** What machines have carried in the present month of their provider, by address. */
async function usedBy(db: Db, hosts: readonly QuotaColumns[], now: Date) {
  const months = new Map(
    hosts
      .filter(({ quota }) => quota > 0)
      .map(({ ipv4, quota_day }) => [ipv4, providerMonth(quota_day, now)] as const),
  )
  const machines = [...months].map(([ipv4, { from }]) => ({ ipv4, from }))
  const bytes = machines.length > 0 ? await store.bytesAt(db, machines) : new Map<string, number>()
  return (ipv4: string) => ({ month: months.get(ipv4), bytes: bytes.get(ipv4) ?? 0 })
}

/** What replies say of the quotas of these hosts. */
export async function quotaMonthsOf(db: Db, hosts: readonly QuotaColumns[], now: Date) {
  const used = await usedBy(db, hosts, now)
  return ({ ipv4, quota_state: quotaState }: QuotaColumns) => {
    const { month, bytes } = used(ipv4)
    return month
      ? {
          ...{ quotaState, quotaUsed: bytes },
          quotaBeginDate: month.from.toISOString(),
          quotaEndDate: month.until.toISOString(),
        }
      : null
  }
}

export async function tightQuotas(db: Db, now: Date) {
  const tight = (await store.hostsWithQuota(db)).filter(({ quota_state }) => quota_state !== '')
  const used = await usedBy(db, tight, now)
  return tight
    .flatMap(({ kind: subject, uuid, name, ipv4, quota, quota_state: quotaState }) => {
      const { month, bytes } = used(ipv4)
      const quotaEndDate = month?.until.toISOString()
      return quotaEndDate ? [{ subject, uuid, name, quotaState, quota, quotaUsed: bytes, quotaEndDate }] : []
    })
    .toSorted((one, other) => other.quotaUsed / other.quota - one.quotaUsed / one.quota)
}

/** Counts again, of all machines or the one at an address. Returns how many hosts have changed their state. */
export async function countQuotas(ctx: Context, db: Db = ctx.db, ipv4?: string): Promise<number> {
  const hosts = await store.hostsWithQuota(db, ipv4)
  const used = await usedBy(db, hosts, ctx.clock.now())
  let changed = 0
  for (const host of hosts) {
    const next = stateOf(host.quota, used(host.ipv4).bytes)
    if (next === host.quota_state) continue
    const change = async (tx: Db) => {
      const state = await store.changeQuotaState(tx, host, next)
      if (state) await announceHost(ctx, tx, host, state)
      return state !== undefined
    }
    if (await (db === ctx.db ? ctx.atomically(change) : change(db))) changed += 1
  }
  return changed
}

async function copyQuota(ctx: Context, tx: Db, from: Host, to: Host): Promise<void> {
  const { quota, quota_day } = (await readRow(tx, from.kind, from.uuid)).row
  const { row } = await readRow(tx, to.kind, to.uuid)
  if (row.quota === quota && row.quota_day === quota_day) return
  await updateHost(tx, to.kind, to.uuid, { quota, quota_day })
  await announceHost(ctx, tx, to, row.state)
}

/** The provider counts the whole machine, so all its services get the quota of this one. The machine is held. */
export async function shareQuota(ctx: Context, tx: Db, host: Host): Promise<void> {
  const { row } = await readRow(tx, host.kind, host.uuid)
  for (const other of await servicesAt(tx, row.ipv4))
    if (other.uuid !== host.uuid) await copyQuota(ctx, tx, host, other)
  await countQuotas(ctx, tx, row.ipv4)
}

/** A host that has come to a machine has its quota, unless it brings one: that is for all services then. */
export async function joinQuota(
  ctx: Context,
  tx: Db,
  host: Host,
  [other]: readonly Host[],
  { bringsQuota }: { bringsQuota: boolean },
): Promise<void> {
  if (!other) return
  if (bringsQuota) await shareQuota(ctx, tx, host)
  else await copyQuota(ctx, tx, other, host)
}
