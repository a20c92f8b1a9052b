import { describe, expect, test } from 'vitest'
import { adminRules as rules } from './admin-rules.ts'
import { limits } from './limits.ts'
import { ruleTexts } from './rules.ts'

const a = (length: number) => 'a'.repeat(length)
const hostOf = (length: number) => `${a(length - 4)}.com`
const mailOf = (length: number) => `${a(length - 9)}@mail.com`
const passwordOf = (length: number) => `Aa1!${a(length - 4)}`
const uuid = '1b4e28ba-2fa1-11d2-883f-0016d3cca427'
const uuidV4 = '9c858901-8a57-4791-81fe-4c455b099bc9'

/** What no text rule and no number rule may turn into something it takes. */
const notText = [undefined, null, 1, 0, true, [], {}, ['a'], Number.NaN]
const notWhole = [
  undefined,
  null,
  '',
  '1',
  '443',
  1.5,
  -1.5,
  true,
  false,
  [],
  [1],
  {},
  2 ** 53,
  -(2 ** 53),
  Number.MAX_VALUE,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1n,
]

const emails = {
  takes: ['a@b.co', 'A.b_c-9@sub-domain.example.info', '-@1.com', 'a@b.c.de'],
  refuses: [
    '',
    'a',
    'a@b',
    'a@b.c',
    'a@b.abcde',
    'a@b.c1',
    'a@.com',
    'a@b..com',
    '@b.com',
    'a+b@c.com',
    'a b@c.com',
    'a@b_c.com',
    'a@b@c.com',
    'a@b.com ',
    ' a@b.com',
    'a@b.com\n',
    'é@b.com',
    'a@bücher.de',
    ...notText,
  ],
}
const passwords = {
  takes: [passwordOf(8), 'Aa1 aaaa', 'Aa1رمزعب', 'Aa1!می\u200cرود'],
  refuses: [
    '',
    passwordOf(7),
    'aa1!aaaa',
    'AA1!AAAA',
    'Aaa!aaaa',
    'Aa11aaaa',
    'Aa1!aaa\n',
    'Aa1!aaa\u0000',
    'Aa1!aaa\u202e',
    'Aa۱!aaaa',
    ...notText,
  ],
}
const hosts = {
  takes: ['a.co', 'vpn.example.com', 'xn--mgba3a.example.com', '1.2.aa', 'A-b.EXAMPLE.museum'],
  refuses: [
    'a',
    'a.b',
    'a.b1',
    '.com',
    'a..com',
    'a.com.',
    '-a.com',
    'a-.com',
    'a.-b.com',
    'a_b.com',
    'https://a.com',
    'a.com:443',
    '192.0.2.10',
    'a b.com',
    'a.com ',
    'a.com\n',
  ],
}
const urls = {
  takes: [...hosts.takes, 'a.com/', 'a.com/p/a_t.h~-'],
  refuses: [...hosts.refuses, 'a.com/?q', 'a.com/a b', 'a.com/<b>', 'a.com#x', '/path'],
}
const uuids = [
  '',
  'x',
  `{${uuidV4}}`,
  uuidV4.slice(1),
  `${uuidV4}0`,
  uuidV4.replaceAll('-', ''),
  uuidV4.replace('9', 'g'),
  ` ${uuidV4}`,
  ...notText,
]
const texts = {
  takes: ['', 'a', 'سلام', 'می\u200cرود', '<b>', '😀'],
  refuses: ['a\n', '\t', '\u0000', '\u001b[31m', '\u202e', '\u2066', '\u200d', '\ud800', '\u007f'],
}
const notTextNorAbsent = notText.filter((value) => value !== undefined)

const phones = {
  takes: ['09123456789', '+9891234567', '123456789012345', '+12345678901234'],
  refuses: [
    '',
    '1234567890',
    '+123456789',
    '1234567890123456',
    '+123456789012345',
    '0912 345678',
    '0912-345678',
    '00912345678a',
    '۰۹۱۲۳۴۵۶۷۸۹',
    '9123456789+',
    '++912345678',
    ...notText,
    9_123_456_789,
  ],
}

