import { describe, expect, test } from 'vitest'
import { extendBulk } from './accounts-bulk.ts'
import type { Call } from './call.ts'
import { limits } from './limits.ts'
import { extendDuration, newAccount, quoteAccount } from './purchases.ts'
import { addServer, serverDefaults } from './servers.ts'
import { defaultSettings, setSettings } from './settings.ts'

const common = { client: 'web', clientVersion: '1.0', lng: 'en' }
const refused = (call: Call, body: object) =>
  (call.input.safeParse({ ...common, ...body }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )

const type = 'accountTunnelType: tunnelType'
const enabled = 'accountTunnelEnabled: tunnelType'
const choices = [
  ['trojan', 'wstunnel', true, []],
  ['trojan', 'ssh', true, []],
  ['hysteria2-direct', '', false, []],
  ['trojan', '', true, [type]],
  ['trojan', 'ssh', false, [enabled]],
  ['trojan', '', false, [type, enabled]],
  ['hysteria2-direct', 'ssh', true, [type, enabled]],
  ['hysteria2-direct', 'wstunnel', false, [type]],
  ['hysteria2-direct', '', true, [enabled]],
  ['vless', '', false, ['accountVPNType: vpnType']],
  ['trojan', 'tcp', true, [type]],
] as const

describe('accounts/new', () => {
  const body = {
    accountName: 'Ali_2',
    accountVPNType: 'trojan',
    accountTunnelType: 'ssh',
    accountTunnelEnabled: true,
    accountDuration: 30,
  }

  test.each(choices)('%s with tunnel type %j, enabled %s: %j', (vpn, tunnel, isEnabled, expected) => {
    expect(
      refused(newAccount, {
        ...body,
        accountVPNType: vpn,
        accountTunnelType: tunnel,
        accountTunnelEnabled: isEnabled,
      }),
    ).toEqual(expected)
  })

  test('every wrong field is named at once, the tunnel too', () => {
    expect(
      refused(newAccount, { ...body, accountName: 'a-b', accountDuration: 365, accountTunnelType: '' }),
    ).toEqual(['accountName: accountName', 'accountDuration: days', type])
  })
})

describe('accounts/quote', () => {
  const body = { accountVPNType: 'trojan', accountTunnelType: 'ssh', accountDuration: 30 }

  test.each(
    choices.filter(([, , isEnabled, expected]) => isEnabled || !expected.some((one) => one === enabled)),
  )('%s with tunnel type %j', (vpn, tunnel, _, expected) => {
    expect(refused(quoteAccount, { ...body, accountVPNType: vpn, accountTunnelType: tunnel })).toEqual(
      expected.filter((one) => one !== enabled),
    )
  })
})

const anId = (number: number) => `9c858901-8a57-4791-81fe-${String(number).padStart(12, '0')}`
const ids = (count: number) => Array.from({ length: count }, (_, number) => anId(number))

test.each([
  [{ quotedPoints: 0, quotedTunnelCredit: 0, quotedDebt: 0, quotedRenewal: 'replace' }, []],
  [{ quotedPoints: 40_000_000_000, quotedDebt: 12.5 }, []],
  [{ quotedPoints: -1, quotedTunnelCredit: 1.5 }, ['quotedPoints: price', 'quotedTunnelCredit: price']],
  [
    { quotedPoints: '300', quotedDebt: 0.005, quotedRenewal: 'add' },
    ['quotedPoints: price', 'quotedDebt: dollars', 'quotedRenewal: choice'],
  ],
])('accounts/extendduration as quoted %j: %j', (quoted, expected) => {
  const body = { accountUUID: anId(1), accountDuration: 30 }
  expect(refused(extendDuration, { ...body, ...quoted })).toEqual(expected)
})

test.each([
  [ids(1), []],
  [ids(limits.bulkMax), []],
  [ids(limits.bulkMax + 1), ['accountUUIDs: accounts']],
  [[], ['accountUUIDs: accounts']],
  [[anId(1), anId(2), anId(1).toUpperCase()], ['accountUUIDs: accounts']],
  [[anId(1), 'x'], ['accountUUIDs.1: uuid']],
  [anId(1), ['accountUUIDs: accounts']],
  [null, ['accountUUIDs: accounts']],
])('many accounts: %j', (accountUUIDs, expected) => {
  expect(refused(extendBulk, { accountUUIDs, accountDuration: 30 })).toEqual(expected)
})

describe('servers/add', () => {
  const body = {
    serverName: 'DE-1',
    serverType: 'xray',
    serverUUID: '9c858901-8a57-4791-81fe-4c455b099bc9',
    serverVersion: '1',
    serverVPNType: 'trojan',
    serverVPNVersion: '1.8.4',
    serverIPV4: '192.0.2.10',
    serverURL: 'de1.example.com',
    serverPort: 443,
    serverMaxAccounts: 100,
    serverTunnelActive: true,
    serverTunnelType: 'wstunnel',
    countryId: 0,
  }
  const emptyByDefault =
    'serverProtocol serverExpireDate serverIPV6 serverSSHUsername serverSSHPassword serverSSHKey serverLocation serverDescription serverProvider serverHostingName serverHostingUsername serverHostingPassword serverTargetCountry serverTargetOperator serverSNIAddress serverConfigName'.split(
      ' ',
    )

  test.each([
    ['xray', 'trojan', 'wstunnel', true, []],
    ['xray', 'trojan', 'ssh', true, []],
    ['hysteria', 'hysteria2-direct', '', false, []],
    ['hysteria', 'trojan', 'ssh', true, ['serverVPNType: vpnType']],
    ['xray', 'hysteria2-direct', '', false, ['serverVPNType: vpnType']],
    ['xray', 'trojan', '', true, ['serverTunnelType: tunnelType']],
    ['xray', 'trojan', 'ssh', false, ['serverTunnelActive: tunnelType']],
    ['hysteria', 'hysteria2-direct', 'ssh', false, ['serverTunnelType: tunnelType']],
    ['hysteria', 'hysteria2-direct', '', true, ['serverTunnelActive: tunnelType']],
    ['wireguard', 'trojan', 'ssh', true, ['serverType: serverType']],
  ])(
    '%s, %s, tunnel %j, active %s: %j',
    (serverType, serverVPNType, serverTunnelType, serverTunnelActive, expected) => {
      const choice = { serverType, serverVPNType, serverTunnelType, serverTunnelActive }
      expect(refused(addServer, { ...body, ...choice })).toEqual(expected)
    },
  )

  test('fields that spec.md sends empty may be empty or omitted', () => {
    const empty = Object.fromEntries(emptyByDefault.map((field) => [field, '']))
    const whole = { ...common, ...body, ...empty, serverConfigJson: '{}' }
    expect(addServer.input.parse(whole)).toEqual(whole)
    expect(addServer.input.parse({ ...common, ...body })).toEqual({ ...common, ...body })
    expect(whole).toEqual({ ...common, ...body, ...serverDefaults })
  })
})

const { pointsPerDay: prices } = defaultSettings
test.each([
  [{}, []],
  [{ pointsPerDay: { ...prices, trojan: 0, 'hysteria2-direct': 5 } }, []],
  [{ pointsPerDay: { trojan: 5 } }, []],
  [
    { pointsPerDay: { ...prices, trojan: '1', 'hysteria2-direct': 1.5 } },
    ['pointsPerDay.trojan: price', 'pointsPerDay.hysteria2-direct: price'],
  ],
  [{ pointsPerDay: null }, ['pointsPerDay: price']],
  [{ pointsPerDay: [1, 2] }, ['pointsPerDay: price']],
  [{ pointsPerDay: { ...prices, pigeon: 1 } }, ['pointsPerDay: price']],
  [{ renewal: 'add' }, ['renewal: choice']],
])('admin/setsettings %j: %j', (body, expected) => {
  expect(refused(setSettings, body)).toEqual(expected)
})
