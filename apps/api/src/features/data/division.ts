/** What one server may still let an account use. Counts are of the server's frame. */
export interface Lease {
  readonly server: string
  readonly spent: number
  /** The count that the server should hold. */
  readonly offered: number
  /** The largest count that the server may hold. */
  readonly until: number
  /** It moved bytes within the last minute. */
  readonly isActive: boolean
  /** false: the account has left the server. */
  readonly isWay: boolean
  /** It has not reported for minutes, although others have. */
  readonly isSilent: boolean
}

export interface Limit {
  readonly bytes: number
  readonly used: number
  readonly ways: number
  /** false: other servers may hold what seems to be free. */
  readonly mayRaise: boolean
}

export interface Offer {
  readonly server: string
  readonly offered: number
  /** The server should not wait for its next report. */
  readonly isUrgent: boolean
}

/** At least this is worth an answer: more than two seconds at 100 Mbit/s. */
const chunk = 32 * 2 ** 20

/** An account may pass its limit, or be cut early, by at most so much. */
export const boundOf = (bytes: number): number => Math.max(64 * 2 ** 20, Math.floor(bytes / 100))

/**
 * Divides the bytes that are left among the ways of an account, so that all leases together never allow more. The only
 * way gets everything. Of several, one that moves bytes gets half of what is free, and the others keep a share, which
 * goes to nothing near the end. A server with too little calls back what others hold; they have it until they say that
 * they gave it back.
 */
export function divide({ bytes, used, ways, mayRaise }: Limit, leases: readonly Lease[]): Offer[] {
  const left = Math.max(0, bytes - used)
  const shares = leases.map((lease) => ({ lease, room: lease.isWay ? roomOf(lease) : 0, isUrgent: false }))
  type Share = (typeof shares)[number]
  const isAnyActive = shares.some(({ lease }) => lease.isWay && lease.isActive)
  const share = Math.floor(left / (2 * ways))
  const resting = left > boundOf(bytes) ? share : isAnyActive ? 0 : Math.floor(left / ways)
  const enough = ({ lease }: Share) => (lease.isActive ? Math.max(resting, chunk) : resting)
  const isLow = (one: Share) => one.room < enough(one) / 2

  const reserved = ({ lease, room }: Share) => Math.max(room, lease.until - lease.spent, 0)
  const freeFor = (one: Share, isCounted: (other: Share) => boolean) => {
    const others = shares.filter((other) => other !== one && isCounted(other))
    return others.reduce((free, other) => free - reserved(other), left)
  }
  const isReserved = ({ lease }: Share) => lease.isWay || !lease.isSilent
  const raise = (one: Share, room: number) => {
    // A server that cannot let the account in waits for this.
    if (room > one.room && isLow(one)) one.isUrgent = true
    one.room = Math.max(one.room, room)
  }

  const own = shares.filter(({ lease }) => lease.isWay)
  for (const one of own) one.room = Math.max(0, Math.min(one.room, freeFor(one, isReserved)))
  const heard = own.filter(({ lease }) => mayRaise && !lease.isSilent).toSorted(byNeed)
  for (const one of heard) {
    const free = freeFor(one, isReserved)
    if (ways === 1) raise(one, free)
    else if (isLow(one))
      raise(
        one,
        Math.min(free, one.lease.isActive ? Math.max(enough(one), Math.floor(free / 2)) : enough(one)),
      )
  }
  const short = heard.filter((one) => isLow(one) && one.room < left)
  if (ways === 1 || short.length === 0) return shares.map(toOffer)
  for (const one of own.filter((other) => !short.includes(other))) {
    const target = one.lease.isActive ? Math.max(resting, Math.floor(one.room / 2)) : resting
    const isCalledBack = reserved(one) > one.room
    if (isCalledBack || one.room > target) one.isUrgent = true
    if (!isCalledBack) one.room = Math.min(one.room, target)
  }
  // A host that is down must not keep what is left. If it still serves, the account may pass its limit there.
  for (const one of short)
    raise(
      one,
      Math.min(
        enough(one),
        freeFor(one, ({ lease }) => !lease.isSilent),
      ),
    )
  return shares.map(toOffer)
}

const roomOf = ({ offered, spent }: Lease): number => Math.max(0, offered - spent)

const byNeed = (one: { lease: Lease; room: number }, other: { lease: Lease; room: number }): number =>
  Number(other.lease.isActive) - Number(one.lease.isActive) || one.room - other.room

const toOffer = ({ lease, room, isUrgent }: { lease: Lease; room: number; isUrgent: boolean }): Offer => ({
  server: lease.server,
  offered: Math.min(lease.spent + room, Number.MAX_SAFE_INTEGER),
  isUrgent,
})
