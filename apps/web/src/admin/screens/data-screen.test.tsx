import { getDataSold, gigabyte } from '@kelid/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hrefOf } from '../../../test/actions.ts'
import { answer } from '../../../test/answers.ts'
import { serverUUID, tunnelUUID } from '../../../test/hosts.ts'
import { show } from '../../../test/show.tsx'
import { DataScreen } from './data-screen.tsx'

const sold = { limitedAccounts: 4, unlimitedAccounts: 1, soldBytes: 200 * gigabyte, usedBytes: 50 * gigabyte }
const none = { limitedAccounts: 0, unlimitedAccounts: 2, soldBytes: 0, usedBytes: 0 }

test('data sold and used is shown by host, with the quota of its provider, and by plan', async () => {
  answer(getDataSold, () => ({
    hostCount: 240,
    dataByHost: [
      {
        ...{ subject: 'server' as const, uuid: serverUUID, name: 'fra-1', ...sold, quota: 1_000 },
        carriedBytes: 300 * gigabyte,
        quotaMonth: {
          ...{ quotaState: '' as const, quotaUsed: 250e9 },
          ...{ quotaBeginDate: '2026-11-01T00:00:00.000Z', quotaEndDate: '2026-12-01T00:00:00.000Z' },
        },
      },
      {
        ...{ subject: 'tunnel' as const, uuid: tunnelUUID, name: 'thr-1', ...none, quota: 0 },
        ...{ carriedBytes: 0, quotaMonth: null },
      },
    ],
    dataByPlan: [
      { planName: 'Month', ...sold },
      { planName: null, ...none },
    ],
  }))
  show(<DataScreen />)
  const rowsOf = async (name: string) =>
    within(await screen.findByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent?.replace(/[\u2068\u2069]/g, '')),
      )
  expect(await rowsOf('By host')).toEqual([
    ['fra-1', '4', '200 GB', '50 GB (25%)', '1', '300 GB', '25% of 1,000 GB'],
    ['thr-1', '0', '0 byte', '0 byte', '2', '0 byte', ''],
  ])
  expect(await rowsOf('By plan')).toEqual([
    ['Month', '4', '200 GB', '50 GB (25%)', '1'],
    ['Without a plan', '0', '0 byte', '0 byte', '2'],
  ])
  expect(hrefOf('fra-1')).toBe(`/admin/vpn/server/${serverUUID}/`)
  expect(hrefOf('thr-1')).toBe(`/admin/vpn/tunnel/${tunnelUUID}/`)
  expect(screen.getByText(/^240 /)).toBeTruthy()
})
