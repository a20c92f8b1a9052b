import type { Answer, getStatement } from '@kelid/contract'

type Entry = Answer<typeof getStatement>['items'][number]

export const anEntry = (change: Partial<Entry> = {}): Entry => ({
  entryId: '1',
  entryDate: '2026-12-01T08:00:00.000Z',
  entryMovement: 'create',
  entryUnit: 'points',
  entryAmount: -300,
  entryBalance: 700,
  entryReason: '30 days of trojan',
  entryDays: 30,
  entryVPNType: 'trojan',
  entryWays: 0,
  entryGigabytes: 0,
  entryDevices: 0,
  entryPlan: null,
  entryBy: 'user',
  accountUUID: null,
  accountName: 'ali_phone',
  ...change,
})