const table: Record<keyof typeof rules, { takes: unknown[]; refuses: unknown[] }> = {
  signInEmail: {
    takes: [...emails.takes, mailOf(35), mailOf(36), mailOf(50)],
    refuses: [...emails.refuses, mailOf(51)],
  },
  email: { takes: [...emails.takes, mailOf(35)], refuses: [...emails.refuses, mailOf(36), mailOf(50)] },
  signInPassword: {
    takes: [...passwords.takes, passwordOf(35), passwordOf(36), passwordOf(50)],
    refuses: [...passwords.refuses, passwordOf(51)],
  },
  newPassword: {
    takes: [...passwords.takes, passwordOf(35)],
    refuses: [...passwords.refuses, passwordOf(36), passwordOf(40)],
  },

  safeName: {
    takes: ['a', 'Z', '9', '_', '-', 'DE-node_1', a(35)],
    refuses: ['', a(36), 'a b', 'a.b', 'a/b', 'é', '۱', 'a\n', '{{a}}', ...notText],
  },
  accountName: {
    takes: ['a', 'Z', '9', '_', 'Ali_2', a(35)],
    refuses: ['', a(36), 'a-b', 'a b', 'a.b', 'علی', 'a\n', ...notText],
  },
  version: {
    takes: ['0', '1.8.4', '10', '1.2.3.4.5', '1'.repeat(35)],
    refuses: ['', '.', '1.', '.1', '1..2', 'v1', '1.8-rc', '۱', '1.8\n', '1'.repeat(36), ...notText, 1.8],
  },
  serverType: {
    takes: ['xray', 'hysteria'],
    refuses: ['', 'Xray', 'trojan', 'xray ', 'toString', ...notText],
  },
  vpnType: {
    takes: ['trojan', 'hysteria2-direct'],
    refuses: ['', 'hysteria2', 'vless', 'Trojan', 'constructor', ...notText],
  },
  tunnelType: { takes: ['wstunnel', 'ssh'], refuses: ['', 'SSH', 'tcp', '__proto__', ...notText] },
  tunnelTypeOrNone: { takes: ['wstunnel', 'ssh', ''], refuses: ['none', 'SSH', ' ', ...notText] },
  ipv4: {
    takes: ['0.0.0.0', '1.2.3.4', '192.0.2.10', '99.100.199.200', '249.250.255.255'],
    refuses: [
      '',
      '256.1.1.1',
      '1.1.1.256',
      '260.1.1.1',
      '1.1.1',
      '1.1.1.1.1',
      '1.1.1.',
      '.1.1.1',
      '01.1.1.1',
      '1.1.1.01',
      '1.1.1.001',
      '0x1.1.1.1',
      '1.1.1.1 ',
      '1.1.1.1\n',
      '1.1.1.1/24',
      '1.1.1.1;id',
      '$(id)',
      '-1.1.1.1',
      '::1',
      '۱.1.1.1',
      '2130706433',
      ...notText,
    ],
  },
  url: { takes: [...urls.takes, hostOf(35)], refuses: ['', ...urls.refuses, hostOf(36), ...notText] },
  port: { takes: [1, 443, 65_535], refuses: [0, -1, 65_536, ...notWhole] },
  maxAccounts: { takes: [0, 1, 100_000], refuses: [-1, 100_001, ...notWhole] },
  activityDays: { takes: [1, 30, 90], refuses: [0, -1, 91, 0.5, ...notWhole] },
  dayOrInstant: {
    takes: ['2026-02-28', '2026-11-16T08:30:00Z', '2026-11-16T08:30:00.000Z'],
    refuses: [
      '',
      '2026-02-30',
      '2026-02-30T00:00:00Z',
      '2026-11-16T24:30:00Z',
      '2026-11-16T08:30',
      '2026-11-16 08:30:00Z',
      '2026-11-16T08:30:00+03:30',
      '16.11.2026',
      '۲۰۲۶-11-16',
      ...notText,
    ],
  },
  auditName: {
    takes: ['a@example.com', 'command line', uuidV4.toUpperCase(), a(50)],
    refuses: ['', ' ', a(51), ...texts.refuses, ...notText],
  },
  auditAction: {
    takes: ['setuserlevel', 'signin-failed'],
    refuses: ['', 'A', 'a b', "a'", a(36), ...notText],
  },
  searchEverywhere: {
    takes: ['a', ' ali ', 'علی', 'https://kelid.example/sub/x', a(500)],
    refuses: ['', ' ', a(501), ...texts.refuses, ...notText],
  },
  days: { takes: [1, 30, 364], refuses: [0, -1, 365, 366, 0.5, 364.5, ...notWhole] },
  uuid: { takes: [uuid, uuid.toUpperCase(), uuidV4], refuses: uuids },
  uuidV4: {
    takes: [
      uuidV4,
      uuidV4.toUpperCase(),
      ...['8', '9', 'a', 'b'].map((n) => uuidV4.replace('-81', `-${n}1`)),
    ],
    refuses: [
      ...uuids,
      uuid,
      uuidV4.replace('-4', '-5'),
      uuidV4.replace('-81', '-71'),
      uuidV4.replace('-81', '-c1'),
    ],
  },
  countryId: { takes: [0, 4, 999], refuses: [-1, 1000, ...notWhole] },
  boolean: { takes: [true, false], refuses: [undefined, null, 0, 1, '', 'true', 'false', [], {}] },

  smsCode: {
    takes: ['0000', '1234'],
    refuses: ['', '123', '12345', '12a4', '۱۲۳۴', ' 123', '123\n', '+123', ...notText, 1234],
  },
  phone: phones,
  userPhone: phones,
  idempotencyKey: {
    takes: [a(16), a(64), 'Ab_9-Ab_9-Ab_9-Ab_9'],
    refuses: ['', a(15), a(65), `${a(16)} `, `${a(16)}\n`, `${a(16)}۱`, ...notText],
  },

  reason: {
    takes: ['a', 'paid by USDT, see #12', 'پرداخت شد', a(200)],
    refuses: ['', ' ', '   ', a(201), ...texts.refuses, ...notText],
  },
  search: { takes: [...texts.takes, a(35)], refuses: [...texts.refuses, a(36), ...notText] },
  secondFactorCode: { takes: [...texts.takes, a(35)], refuses: [...texts.refuses, a(36), ...notText] },
  points: {
    takes: [1, -1, 1_000_000_000, -1_000_000_000],
    refuses: [0, -0, 1_000_000_001, -1_000_000_001, ...notWhole],
  },
  dollars: {
    takes: [0.01, -0.01, 0.1, 0.29, 1.1, 4.35, 8.41, 1, -5.25, 999_999.99, 1_000_000, -1_000_000],
    refuses: [
      0,
      -0,
      0.001,
      1.005,
      1.000_000_001,
      1e-9,
      -1e-9,
      1_000_000.01,
      -1_000_000.01,
      ...notWhole.filter((value) => value !== 1.5 && value !== -1.5),
    ],
  },
  dollarLimit: {
    takes: [0, 0.01, 0.29, 1.5, 1_000_000],
    refuses: [-0.01, 0.001, 1e-9, 1_000_000.01, ...notWhole.filter((value) => value !== 1.5)],
  },
  balance: { takes: [0, 1, 1_000_000_000_000], refuses: [-1, ...notWhole] },
  dollarBalance: {
    takes: [0, 0.01, 1.5, 10_000_000_000],
    refuses: [-0.01, 0.001, 10_000_000_000.01, ...notWhole.filter((value) => value !== 1.5)],
  },
  rate: { takes: [1, 100, 1_000_000], refuses: [0, -1, 1_000_001, ...notWhole] },
  level: { takes: [0, 5, 6, 10], refuses: [-1, 11, ...notWhole] },
  price: { takes: [0, 10, 100_000], refuses: [-1, 100_001, ...notWhole] },
  devices: { takes: [1, 100], refuses: [0, 101, ...notWhole] },

  optionalText: {
    takes: [undefined, ...texts.takes, a(35)],
    refuses: [...texts.refuses, a(36), ...notTextNorAbsent],
  },
  optionalSecret: {
    takes: [undefined, ...texts.takes, a(128)],
    refuses: [...texts.refuses, a(129), ...notTextNorAbsent],
  },
  optionalKey: {
    takes: [undefined, '', 'line\nline\r\n\ttab', a(16_384)],
    refuses: ['\u0000', '\u001b[2J', '\u202e', a(16_385), ...notTextNorAbsent],
  },
  optionalDescription: {
    takes: [undefined, '', 'line\nخط', a(500)],
    refuses: ['\u0000', '\u202e', a(501), ...notTextNorAbsent],
  },
  optionalSshUser: {
    takes: [undefined, '', 'root', '_svc', 'a-b_1', a(35)],
    refuses: ['Root', '1a', '-oProxyCommand', 'a b', 'a;b', 'a\n', a(36), ...notTextNorAbsent],
  },
  emailOrNone: {
    takes: ['', ...emails.takes, mailOf(50)],
    refuses: [...emails.refuses.filter((value) => value !== ''), mailOf(51)],
  },
  httpsAddress: {
    takes: [
      'https://acme.example.com',
      'https://acme-v02.api.letsencrypt.org/directory',
      'https://198.51.100.9:14000/dir',
      `https://a.example/${a(182)}`,
    ],
    refuses: [
      '',
      'http://acme.example.com/',
      'https://',
      'https://acme.example.com:99999/',
      'https://user:secret@acme.example.com/',
      'https://acme.example.com/?a=b',
      'https://acme.example.com/{{ 7*7 }}',
      'https://acme.example.com/\n',
      `https://a.example/${a(183)}`,
      ...notText,
    ],
  },
  optionalHost: {
    takes: [undefined, '', ...hosts.takes, hostOf(253)],
    refuses: [...hosts.refuses, 'a.com/path', hostOf(254), ...notTextNorAbsent],
  },
  optionalIpv6: {
    takes: [undefined, '', '::', '::1', '2001:db8::1', '2001:0db8:0000:0000:0000:ff00:0042:8329'],
    refuses: [
      ':',
      ':::',
      '2001:db8::g',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '::1 ',
      '::1\n',
      '[::1]',
      'fe80::1%eth0',
      '192.0.2.10',
      ...notTextNorAbsent,
    ],
  },
  optionalDate: {
    takes: [undefined, '', '2027-01-31', '2028-02-29', '2026-12-31'],
    refuses: [
      '2027-02-29',
      '2027-02-30',
      '2027-04-31',
      '2027-13-01',
      '2027-00-10',
      '2027-01-00',
      '2027-01-32',
      '2027-1-1',
      '27-01-31',
      '2027-01-31T00:00:00Z',
      '2027/01/31',
      '1405-11-11 ',
      ...notTextNorAbsent,
    ],
  },
  instant: {
    takes: ['2027-01-31T12:00:00Z', '2028-02-29T23:59Z', '2026-12-31T00:00:00.000Z'],
    refuses: [
      '',
      '2027-01-31',
      '2027-02-29T12:00:00Z',
      '2027-13-01T12:00:00Z',
      '2027-01-31T25:00:00Z',
      '2027-01-31T12:60Z',
      '2027-01-31T12:00:00',
      '2027-01-31T12:00:00+03:30',
      '2027-01-31 12:00:00Z',
      '2027-01-31T12:00:00Z ',
      ...notText,
    ],
  },
  configJson: {
    takes: [undefined, '{}', '{"a":[1]}', ' {} ', `{"a":"${a(16_376)}"}`],
    refuses: [
      '',
      '[]',
      'null',
      '1',
      '"{}"',
      '{',
      '{a:1}',
      "{'a':1}",
      `{"a":"${a(16_377)}"}`,
      ...notTextNorAbsent,
    ],
  },

  cursor: { takes: ['a', 'A-z_9', a(200)], refuses: ['', 'a.b', 'a=', 'a b', a(201), ...notText] },
  pageSize: { takes: [1, 50, 200], refuses: [0, -1, 201, ...notWhole] },
}

