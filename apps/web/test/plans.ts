import { getPlans, type Plan, type PlanOffer } from '@kelid/contract'
import { answer } from './answers.ts'

const terms = {
  planUUID: '77777777-7777-4777-8777-777777777777',
  planRevision: 1,
  accountDuration: 30,
  accountDataLimit: 50,
  accountDataReset: 'none',
  accountStart: 'now',
  accountMaxDevices: null,
  planPoints: 250,
  planTunnelCredit: 0,
} as const
const way = { accountVPNType: 'hysteria2-direct', accountTunnelType: '', countryId: 0 } as const

export const anOffer = (change: Partial<PlanOffer> = {}): PlanOffer => ({
  ...terms,
  planName: 'One month',
  planDevices: 2,
  planWays: [{ ...way, countryName: '' }],
  ...change,
})

export const aPlan = (change: Partial<Plan> = {}): Plan => ({
  ...terms,
  planNames: { en: 'One month', fa: 'یک‌ماهه' },
  planWays: [way],
  planActive: true,
  planForAll: true,
  planResellers: [],
  ...change,
})

export const answerPlans = (plans: readonly PlanOffer[], customAllowed = true): void =>
  answer(getPlans, () => ({ plans: [...plans], customAllowed }))
