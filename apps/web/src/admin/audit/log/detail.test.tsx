import { type AuditEntry, defaultSettings, type Language } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../../../test/show.tsx'
import { AuditDetail } from './detail.tsx'

const open = (auditDetail: AuditEntry['auditDetail'], language: Language = 'en') => {
  const { container } = show(<AuditDetail detail={auditDetail} />, { language })
  return [...container.querySelectorAll('dl > div')].map((line) => line.textContent)
}

const everything = {
  from: false,
  to: true,
  reason: 'x',
  amount: 1,
  days: 7,
  name: 'fra-1',
  ipv4: '192.0.2.1',
  line: 1,
  bytes: 1,
  made: 'x',
  schema: 18,
  seed: 1,
  account: 'a',
  accounts: 1,
  userEmail: 'x',
  fromTunnel: null,
  toTunnel: null,
  accountsClosed: true,
  accountsChanged: 1,
  downFrom: null,
  downUntil: null,
  session: 'all',
  code: 'wrong',
  proof: 'app',
  certificates: 1,
  kind: 'server',
  isClean: true,
  devices: 3,
  allowed: 2,
  replacedSecrets: 'serverSSHPassword tunnelSSHKey serverReplacePassword',
  forgottenSecrets: 'serverSSHPassword',
  'from.ipv4': '192.0.2.1',
  'to.countryId': 4,
  'to.serverName': 'x',
  'to.serverMaxAccounts': 1,
  'to.serverDescription': 'x',
  'to.serverProvider': 'x',
  'to.serverExpireDate': 'x',
  'to.serverLocation': 'x',
  'to.serverTargetCountry': 'x',
  'to.serverTargetOperator': 'x',
  'to.serverFingerprint': 'x',
  'to.serverVersion': 'x',
  'to.serverVPNVersion': 'x',
  'to.serverProtocol': 'x',
  'to.serverConfigName': 'x',
  'to.serverPort': 1,
  'to.tunnelPort': 1,
  'to.tunnelVersion': 'x',
  'to.tunnelName': 'x',
  'to.tunnelMaxAccounts': 1,
  'to.tunnelCreatorEmail': 'x',
}

test('every field and every enum value has a Persian translation', () => {
  const settings = {
    ...defaultSettings,
    pointsPerDay: { trojan: 12 },
    pointsPerGB: { trojan: 3 },
    waysPerAccount: { trojan: 2 },
  }
  open({ ...everything, from: JSON.stringify(settings) }, 'fa')
  const names = screen.getAllByRole('term').map(({ textContent }) => textContent)
  const ours = /^(?:trojan|vless|reality|xhttp|IPv4|SSH|ACME|VPN|TLS|ALPN)$/
  for (const name of names)
    expect(name?.match(/[A-Za-z0-9]+/g)?.filter((word) => !ours.test(word)) ?? [], `${name}`).toEqual([])
  for (const value of ['افزودن روز', 'مرجع عمومی', 'برنامه', 'رمز SSH، کلید SSH، کلید به‌جای رمز'])
    expect(screen.getByText(value)).toBeTruthy()
})

test('old and new values are shown per field, even if they were logged as two objects', () => {
  expect(
    open({
      from: '{"pointsPerDay":{"trojan":10}}',
      to: '{"pointsPerDay":{"trojan":12}}',
      reason: 'ready',
    }),
  ).toEqual(['points per day trojan (before)10', 'points per day trojan (after)12', 'reasonready'])
})

test('an unknown field is shown as it is, left to right', () => {
  open({ brandNew: '{not json', from: '{not json' }, 'fa')
  expect(screen.getByText('brandNew').getAttribute('dir')).toBe('ltr')
  expect(screen.getAllByText('{not json')).toHaveLength(2)
})
