import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { PlanRow } from '../../db/schema.ts'

export type PlanRecord = Selectable<PlanRow>

const inOrder = (db: Db) => db.selectFrom('plans as p').selectAll('p').orderBy('p.position').orderBy('p.uuid')

export interface PlanBuyer {
  readonly userId: number
  /** Administrators may buy every plan that is active. */
  readonly isAdmin: boolean
}

const onOffer = (db: Db, { userId, isAdmin }: PlanBuyer) =>
  inOrder(db)
    .where('p.active', '=', true)
    .where(
      sql<boolean>`(${isAdmin}::boolean OR p.for_all OR EXISTS
        (SELECT FROM plan_resellers r WHERE r.plan_uuid = p.uuid AND r.user_id = ${userId}))`,
    )

export const findPlansFor = (db: Db, buyer: PlanBuyer): Promise<PlanRecord[]> => onOffer(db, buyer).execute()

export const findPlanFor = (db: Db, buyer: PlanBuyer, uuid: string): Promise<PlanRecord | undefined> =>
  onOffer(db, buyer).where('p.uuid', '=', uuid).executeTakeFirst()

export interface ManagedPlan extends PlanRecord {
  readonly resellers: readonly string[]
}

const managed = (db: Db) =>
  inOrder(db).select(
    sql<string[]>`ARRAY(SELECT u.email::text FROM plan_resellers r JOIN users u ON u.id = r.user_id
      WHERE r.plan_uuid = p.uuid ORDER BY u.email)`.as('resellers'),
  )

export const findPlans = (db: Db): Promise<ManagedPlan[]> => managed(db).execute()

export const findPlan = (db: Db, uuid: string): Promise<ManagedPlan | undefined> =>
  managed(db).where('p.uuid', '=', uuid).executeTakeFirst()

/** Changes of plans take turns, because their order is one of all. Purchases do not wait for them. */
export async function lockPlans(tx: Db): Promise<void> {
  await sql`LOCK TABLE plans IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
}

export async function insertPlan(tx: Db, plan: Insertable<PlanRow>): Promise<void> {
  await tx.insertInto('plans').values(plan).execute()
}

export async function updatePlan(tx: Db, uuid: string, change: Updateable<PlanRow>): Promise<void> {
  await tx.updateTable('plans').set(change).where('uuid', '=', uuid).execute()
}

export async function deletePlan(tx: Db, uuid: string): Promise<void> {
  await tx.deleteFrom('plans').where('uuid', '=', uuid).execute()
}

/** Returns how many of the users there are. */
export async function setResellers(tx: Db, plan: string, emails: readonly string[]): Promise<number> {
  await tx.deleteFrom('plan_resellers').where('plan_uuid', '=', plan).execute()
  const { numAffectedRows } = await sql`INSERT INTO plan_resellers (plan_uuid, user_id)
    SELECT ${plan}::uuid, id FROM users WHERE email = ANY (${[...emails]}::text[])`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function setPositions(tx: Db, uuids: readonly string[]): Promise<void> {
  await sql`UPDATE plans SET position = array_position(${[...uuids]}::uuid[], uuid)`.execute(tx)
}