const shown = (value: unknown) =>
  typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value)?.slice(0, 60) ?? String(value))

describe.each(Object.entries(table))('the rule %s', (name, { takes, refuses }) => {
  const rule = rules[name as keyof typeof rules]

  test.each(takes.map((value) => [shown(value), value]))('takes %s', (_, value) => {
    expect(rule.safeParse(value).success).toBe(true)
  })

  test.each(refuses.map((value) => [shown(value), value]))('refuses %s and says which rule', (_, value) => {
    const result = rule.safeParse(value)
    expect(result.success).toBe(false)
    for (const issue of result.error?.issues ?? []) expect(Object.keys(ruleTexts)).toContain(issue.message)
  })
})

test.each([
  ['email', `${a(24)}@example.com`, limits.textMax],
  ['signInEmail', `${a(39)}@example.com`, limits.signInTextMax],
  ['newPassword', `Aa1-${a(36)}`, limits.textMax],
  ['signInPassword', `Aa1-${a(47)}`, limits.signInTextMax],
  ['search', a(36), limits.textMax],
  ['optionalText', a(36), limits.textMax],
  ['optionalSshUser', a(36), limits.textMax],
  ['optionalSecret', a(129), limits.secretTextMax],
  ['optionalDescription', a(501), limits.descriptionMax],
  ['optionalKey', a(16_385), limits.longTextMax],
] as const)('what is longer than %s takes is told the maximum first', (name, value, max) => {
  const rule = rules[name].safeParse(value).error?.issues[0]?.message as keyof typeof ruleTexts
  expect(ruleTexts[rule]).toBe(`at most ${max} characters`)
})

