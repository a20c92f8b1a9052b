import type { openAccessLog } from './access-log.ts'
import type { Clock } from './clock.ts'
import type { Connections } from './connections.ts'
import type { Core, Users } from './core.ts'
import type { Peer } from './cut.ts'
import type { List } from './list.ts'
import { activeOf, changesBetween } from './reconcile.ts'

export interface Gone extends Peer {
  readonly id: string
}

export interface Surroundings {
  readonly core: Core
  readonly clock: Clock
  readonly accessLog: ReturnType<typeof openAccessLog>
  readonly connections: Connections
  readonly list: () => List
  readonly writeCoreFile: (users: Users) => Promise<boolean>
  readonly cut: (gone: readonly Gone[]) => Promise<void>
}

/** Every so many looks are whole ones, whatever the number of users says. */
const wholeLookEvery = 10

/**
 * One look: who may come in and who does, and the difference made good. Whoever was put out is cut before anybody is let
 * in, so that an account with a new secret loses the connections of the old one and not its own. Answers the accounts, by
 * their revision, that the core by now lets in or keeps out as the list has it.
 */
export function createEnforcer(around: Surroundings): () => Promise<ReadonlyMap<string, number>> {
  const { core, connections, accessLog, clock } = around
  let looks = 0
  let settled: Users = new Map()

  async function changeCore(wanted: Users): Promise<Users> {
    const isWhole = looks++ % wholeLookEvery === 0
    if (!isWhole && isSame(settled, wanted) && (await core.count()) === wanted.size) return wanted
    const has = await core.users()
    const { remove, add } = changesBetween(has, wanted)
    await core.remove(remove)
    await cutThose(remove, wanted)
    await core.add(add)
    await around.writeCoreFile(wanted)
    return remove.length + add.length > 0 ? core.users() : has
  }

  async function cutThose(removed: readonly string[], wanted: Users): Promise<void> {
    const out = new Set(removed)
    for (const seen of accessLog.read()) {
      connections.note(seen)
      // It came in before it was put out, or on a QUIC connection that still stands.
      if (!wanted.has(seen.id)) out.add(seen.id)
    }
    const gone = [...out].flatMap((id) => connections.of(id).map((peer) => ({ id, ...peer })))
    if (gone.length > 0) await around.cut(gone)
    for (const id of out) connections.forget(id)
  }

  return async () => {
    const { epoch, accounts } = around.list()
    // Without a list nobody knows who belongs here, and whoever the core has from its own file stays.
    if (epoch === '') return new Map()
    const wanted = activeOf(accounts, clock.now())
    const has = await changeCore(wanted)
    await cutThose([], wanted)
    settled = isSame(has, wanted) ? wanted : new Map()
    return new Map(
      accounts.filter(({ id }) => has.get(id) === wanted.get(id)).map(({ id, revision }) => [id, revision]),
    )
  }
}

const isSame = (one: Users, other: Users): boolean =>
  one.size === other.size && [...one].every(([id, secret]) => other.get(id) === secret)
