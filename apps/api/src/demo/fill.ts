import { day, defaultSettings } from '@kelid/contract'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { expireAccounts } from '../features/accounts/expire.job.ts'
import { record } from '../features/audit/audit.ts'
import { signUp } from '../features/auth/auth.ts'
import { createAdmin } from '../features/auth/first-start.ts'
import { adjustCredit, setDebtLimit, setRate } from '../features/credit/adjustments.ts'
import { purgeEvents } from '../features/events/events.ts'
import { changeSettings } from '../features/settings/settings.ts'
import { setLevel } from '../features/user-admin/level.ts'
import { careOf } from './care.ts'
import { demoActor, fillAction, hearFromHosts, pretendUsage } from './demo.store.ts'
import { demoHosts, pretendRun } from './hosts.ts'
import { administrator, assistant, type Reseller, resellers } from './people.ts'
import { planBusiness } from './plan.ts'
import { randomFrom } from './random.ts'
import { addPlans } from './sold-plans.ts'
import { movingClock, type Stage, type Step } from './stage.ts'
import { openTrade } from './trade.ts'
import { upkeepOf } from './upkeep.ts'

const seed = 20_260_321
const openedAgo = 210
const pointsPerDay = { ...defaultSettings.pointsPerDay, trojan: 12 }
export const silentHosts = ['tor-1']

export interface FillOptions {
  readonly share?: number
  readonly passwordOf: (email: string) => string
}

export async function fill(outside: Context, tx: Tx, options: FillOptions): Promise<void> {
  const now = outside.clock.now().getTime()
  const clock = movingClock(now - openedAgo * day, now)
  const ctx: Context = { ...outside, db: tx, clock, atomically: (work) => work(tx) }
  const by = { email: demoActor, address: '' }
  await record(ctx, tx, by, fillAction, demoActor, { seed })
  await createAdmin(ctx, administrator, options.passwordOf(administrator), by)
  const stage = { ctx, clock, by: { email: administrator, address: '203.0.113.5' } }
  for (const [ago, run] of stepsOf(stage, options)) {
    clock.moveTo(now - ago * day)
    await run()
  }
  clock.moveTo(now)
  await expireAccounts(ctx)
  await pretendUsage(tx, clock.now())
  await hearFromHosts(tx, silentHosts, clock.now())
  await purgeEvents(ctx)
}

function stepsOf(stage: Stage, { share = 1, passwordOf }: FillOptions): Step[] {
  const { ctx, by } = stage
  const random = randomFrom(seed)
  const hosts = demoHosts(random)
  const trade = openTrade(stage)
  const join = (email: string) => {
    const origin = { address: `203.0.113.${random.whole(20, 250)}`, userAgent: 'demo' }
    return signUp(ctx, origin, { email, password: passwordOf(email) })
  }
  const steps: Step[] = [
    [openedAgo - 0.5, () => changeSettings(ctx, by, { pointsPerDay })],
    [openedAgo - 0.4, () => addPlans(stage)],
    [204, () => join(assistant)],
    [203.9, () => setLevel(ctx, by, { userEmail: assistant, value: 6 })],
    ...hosts.map((host): Step => [host.added, () => host.add(stage).then(() => pretendRun(stage, host))]),
    ...upkeepOf(stage, hosts),
    ...resellers.map(
      (reseller): Step => [reseller.joined, () => join(reseller.email).then(() => welcome(stage, reseller))],
    ),
    ...careOf(stage),
    ...planBusiness(random, share)
      .filter(({ ago, sale }) => ago > (sale.reseller.suspended ?? 0))
      .map((action): Step => [action.ago, () => trade(action)]),
  ]
  return steps.sort(([one], [other]) => other - one)
}

async function welcome({ ctx, by }: Stage, { email: userEmail, rate, debtLimit }: Reseller): Promise<void> {
  await adjustCredit(ctx, by, { userEmail, amount: 300, reason: 'welcome: a month to try' })
  if (rate) await setRate(ctx, by, { userEmail, userCustomCreditRate: rate })
  if (debtLimit) await setDebtLimit(ctx, by, { userEmail, value: debtLimit })
}
