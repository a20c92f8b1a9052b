import type { Db } from '../../context.ts'
import { currentSettings } from '../settings/settings.ts'
import * as store from './replacements.store.ts'

/** What the dashboard shows of hosts whose accounts get other hosts. */
export async function openReplacements(db: Db) {
  const open = await store.openReplacements(db)
  const names = await store.namesOf(
    db,
    open.map((one) => one.host_uuid),
  )
  return Promise.all(
    open.map(async (one) => ({
      ...{ subject: one.kind, uuid: one.host_uuid, name: names.get(one.host_uuid) ?? '' },
      ...{ reason: one.reason, onlyBlocked: one.only_blocked, sinceDate: one.started_at.toISOString() },
      ...{ moved: one.moved, stuck: one.stuck },
      left: (await store.countWays(db, { kind: one.kind, uuid: one.host_uuid }, one)).ways,
    })),
  )
}

/** Hosts that are down and keep their accounts, because nobody is asked to move them. */
export async function replaceableHosts(db: Db, now: Date) {
  const { replaceDownAfter } = await currentSettings(db)
  if (replaceDownAfter > 0) return []
  const open = (await store.openReplacements(db)).filter((one) => !one.only_blocked)
  return (await store.downSince(db, now))
    .filter(({ uuid }) => !open.some((one) => one.host_uuid === uuid))
    .map(({ kind, since, share: _, ...host }) => ({
      ...host,
      subject: kind,
      sinceDate: since.toISOString(),
    }))
}
