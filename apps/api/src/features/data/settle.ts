import type { KnownLease, LimitedAccount } from './data.store.ts'
import { divide } from './division.ts'

export interface Said {
  readonly frame: string
  readonly spent: number
  readonly until: number
}

/** The server that reports, and what it says of its lease. */
export interface Report {
  readonly server: string
  readonly isWay: boolean
  readonly said: Said
}

export interface Settled {
  readonly used: number
  /** Of the reporter, unless it said nothing new. */
  readonly leases: readonly KnownLease[]
  /** Servers that should not wait for their next report. */
  readonly urgent: readonly string[]
}

const activeFor = 60_000
/** 10 Gbit/s. What a host says beyond that is counted later, if it is true. */
const bytesPerMs = 1_250_000
export const cap = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

/** Counts what a server says of an account, and divides what is left among its servers. */
export function settle(
  account: LimitedAccount,
  known: readonly KnownLease[],
  report: Report | null,
  now: Date,
  isSilent: (heardAt: Date | null) => boolean,
): Settled {
  /** false: servers may hold what a restored database does not know. */
  const isSettled = isSilent(null)
  const counted = report && count(account, known, report, now, isSettled)
  const leases = counted
    ? [...known.filter(({ server_uuid }) => server_uuid !== report.server), counted.lease]
    : known
  const used = cap(account.used + (counted?.growth ?? 0))
  const mayRaise = account.ways === 1 || account.unheard === 0 || isSettled
  const offeredTo = ({ offered, held, spent }: KnownLease) =>
    mayRaise ? offered : Math.min(offered, Math.max(held, spent))
  const offers = divide(
    { ...account, used, mayRaise },
    leases.map((one) => ({
      ...{ server: one.server_uuid, spent: one.spent, offered: offeredTo(one), until: one.until },
      isActive: now.getTime() - one.at.getTime() < activeFor,
      isWay: one.is_way,
      isSilent: one !== counted?.lease && isSilent(one.heard_at),
    })),
  )
  const next = leases.map((lease, index) => {
    const { offered = lease.offered } = offers[index] ?? {}
    // What was offered and not confirmed may be held.
    return { ...lease, offered, until: Math.max(lease.until, offered) }
  })
  const urgent = offers.filter(({ isUrgent, server }) => isUrgent && server !== report?.server)
  return { used, leases: next, urgent: urgent.map(({ server }) => server) }
}

/**
 * The count of a frame never ends, so nothing is lost or counted twice when reports, their answers, or the last hours of
 * this database are lost.
 */
function count(
  account: LimitedAccount,
  leases: readonly KnownLease[],
  { server, isWay, said }: Report,
  now: Date,
  isSettled: boolean,
): { lease: KnownLease; growth: number } | undefined {
  const known = leases.find(({ server_uuid }) => server_uuid === server)
  const isSameFrame = known?.frame === said.frame
  // A server that the account has left may add to what it counted, and no more.
  if (!isWay && !isSameFrame) return undefined
  const before = isSameFrame ? known.spent : 0
  const since = known?.at ?? account.created_at
  const plausible = bytesPerMs * (Math.max(0, now.getTime() - since.getTime()) + activeFor)
  const allowed = isSameFrame ? known.until : 0
  // Less is an older report that arrives late, or of a host that lost its power with its last bytes.
  const growth = Math.max(0, Math.min(said.spent - before, plausible))
  const lease = {
    ...{ account_uuid: account.uuid, server_uuid: server, is_way: isWay, heard_at: now },
    ...{ frame: said.frame, spent: before + growth, held: said.until },
    offered: isSameFrame ? known.offered : growth,
    // A server gives back by saying so. It gets no more by saying so.
    until: Math.max(isSettled ? Math.min(said.until, allowed) : said.until, before + growth),
    at: growth > 0 ? now : (known?.at ?? new Date(now.getTime() - activeFor)),
  }
  return { lease, growth }
}
