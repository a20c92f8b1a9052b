import { sql } from 'kysely'
import { type Db, only } from '../../db/database.ts'
import type { Source } from './usage.store.ts'

/** Older starts are dropped; only a very late report of one would count twice. */
const maxBoots = 64

export async function registerBoot(
  tx: Db,
  { hostUUID, bootId }: Source,
  now: Date,
  since: Date,
  most: number,
): Promise<boolean> {
  const { is_known, recent } = await only(
    tx,
    sql<{ is_known: boolean; recent: number }>`SELECT
      EXISTS (SELECT FROM node_boots WHERE host_uuid = ${hostUUID} AND boot_id = ${bootId}) AS is_known,
      (SELECT count(*) FROM node_boots WHERE host_uuid = ${hostUUID} AND at > ${since}) AS recent`,
  )
  if (is_known || recent >= most) return is_known
  await tx.insertInto('node_boots').values({ host_uuid: hostUUID, boot_id: bootId, at: now }).execute()
  await sql`WITH dropped AS (
      DELETE FROM node_boots WHERE host_uuid = ${hostUUID} AND boot_id IN (
        SELECT boot_id FROM node_boots WHERE host_uuid = ${hostUUID} ORDER BY at DESC, boot_id = ${bootId} DESC OFFSET ${maxBoots})
      RETURNING boot_id
    ) DELETE FROM usage_counters c USING dropped WHERE c.host_uuid = ${hostUUID} AND c.boot_id = dropped.boot_id`.execute(
    tx,
  )
  return true
}

export async function forgetBoots(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM node_boots b WHERE at < ${before} AND NOT EXISTS (
    SELECT FROM usage_counters c WHERE c.host_uuid = b.host_uuid AND c.boot_id = b.boot_id)`.execute(db)
}
