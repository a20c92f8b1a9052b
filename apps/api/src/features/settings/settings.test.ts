import {
  defaultSettings,
  getAudit,
  getSettings,
  getUserCredit,
  newAccount,
  quoteAccount,
  setSettings,
  type VpnType,
  vpnTypes,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { writeSettings } from './settings.store.ts'

const product = productForAllTests()
beforeAll(async () => {
  await product.server()
})

test('settings change one by one, are checked, and price what comes after', async () => {
  expect(await product.admin.ask(getSettings, {})).toEqual({
    defaultCreditRate: 100,
    pointsPerDay: Object.fromEntries(vpnTypes.map((type) => [type, 10])),
    tunnelCreditPerDay: 1,
    pointsPerGB: Object.fromEntries(vpnTypes.map((type) => [type, 0])),
    pointsPerDayOfWay: 0,
    pointsPerDayOfDevice: 0,
    unlimitedAccounts: true,
    customAccounts: true,
    firstUseWaitDays: 90,
    renewal: 'extend',
    maxDevices: 2,
    secondFactor: 'optional',
    certificates: {
      source: 'acme',
      acmeDirectory: 'https://acme-v02.api.letsencrypt.org/directory',
      acmeEmail: '',
    },
    clientHello: {
      trojan: { fingerprint: 'chrome', alpn: 'h2,http/1.1' },
      'vless-reality': { fingerprint: 'chrome', alpn: 'h2,http/1.1' },
      'vless-xhttp': { fingerprint: 'chrome', alpn: 'h2,http/1.1' },
    },
    waysPerAccount: defaultSettings.waysPerAccount,
    replaceDownAfter: 0,
  })
  const changed = await product.admin.ask(setSettings, { maxDevices: 3 })
  expect(changed).toMatchObject({ maxDevices: 3, renewal: 'extend' })
  await product.admin.call(setSettings, {
    pointsPerDay: { ...defaultSettings.pointsPerDay, 'hysteria2-direct': 0 },
  })
  const partial = await product.admin.ask(setSettings, { pointsPerDay: { trojan: 4 } })
  expect(partial.pointsPerDay).toEqual({ ...defaultSettings.pointsPerDay, trojan: 4, 'hysteria2-direct': 0 })
  const user = await product.person()
  expect((await user.call(newAccount, directAccount)).status).toBe(200)
  const bad = await product.admin.call(setSettings, { defaultCreditRate: 0 })
  expect(bad.errorType).toBe('INCOMPLETE_INFORMATION')
  await product.admin.call(setSettings, { pointsPerDay: defaultSettings.pointsPerDay })
})

test('settings that somebody else has changed meanwhile are not overwritten, others may be; before and after are kept', async () => {
  const set = (body: Body<typeof setSettings>) => product.admin.call(setSettings, body)
  const { maxDevices, pointsPerDay } = await product.admin.ask(getSettings, {})
  const stale = await set({ maxDevices: 9, basedOn: { maxDevices: maxDevices + 1 } })
  expect(stale.errorType).toBe('CHANGED_MEANWHILE')
  const prices = { ...pointsPerDay, trojan: 11 }
  expect((await set({ pointsPerDay: prices, basedOn: { pointsPerDay } })).status).toBe(200)
  expect((await set({ pointsPerDay, basedOn: { pointsPerDay } })).errorType).toBe('CHANGED_MEANWHILE')
  expect((await set({ maxDevices: 4, basedOn: { maxDevices } })).answer().pointsPerDay).toEqual(prices)
  const [line] = (await product.admin.ask(getAudit, { limit: 1 })).items
  expect(line?.auditDetail).toEqual({ from: JSON.stringify({ maxDevices }), to: '{"maxDevices":4}' })
  const unknown = await set({ maxDevices: 4, basedOn: { minDevices: 1 } as object })
  expect(unknown.errorType).toBe('UNKNOWN_FIELD')
  await set({ pointsPerDay, maxDevices })
})

test('the source of certificates is set as a whole, with an https directory and an optional e-mail', async () => {
  const set = (body: Body<typeof setSettings>) => product.admin.call(setSettings, body)
  const { certificates: before } = await product.admin.ask(getSettings, {})
  const acmeDirectory = 'https://198.51.100.9:14000/dir'
  const own = { source: 'own', acmeDirectory, acmeEmail: 'Ops@Example.com' } as const
  const changed = (await set({ certificates: own, basedOn: { certificates: before } })).answer()
  expect(changed.certificates).toEqual({ ...own, acmeEmail: 'ops@example.com' })
  expect((await set({ certificates: before, basedOn: { certificates: before } })).errorType).toBe(
    'CHANGED_MEANWHILE',
  )
  for (const wrong of [
    { acmeDirectory: 'http://acme.example.com/dir' },
    { acmeDirectory: 'https://acme.example.com/dir?x={{ 7*7 }}' },
    { acmeDirectory: 'https://user:pass@acme.example.com/' },
    { acmeDirectory: 'https://acme.example.com:99999/' },
    { acmeEmail: 'nobody' },
    { source: 'certbot' as never },
  ])
    expect((await set({ certificates: { ...before, ...wrong } })).errorType).toBe('INCOMPLETE_INFORMATION')
  for (const host of ['127.0.0.1', '169.254.169.254', '2130706433', '0x7f.1', 'localhost'])
    expect(
      (await set({ certificates: { ...before, acmeDirectory: `https://${host}/dir` } })).errorType,
      host,
    ).toBe('FORBIDDEN_TARGET')
  const { source, ...incomplete } = before
  expect((await set({ certificates: incomplete as never })).errorType).toBe('INCOMPLETE_INFORMATION')
  expect((await set({ certificates: { ...before, token: source } as never })).errorType).toBe('UNKNOWN_FIELD')
  await set({ certificates: before })
})

const { accountVPNType, accountTunnelType, accountDuration } = directAccount
const question = { accountVPNType, accountTunnelType, accountDuration }

/** Sells 30 days of the direct kind and says what they cost by the quote and what they took. */
async function sell() {
  const person = await product.person({ points: 10_000 })
  const { quotePoints, quoteRefusal } = await person.ask(quoteAccount, question)
  await person.ask(newAccount, directAccount)
  const { userCredit } = await person.ask(getUserCredit, {})
  return { quotePoints, quoteRefusal, paid: 10_000 - userCredit }
}

test('prices stored before a VPN type was sold: the new type has its default, the others keep theirs', async () => {
  const stored = { pointsPerDay: { trojan: 7 } }
  await writeSettings(product.ctx.db, stored, product.clock.now())
  const price = defaultSettings.pointsPerDay['hysteria2-direct'] * accountDuration
  expect(await sell()).toEqual({ quotePoints: price, quoteRefusal: null, paid: price })
  expect(await product.admin.ask(getSettings, {})).toEqual({
    ...defaultSettings,
    pointsPerDay: { ...defaultSettings.pointsPerDay, trojan: 7 },
  })
})

test('prices of a VPN type that is no longer sold are left out', async () => {
  const pointsPerDay = { 'hysteria2-direct': 3, 'carrier-pigeon': 9 } as Partial<Record<VpnType, number>>
  await writeSettings(product.ctx.db, { pointsPerDay, setting: 'of old' }, product.clock.now())
  const price = 3 * accountDuration
  expect(await sell()).toEqual({ quotePoints: price, quoteRefusal: null, paid: price })
})
