import type { RunState } from '@kelid/contract'
import type { Db } from '../db/database.ts'

export const demoActor = 'demo'
export const fillAction = 'filldemo'

/** The audit log cannot be changed afterwards, so it is where the demo recognises its own. */
export const wasFilled = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('audit')
    .select('id')
    .where('actor', '=', demoActor)
    .where('action', '=', fillAction)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Takes the waiting run of a host out of the workers' hands. */
export const takeRun = (db: Db, subjectUuid: string, now: Date) =>
  db
    .updateTable('provision_runs')
    .set({ state: 'running', attempts: 1, started_at: now })
    .where('subject_uuid', '=', subjectUuid)
    .where('state', '=', 'queued')
    .returning(['uuid', 'subject', 'subject_uuid'])
    .executeTakeFirstOrThrow()

export async function endRun(db: Db, uuid: string, state: RunState, now: Date): Promise<void> {
  await db.updateTable('provision_runs').set({ state, finished_at: now }).where('uuid', '=', uuid).execute()
}

export async function markAbused(db: Db, uuid: string, devices: number, now: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ abused: true, enabled: false, abuse_devices: devices, abuse_seen_at: now })
    .where('uuid', '=', uuid)
    .execute()
}

/** As if every host that is ready had just spoken, but for those named. */
export async function hearFromHosts(db: Db, silent: readonly string[], now: Date): Promise<void> {
  for (const table of ['servers', 'tunnels'] as const)
    await db
      .updateTable(table)
      .set({ last_seen_at: now })
      .where('state', '=', 'ready')
      .where('name', 'not in', [...silent])
      .execute()
}