test('a refused value is never changed into one that is taken: what is taken stays as it is', () => {
  const changed = Object.entries(table).flatMap(([name, { takes }]) =>
    takes
      .filter((value) => value !== undefined)
      .filter((value) => {
        const parsed = rules[name as keyof typeof rules].parse(value)
        return typeof value === 'string'
          ? parsed !== value && parsed !== value.toLowerCase()
          : parsed !== value
      })
      .map((value) => `${name} ${shown(value)}`),
  )
  expect(changed).toEqual([])
})

test('e-mail and UUID are kept in lower case, passwords and names as they were typed', () => {
  expect(rules.email.parse('Ali@Example.COM')).toBe('ali@example.com')
  expect(rules.signInEmail.parse('Ali@Example.COM')).toBe('ali@example.com')
  expect(rules.uuid.parse(uuid.toUpperCase())).toBe(uuid)
  expect(rules.uuidV4.parse(uuidV4.toUpperCase())).toBe(uuidV4)
  expect(rules.newPassword.parse('AbCd1!ef')).toBe('AbCd1!ef')
  expect(rules.accountName.parse('ALI')).toBe('ALI')
})

test('fields that spec.md sends empty by default may be left out', () => {
  for (const name of Object.keys(rules).filter((key) => key.startsWith('optional')))
    expect(rules[name as keyof typeof rules].parse(undefined), name).toBeUndefined()
  expect(rules.configJson.parse(undefined)).toBeUndefined()
})
