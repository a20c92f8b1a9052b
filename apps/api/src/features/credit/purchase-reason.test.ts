import { limits, vpnTypes } from '@kelid/contract'
import { expect, test } from 'vitest'
import { boughtBy, reasonOf } from './purchase-reason.ts'

test('a purchase is parsed from its reason', () => {
  for (const vpnType of vpnTypes)
    for (const days of [limits.daysMin, 30, limits.daysMax])
      for (const chosenWays of [0, limits.waysMax - 1])
        for (const gigabytes of [0, 50, 13 * limits.gigabytesMax])
          for (const extraDevices of [0, limits.devicesMax - 1]) {
            const bought = { days, vpnType, chosenWays, gigabytes, extraDevices }
            expect(boughtBy(reasonOf(bought))).toEqual(bought)
          }
})

test('data that is bought without days is parsed from its reason', () => {
  const bought = { days: 0, vpnType: 'trojan', chosenWays: 0, gigabytes: 20, extraDevices: 0 } as const
  expect(reasonOf(bought)).toBe('20 GB of trojan')
  expect(boughtBy(reasonOf(bought))).toEqual(bought)
})

test('other sentences, and types that are not sold, give nothing', () => {
  for (const reason of ['', 'points bought on debt', '30 days of wireguard', ' 30 days of trojan', '30 days'])
    expect(boughtBy(reason)).toBeNull()
})
