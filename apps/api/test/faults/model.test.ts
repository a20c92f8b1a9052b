import { randomUUID } from 'node:crypto'
import { addPlan, changePlan, defaultSettings, setPlanActive, setSettings } from '@kelid/contract'
import { expect, test } from 'vitest'
import { expireAccounts } from '../../src/features/accounts/expire.job.ts'
import { beginPeriods } from '../../src/features/accounts/new-periods.job.ts'
import type { Person } from '../product.ts'
import { trojanServer } from '../sample-hosts.ts'
import { scale, seedOf } from '../scale.ts'
import { beginPeriod, type ModelPlan, newModelUser, type Rules, soldTypes, tunnelOf } from './model.ts'
import { type ModelClient, modelClient } from './model-client.ts'
import { racedForAllTests, together } from './races.ts'
import { type Random, random } from './random.ts'
import { sharedPlaces } from './shared-places.ts'

const clients = 8
const places = { trojan: 9, 'hysteria2-direct': 12 } as const
const hour = 3_600_000
const start = new Date('2026-03-01T12:00:00.000Z')

const product = racedForAllTests()

/** Fresh hosts with few places, and those of the sequence before out of the way. */
async function openHosts(): Promise<void> {
  for (const table of ['servers', 'tunnels'] as const)
    await product.sql(`UPDATE ${table} SET state = 'failed'`)
  await product.server({ serverMaxAccounts: places['hysteria2-direct'] })
  await product.server({ ...trojanServer(), serverMaxAccounts: places.trojan + 3 })
  await product.tunnel({ tunnelMaxAccounts: places.trojan })
}

async function changeRules(rules: Rules, admin: Person, { pick, whole }: Random): Promise<void> {
  const change = pick([
    () => ({ renewal: pick(['extend', 'replace'] as const) }),
    () => ({ defaultCreditRate: pick([1, 33, 100, 1_000]) }),
    () => ({
      pointsPerDay: {
        ...defaultSettings.pointsPerDay,
        trojan: whole(0, 20),
        'hysteria2-direct': whole(0, 20),
      },
    }),
    () => ({ tunnelCreditPerDay: whole(0, 3) }),
    () => ({ customAccounts: !rules.customAccounts }),
    () => ({
      pointsPerGB: { ...defaultSettings.pointsPerGB, trojan: whole(0, 5), 'hysteria2-direct': whole(0, 5) },
    }),
    () => ({ pointsPerDayOfDevice: whole(0, 3), maxDevices: whole(1, 4), firstUseWaitDays: whole(1, 90) }),
  ])()
  Object.assign(rules, change)
  expect(await admin.ask(setSettings, change)).toMatchObject(change)
}

const bodyOf = (plan: ModelPlan) => ({
  planUUID: plan.uuid,
  planNames: { en: 'plan', fa: 'طرح' },
  planWays: [{ accountVPNType: plan.vpnType, accountTunnelType: tunnelOf(plan.vpnType), countryId: 0 }],
  accountDuration: plan.days,
  ...(plan.gigabytes !== null && { accountDataLimit: plan.gigabytes }),
  accountDataReset: plan.isMonthly ? ('monthly' as const) : ('none' as const),
  accountStart: plan.waits ? ('firstUse' as const) : ('now' as const),
  ...(plan.devices !== null && { accountMaxDevices: plan.devices }),
  planPoints: plan.points,
  planTunnelCredit: plan.tunnelCredit,
  planForAll: true,
  planResellers: [],
})

/** A plan is added, changes what it sells, or ends and comes back. Accounts that it sold stay as they are. */
async function changePlans({ plans }: Rules, admin: Person, { pick, whole, chance }: Random): Promise<void> {
  const plan = plans.length > 0 && chance(0.6) ? pick(plans) : null
  if (!plan) {
    const gigabytes = chance(0.6) ? whole(1, 30) : null
    const added: ModelPlan = {
      ...{ uuid: randomUUID(), vpnType: pick(soldTypes), days: whole(1, 40), gigabytes },
      ...{ isMonthly: gigabytes !== null && chance(0.5), waits: chance(0.3) },
      ...{ devices: chance(0.4) ? whole(1, 4) : null, points: whole(0, 120), tunnelCredit: whole(0, 5) },
      ...{ isActive: true, revision: 1 },
    }
    await admin.ask(addPlan, { ...bodyOf(added), planActive: true })
    plans.push(added)
  } else if (chance(0.5)) {
    Object.assign(plan, { days: whole(1, 40), points: whole(0, 120), tunnelCredit: whole(0, 5) })
    const { planRevision } = await admin.ask(changePlan, { ...bodyOf(plan), basedOn: plan.revision })
    plan.revision += 1
    expect(planRevision).toBe(plan.revision)
  } else {
    plan.isActive = !plan.isActive
    await admin.ask(setPlanActive, { planUUID: plan.uuid, planActive: plan.isActive })
  }
}

