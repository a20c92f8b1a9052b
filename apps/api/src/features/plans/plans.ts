import { isAdminLevel, Refusal } from '@kelid/contract'
import type { Db } from '../../context.ts'
import type { PlanTerms } from '../../db/schema.ts'
import type { Caller } from '../auth/auth.ts'
import type { Cost } from '../credit/money.ts'
import type { PlanRecord } from './plans.store.ts'
import * as store from './plans.store.ts'

export type { PlanRecord } from './plans.store.ts'

type Buyer = Pick<Caller, 'userId' | 'level'>

const toBuyer = ({ userId, level }: Buyer): store.PlanBuyer => ({ userId, isAdmin: isAdminLevel(level) })

export const plansFor = (db: Db, caller: Buyer): Promise<PlanRecord[]> =>
  store.findPlansFor(db, toBuyer(caller))

/** A plan that ended, is for others or never was: the buyer need not know which. */
export async function planFor(db: Db, caller: Buyer, uuid: string): Promise<PlanRecord> {
  const plan = await store.findPlanFor(db, toBuyer(caller), uuid)
  if (!plan) throw new Refusal('PLAN_NOT_SOLD')
  return plan
}

export function requireQuotedPlan(
  { quotedPlanRevision }: { quotedPlanRevision?: number | undefined },
  { revision }: PlanRecord,
): void {
  if (quotedPlanRevision !== undefined && quotedPlanRevision !== revision) throw new Refusal('QUOTE_CHANGED')
}

/** Instead of the prices in the settings. */
export const planPrice = ({ points, tunnel_credit: tunnelCredit }: PlanRecord): Cost => ({
  points,
  tunnelCredit,
})

/** What an account keeps of the plan that sold it. */
export const soldBy = ({ uuid, names, ways, devices }: PlanRecord) => ({
  plan_uuid: uuid,
  plan_names: names,
  plan_terms: { ways, devices } satisfies PlanTerms,
})
