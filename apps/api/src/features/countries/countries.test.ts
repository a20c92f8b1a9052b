import { randomUUID } from 'node:crypto'
import { addServer, addTunnel, getCountries, setHostPaused, setTunnelReady } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { sampleServer, sampleTunnel } from '../../../test/sample-hosts.ts'

const product = productForAllTests()

test('countries have a name in both languages and an existing flag', async () => {
  for (const [lng, name] of [
    ['en', 'Iran'],
    ['fa', 'ایران'],
  ] as const) {
    const { items } = await product.admin.ask(getCountries, { lng })
    expect(items.length).toBeGreaterThan(240)
    expect(items.find((country) => country.countryId === 364)?.countryName).toBe(name)
    const names = items.map((country) => country.countryName)
    expect(names).toEqual([...names].sort(new Intl.Collator(lng).compare))
  }
  const { items } = await product.admin.ask(getCountries, {})
  const flags = await Promise.all(
    items.map(async ({ countryFlag }) => [countryFlag, (await product.raw(countryFlag)).status]),
  )
  expect(flags.filter(([, status]) => status !== 200)).toEqual([])
})

test('each country lists what is sold there: servers that are ready, not paused and not full', async () => {
  const offers = async () =>
    (await product.admin.ask(getCountries, {})).items.flatMap(({ countryId, countryOffers = [] }) =>
      countryOffers.map((offer) => [countryId, offer]),
    )
  expect(await offers()).toEqual([])
  const direct = { accountVPNType: 'hysteria2-direct', accountTunnelType: '' }
  const behindSsh = { accountVPNType: 'trojan', accountTunnelType: 'ssh' }
  const trojan = {
    serverType: 'xray',
    serverVPNType: 'trojan',
    serverTunnelActive: true,
    serverTunnelType: 'ssh',
  } as const
  const tunnelUUID = randomUUID()
  const notReady = { ...sampleServer(), serverUUID: randomUUID(), serverName: 'vie-1', countryId: 40 }
  await product.admin.ask(addServer, notReady)
  await product.admin.ask(addTunnel, { ...sampleTunnel(), tunnelUUID, tunnelType: 'ssh' })
  const paused = await product.server({ serverName: 'ams-1', countryId: 528 })
  await product.server({ serverName: 'tyo-1', countryId: 392, serverMaxAccounts: 0 })
  await product.server({ serverName: 'fra-1', countryId: 276 })
  await product.server({ serverName: 'fra-2', countryId: 276 })
  await product.server({ ...trojan, serverName: 'fra-3', countryId: 276 })
  await product.admin.call(setHostPaused, { hostUUID: paused, hostPaused: true })
  expect(await offers()).toEqual([[276, direct]])
  await product.admin.call(setTunnelReady, { tunnelUUID, reason: 'set up by hand' })
  expect(await offers()).toEqual(
    expect.arrayContaining([
      [276, direct],
      [276, behindSsh],
    ]),
  )
  expect(await offers()).toHaveLength(2)
})