/** Time passes, everybody signs in again, and what ran out is noted: exactly once. */
async function letTimePass(rules: Rules, team: ModelClient[], { pick }: Random): Promise<void> {
  product.clock.advance(pick([1, 0.4 * hour, 7 * hour, 24 * hour, 60.5 * hour, 400 * hour]))
  rules.now = product.clock.now().getTime()
  const admin = await product.again(product.admin)
  for (const { people } of team) Object.assign(people, { user: await product.again(people.user), admin })
  const due = team.flatMap(({ book }) =>
    [...book.accounts.values()].filter((account) => account.expires <= rules.now && !account.isExpiryNoted),
  )
  expect(await expireAccounts(product.ctx)).toBeGreaterThanOrEqual(due.length)
  const noted = await product.sql(
    'SELECT uuid FROM accounts WHERE expiry_noted_at = $1 AND user_id = ANY ($2)',
    ...[new Date(rules.now), team.map(({ people }) => people.user.id)],
  )
  expect(noted.map(({ uuid }) => uuid).sort()).toEqual(due.map(({ uuid }) => uuid).sort())
  for (const account of due) account.isExpiryNoted = true
  await beginPeriods(product.ctx)
  for (const { book } of team) for (const account of book.accounts.values()) beginPeriod(account, rules.now)
}

async function runSequence(seed: number): Promise<number> {
  const dice = random(seed)
  product.clock.set(start)
  await openHosts()
  await product.settings(defaultSettings)
  await product.sql('DELETE FROM plans')
  const rules: Rules = { ...defaultSettings, now: start.getTime(), plans: [] }
  const shared = {
    trojan: sharedPlaces(places.trojan),
    'hysteria2-direct': sharedPlaces(places['hysteria2-direct']),
  }
  const admin = await product.again(product.admin)
  const team = await together(async (index) => {
    const [points, tunnelCredit] = [dice.whole(0, 600), dice.whole(0, 60)]
    const user = await product.person({ points, tunnelCredit })
    return modelClient({ user, admin }, newModelUser(points, tunnelCredit), shared, random(seed + index + 1))
  }, clients)
  const phases = dice.whole(3, 5)
  for (let phase = 0; phase < phases; phase += 1) {
    if (dice.chance(0.6)) await changeRules(rules, team[0]?.people.admin ?? admin, dice)
    for (let change = dice.whole(0, 3); change > 0; change -= 1)
      await changePlans(rules, team[0]?.people.admin ?? admin, dice)
    if (dice.chance(0.6)) await letTimePass(rules, team, dice)
    const steps = dice.whole(3, 6)
    const runs = await Promise.allSettled(
      team.map(async (client) => {
        for (let step = 0; step < steps; step += 1) await client.act(rules)
      }),
    )
    for (const run of runs) if (run.status === 'rejected') throw run.reason
  }
  await Promise.all(team.map((client) => client.compare(rules)))
  for (const places of Object.values(shared)) places.check()
  return team.reduce((sum, { book }) => sum + book.accounts.size, 0)
}

function answers(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const line of product.logs) {
    const { route, code } = JSON.parse(line) as { route?: string; code?: number }
    const name = `${route?.split('/').at(-1)} ${code}`
    if (route) counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

test('eight resellers at once get what a single-threaded model says, reply by reply', async () => {
  const seed = seedOf('the model')
  let accounts = 0
  for (let sequence = 0; sequence < scale(10, 500); sequence += 1) {
    const own = (seed + sequence * 1_000) % 2 ** 31
    try {
      accounts += await runSequence(own)
    } catch (error) {
      throw new Error(`sequence ${sequence} of seed ${seed} diverged`, { cause: error })
    }
  }
  expect(accounts).toBeGreaterThan(0)
  console.log(`the model: ${accounts} accounts left, answers by route and code:`, answers())
})
