import { day, defaultSettings } from '@kelid/contract'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { expireAccounts } from '../features/accounts/expire.job.ts'
import { type By, record } from '../features/audit/audit.ts'
import { signUp } from '../features/auth/auth.ts'
import { createAdmin } from '../features/auth/first-start.ts'
import { adjustCredit, setDebtLimit, setRate } from '../features/credit/adjustments.ts'
import { purgeEvents } from '../features/events/events.ts'
import { changeSettings } from '../features/settings/settings.ts'
import { setLevel } from '../features/user-admin/level.ts'
import { addDemoServer, addDemoTunnel, moveDemoServer } from './add-hosts.ts'
import { careOf } from './care.ts'
import { demoActor, fillAction, hearFromHosts } from './demo.store.ts'
import { demoServers, demoTunnels } from './hosts.ts'
import { upkeepOf } from './keep-hosts.ts'
import { type MovingClock, movingClock } from './moving-clock.ts'
import { administrator, assistant, type Reseller, resellers } from './people.ts'
import { planBusiness } from './plan.ts'
import { pretendUsage } from './pretended-usage.store.ts'
import { randomFrom } from './random.ts'
import { openTrade } from './trade.ts'

const seed = 20_260_321
const openedAgo = 210
export const silentHosts = ['tor-1']

export interface FillOptions {
  /** How much of the business, for tests that want less of it. */
  readonly share?: number
  readonly passwordOf: (email: string) => string
}

interface Step {
  ago: number
  run: () => Promise<unknown>
}

const byAdmin: By = { email: administrator, address: '203.0.113.5' }

/** Months of a small business, done one after the other by the product's own rules in one transaction. */
export async function fill(outside: Context, tx: Tx, { share = 1, passwordOf }: FillOptions): Promise<void> {
  const now = outside.clock.now().getTime()
  const clock = movingClock(now - openedAgo * day, now)
  const ctx: Context = { ...outside, db: tx, clock, atomically: (work) => work(tx) }
  const by = { email: demoActor, address: '' }
  await record(ctx, tx, by, fillAction, demoActor, { seed })
  await createAdmin(ctx, administrator, passwordOf(administrator), by)
  for (const { ago, run } of stepsOf(ctx, clock, share, passwordOf)) {
    clock.moveTo(now - ago * day)
    await run()
  }
  clock.moveTo(now)
  await expireAccounts(ctx)
  await pretendUsage(tx, clock.now())
  await hearFromHosts(tx, silentHosts, clock.now())
  await purgeEvents(ctx)
}

function stepsOf(
  ctx: Context,
  clock: MovingClock,
  share: number,
  passwordOf: FillOptions['passwordOf'],
): Step[] {
  const random = randomFrom(seed)
  const servers = demoServers(random)
  const tunnels = demoTunnels(random)
  const trade = openTrade(ctx, clock, byAdmin)
  const join = (email: string) =>
    signUp(
      ctx,
      { address: `203.0.113.${random.whole(20, 250)}`, userAgent: 'demo' },
      { email, password: passwordOf(email) },
    )
  const steps: Step[] = [
    { ago: openedAgo - 0.5, run: () => changeSettings(ctx, byAdmin, { pointsPerDay: prices }) },
    { ago: 204, run: () => join(assistant) },
    { ago: 203.9, run: () => setLevel(ctx, byAdmin, { userEmail: assistant, value: 6 }) },
    ...servers.map((server) => ({
      ago: server.added,
      run: () => addDemoServer(ctx, clock, byAdmin, server),
    })),
    ...tunnels.map((tunnel) => ({
      ago: tunnel.added,
      run: () => addDemoTunnel(ctx, clock, byAdmin, tunnel),
    })),
    ...servers
      .slice(2, 3)
      .map((server) => ({ ago: 45, run: () => moveDemoServer(ctx, clock, byAdmin, server) })),
    ...upkeepOf(ctx, clock, byAdmin, servers, tunnels),
    ...resellers.map((reseller) => ({
      ago: reseller.joined,
      run: async () => {
        await join(reseller.email)
        await welcome(ctx, reseller)
      },
    })),
    ...careOf(ctx, byAdmin),
    ...planBusiness(random, share)
      .filter(({ ago, sale }) => ago > (sale.reseller.suspended ?? 0))
      .map((deed) => ({ ago: deed.ago, run: () => trade(deed) })),
  ]
  return steps.sort((a, b) => b.ago - a.ago)
}

const prices = { ...defaultSettings.pointsPerDay, trojan: 12 }

async function welcome(ctx: Context, { email, rate, debtLimit }: Reseller): Promise<void> {
  await adjustCredit(ctx, byAdmin, { userEmail: email, amount: 300, reason: 'welcome: a month to try' })
  if (rate) await setRate(ctx, byAdmin, { userEmail: email, userCustomCreditRate: rate })
  if (debtLimit) await setDebtLimit(ctx, byAdmin, { userEmail: email, value: debtLimit })
}
