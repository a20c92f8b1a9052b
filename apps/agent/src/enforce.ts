import type { openAccessLog } from './access-log.ts'
import type { Clock } from './clock.ts'
import type { Connections, Presence } from './connections.ts'
import type { ServerCore } from './core.ts'
import type { RefusedDevice } from './core-rules.ts'
import type { Cutter } from './cutters.ts'
import type { List } from './list.ts'
import { type Account, activeOf, changesBetween, type Users } from './reconcile.ts'
import { isRefused } from './refuse.ts'
import { reasonOf } from './retry.ts'

export interface Surroundings {
  readonly core: Pick<ServerCore, 'users' | 'count' | 'add' | 'remove' | 'onlineIds' | 'onlineOf'>
  readonly clock: Pick<Clock, 'now'>
  readonly accessLog: Pick<ReturnType<typeof openAccessLog>, 'read'>
  readonly connections: Pick<Connections, 'note' | 'confirmedOf'>
  readonly ownAddresses: () => Promise<ReadonlySet<string>>
  readonly say: (line: string) => void
  readonly list: () => List
  readonly refused: () => readonly RefusedDevice[]
  readonly writeCoreFile: (users: Users) => Promise<boolean>
  readonly cutter: Cutter
}

/** Every n-th pass compares all users even if their number is unchanged. */
const fullPassEvery = 10
/** In passes, one per second. Then a new secret works although the old connections could not be cut. */
const waitAtMost = 3

/**
 * One pass: applies the list to the core and cuts the connections of accounts that are online and not wanted. Returns
 * the revision of each account that is applied: let in, or refused and no longer online. Throws when the core is
 * unreachable; any other failure is retried in the next pass.
 */
export function createEnforcer(env: Surroundings): () => Promise<ReadonlyMap<string, number>> {
  const { core, connections, accessLog, clock, cutter, say } = env
  let passes = 0
  let lastApplied: Users = new Map()
  /** Accounts whose connections are to be cut, and the passes since. */
  const cutting = new Map<string, number>()
  const formerSecrets = new Map<string, string>()
  const logFailure = (action: string, error: unknown) => {
    if (error) say(`${action}: ${reasonOf(error)}`)
  }

  /**
   * Accounts that are not to come in as they once did, and refused devices of others. Removed accounts stay in the
   * core's online list while they live.
   */
  async function cutUnwanted(isUnwanted: (id: string) => boolean, removed: readonly string[]): Promise<void> {
    // An idle QUIC connection is not in the online list and would stay authenticated.
    const idle = connections.confirmedOf(new Set(removed))
    try {
      const refused = env.refused()
      const refusedIds = new Set(refused.map(({ id }) => id))
      const isLeaving = (id: string) => isUnwanted(id) || cutting.has(id)
      const ids = [...(await core.onlineIds())].filter((id) => isLeaving(id) || refusedIds.has(id))
      const addresses = ids.length > 0 ? await core.onlineOf(new Set(ids)) : new Map<string, object>()
      const online = [...addresses].flatMap(([id, own]) =>
        Object.keys(own).map((address) => ({ id, address })),
      )
      const leaving = new Set(online.map(({ id }) => id).filter(isLeaving))
      for (const id of cutting.keys()) if (!leaving.has(id)) cutting.delete(id)
      for (const id of leaving) cutting.set(id, (cutting.get(id) ?? 0) + 1)
      const unwanted = online.filter((presence) => isUnwanted(presence.id) || isRefused(refused, presence))
      const isAnyone = unwanted.length + idle.length > 0
      const protectedAddresses = isAnyone ? await env.ownAddresses() : new Set()
      const mayCut = ({ address }: Presence) => !protectedAddresses.has(address)
      await cutter.cut(unwanted.filter(mayCut), idle.filter(mayCut))
    } catch (error) {
      for (const id of removed) cutting.set(id, cutting.get(id) ?? 0)
      logFailure('cannot cut connections', error)
    }
  }

  async function change(has: Users, accounts: readonly Account[], wanted: Users): Promise<Users> {
    const { remove, add } = changesBetween(has, wanted)
    for (const id of remove) formerSecrets.set(id, has.get(id) ?? '')
    logFailure('cannot remove an account from the core', await core.remove(remove))
    accessLog.read(connections.note)
    const isReturning = (id: string) => wanted.has(id) && formerSecrets.get(id) === wanted.get(id)
    const isUnwanted = (id: string) => !wanted.has(id) || (has.get(id) !== wanted.get(id) && !isReturning(id))
    await cutUnwanted(isUnwanted, remove)
    const returning = add.map(([id]) => id).filter(isReturning)
    for (const id of returning) cutting.delete(id)
    await cutter
      .release(new Set(returning))
      .catch((error) => logFailure('cannot let an account in again at once', error))
    const entering = add.filter(([id]) => (cutting.get(id) ?? waitAtMost) >= waitAtMost)
    logFailure('cannot add an account to the core', await core.add(entering))
    const listed = new Set(accounts.map(({ id }) => id))
    for (const id of formerSecrets.keys()) if (!listed.has(id)) formerSecrets.delete(id)
    const now = remove.length + entering.length > 0 ? await core.users() : has
    await env
      .writeCoreFile(wanted)
      .catch((error) => logFailure('cannot write the accounts for the core', error))
    return now
  }

  return async () => {
    const { epoch, accounts, heldBack } = env.list()
    // Without a list the agent removes nobody; the core keeps the accounts of its own file.
    if (epoch === '') return new Map()
    const wanted = activeOf(accounts, clock.now())
    const isQuiet = passes++ % fullPassEvery !== 0 && isSame(lastApplied, wanted)
    const isSettled = isQuiet && (await core.count()) === wanted.size
    const has = isSettled ? wanted : await change(await core.users(), accounts, wanted)
    if (isSettled) {
      accessLog.read(connections.note)
      await cutUnwanted((id) => !wanted.has(id), [])
    }
    lastApplied = isSame(has, wanted) ? wanted : new Map()
    // The control plane's list lacks these accounts, so none of its revisions applies to them.
    const heldBackIds = new Set(heldBack)
    const isApplied = ({ id }: Account) =>
      has.get(id) === wanted.get(id) && !heldBackIds.has(id) && !cutting.has(id)
    return new Map(accounts.filter(isApplied).map(({ id, revision }) => [id, revision]))
  }
}

const isSame = (one: Users, other: Users): boolean =>
  one.size === other.size && [...one].every(([id, secret]) => other.get(id) === secret)
