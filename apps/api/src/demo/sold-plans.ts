import { randomUUID } from 'node:crypto'
import { add } from '../features/plans/manage.ts'
import { common, type Stage } from './stage.ts'

const direct = { accountVPNType: 'hysteria2-direct', accountTunnelType: '', countryId: 0 } as const
const reality = { accountVPNType: 'vless-reality', accountTunnelType: '', countryId: 0 } as const
const tunnelled = { accountVPNType: 'trojan', accountTunnelType: 'wstunnel', countryId: 0 } as const

/** The resellers buy some accounts of one month by this one. */
export const monthPlan = randomUUID()

export async function addPlans({ ctx, by }: Stage): Promise<void> {
  const usual = {
    ...common,
    ...{ planTunnelCredit: 0, planActive: true, planForAll: true, planResellers: [] },
    accountStart: 'now',
    accountDataReset: 'none',
  } as const
  await add(ctx, by, {
    ...usual,
    planUUID: monthPlan,
    planNames: { en: 'One month, 50 GB', fa: 'یک‌ماهه ۵۰ گیگ' },
    planWays: [direct],
    ...{ accountDuration: 30, accountDataLimit: 50, planPoints: 280 },
  })
  await add(ctx, by, {
    ...usual,
    planUUID: randomUUID(),
    planNames: { en: 'Three months, unlimited', fa: 'سه‌ماهه نامحدود' },
    planWays: [tunnelled, reality],
    ...{ accountDuration: 90, planPoints: 990, planTunnelCredit: 90 },
  })
  await add(ctx, by, {
    ...usual,
    planUUID: randomUUID(),
    planNames: { en: 'Family, 100 GB a month', fa: 'خانواده، ماهی ۱۰۰ گیگ' },
    planWays: [reality],
    accountDataReset: 'monthly',
    accountStart: 'firstUse',
    ...{ accountDuration: 60, accountDataLimit: 100, accountMaxDevices: 5, planPoints: 800 },
  })
}
