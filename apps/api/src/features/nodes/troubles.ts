import type { Context, Db } from '../../context.ts'
import { announceHost, type HeardHost } from '../hosts/kinds.ts'
import * as store from './troubles.store.ts'

type Reported = Parameters<typeof store.replaceTroubles>[2]

/** A missing list says nothing: the agent is older, or has just started. */
export async function takeTroubles(ctx: Context, tx: Db, host: HeardHost, troubles: Reported | undefined) {
  if (!troubles) return
  const byKind = new Map(troubles.map((trouble) => [trouble.kind, trouble]))
  const isNews = await store.replaceTroubles(tx, host.uuid, [...byKind.values()], ctx.clock.now())
  if (isNews) await announceHost(ctx, tx, host, host.state)
}

export const hostTroubles = async (db: Db) =>
  (await store.listTroubles(db)).map(({ kind, since, ...trouble }) => ({
    ...trouble,
    trouble: kind,
    sinceDate: since.toISOString(),
  }))

export const troublesOf = async (db: Db, uuid: string) =>
  (await hostTroubles(db))
    .filter((trouble) => trouble.uuid === uuid)
    .map(({ trouble, detail, repaired, sinceDate }) => ({ trouble, detail, repaired, sinceDate }))
