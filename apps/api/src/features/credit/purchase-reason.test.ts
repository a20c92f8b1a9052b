import { limits, vpnTypes } from '@kelid/contract'
import { expect, test } from 'vitest'
import { boughtBy, reasonOf } from './purchase-reason.ts'

test('a purchase is parsed from its reason', () => {
  for (const vpnType of vpnTypes)
    for (const days of [limits.daysMin, 30, limits.daysMax])
      for (const chosenWays of [0, limits.waysMax - 1]) {
        const bought = { days, vpnType, chosenWays }
        expect(boughtBy(reasonOf(bought))).toEqual(bought)
      }
})

test('other sentences, and types that are not sold, give nothing', () => {
  for (const reason of ['', 'points bought on debt', '30 days of wireguard', ' 30 days of trojan', '30 days'])
    expect(boughtBy(reason)).toBeNull()
})
