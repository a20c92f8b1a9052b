import type { openAccessLog } from './access-log.ts'
import type { Clock } from './clock.ts'
import type { ConfirmedAddresses } from './confirmed.ts'
import type { Connections } from './connections.ts'
import type { ServerCore, Users } from './core.ts'
import type { Peer } from './cut.ts'
import type { List } from './list.ts'
import { type Account, activeOf, changesBetween } from './reconcile.ts'
import { reasonOf } from './retry.ts'

export interface StaleConnection extends Peer {
  readonly id: string
}

export interface Surroundings {
  readonly core: Pick<ServerCore, 'users' | 'count' | 'add' | 'remove'>
  readonly clock: Pick<Clock, 'now'>
  readonly accessLog: Pick<ReturnType<typeof openAccessLog>, 'read'>
  readonly connections: Pick<Connections, 'note' | 'of' | 'ownerOf' | 'forget'>
  readonly confirmed: Pick<ConfirmedAddresses, 'ask' | 'has'>
  readonly ownAddresses: () => Promise<ReadonlySet<string>>
  readonly say: (line: string) => void
  readonly list: () => List
  readonly writeCoreFile: (users: Users) => Promise<boolean>
  readonly cut: (stale: readonly StaleConnection[]) => Promise<void>
}

interface Waiting {
  readonly gone: StaleConnection
  readonly asks: number
}

/** A connection that the core does not confirm is checked again in this many passes, one per second. */
const maxChecks = 60
const maxWaiting = 20_000

/** Every n-th pass compares all users even if their number is unchanged. */
const fullPassEvery = 10

/**
 * One pass: applies the list to the core. Connections are cut before users are added, so that an account with a new
 * secret loses only its old connections. Returns the revision of each account that the core has applied. Throws when
 * the core is unreachable; any other failure is retried in the next pass.
 */
export function createEnforcer(env: Surroundings): () => Promise<ReadonlyMap<string, number>> {
  const { core, connections, confirmed, accessLog, clock, say } = env
  let passes = 0
  let lastApplied: Users = new Map()
  let waiting: Waiting[] = []
  const logFailure = (action: string, error: unknown) => {
    if (error) say(`${action}: ${reasonOf(error)}`)
  }

  async function cutRemoved(removed: readonly string[], activeUsers: Users): Promise<void> {
    const out = new Set(removed)
    for (const entry of accessLog.read()) {
      connections.note(entry)
      // It connected before it was removed, or uses a QUIC connection that is still open.
      if (!activeUsers.has(entry.id)) out.add(entry.id)
    }
    for (const id of out) {
      waiting.push(...connections.of(id).map((peer) => ({ gone: { id, ...peer }, asks: maxChecks })))
      connections.forget(id)
    }
    if (waiting.length > 0) await cutConfirmed()
  }

  /** Customers can forge log lines, so the core must have seen the account at that address. */
  async function cutConfirmed(): Promise<void> {
    let spentAsks = 1
    await confirmed.ask(new Set(waiting.map(({ gone }) => gone.id))).catch((error) => {
      spentAsks = 0
      logFailure('cannot ask the core who is connected', error)
    })
    const isConfirmed = ({ gone }: Waiting) => confirmed.has(gone.id, gone.address)
    const sure = waiting.filter(isConfirmed).map(({ gone }) => gone)
    const isCut = sure.length > 0 && (await cutOthers(sure))
    waiting = waiting
      .filter((one) => (isConfirmed(one) ? !isCut : one.asks > spentAsks))
      .map(({ gone, asks }) => ({ gone, asks: asks - spentAsks }))
      .slice(-maxWaiting)
  }

  async function cutOthers(stale: readonly StaleConnection[]): Promise<boolean> {
    try {
      const protectedAddresses = await env.ownAddresses()
      // Another account may have taken over the port in the meantime.
      const isStillTheirs = (one: StaleConnection) => (connections.ownerOf(one) ?? one.id) === one.id
      const others = stale.filter((one) => !protectedAddresses.has(one.address) && isStillTheirs(one))
      if (others.length > 0) await env.cut(others)
      return true
    } catch (error) {
      logFailure('cannot cut connections', error)
      return false
    }
  }

  async function change(activeUsers: Users): Promise<Users> {
    const has = await core.users()
    const { remove, add } = changesBetween(has, activeUsers)
    logFailure('cannot remove an account from the core', await core.remove(remove))
    await cutRemoved(remove, activeUsers)
    logFailure('cannot add an account to the core', await core.add(add))
    const now = remove.length + add.length > 0 ? await core.users() : has
    await env
      .writeCoreFile(activeUsers)
      .catch((error) => logFailure('cannot write the accounts for the core', error))
    return now
  }

  return async () => {
    const { epoch, accounts, heldBack } = env.list()
    // Without a list the agent removes nobody; the core keeps the accounts of its own file.
    if (epoch === '') return new Map()
    const activeUsers = activeOf(accounts, clock.now())
    const isQuiet = passes++ % fullPassEvery !== 0 && isSame(lastApplied, activeUsers)
    const isSettled = isQuiet && (await core.count()) === activeUsers.size
    const has = isSettled ? activeUsers : await change(activeUsers)
    if (isSettled) await cutRemoved([], activeUsers)
    lastApplied = isSame(has, activeUsers) ? activeUsers : new Map()
    // The control plane's list lacks these accounts, so none of its revisions applies to them.
    const heldBackIds = new Set(heldBack)
    const isApplied = ({ id }: Account) => has.get(id) === activeUsers.get(id) && !heldBackIds.has(id)
    return new Map(accounts.filter(isApplied).map(({ id, revision }) => [id, revision]))
  }
}

const isSame = (one: Users, other: Users): boolean =>
  one.size === other.size && [...one].every(([id, secret]) => other.get(id) === secret)
