import { describe, expect, test } from 'vitest'
import { adminRules as rules } from './admin-rules.ts'
import { limits } from './limits.ts'
import { ruleTexts } from './rules.ts'

const a = (length: number) => 'a'.repeat(length)
const hostOf = (length: number) => `${a(length - 4)}.com`
const mailOf = (length: number) => `${a(length - 9)}@mail.com`
const passwordOf = (length: number) => `Aa1!${a(length - 4)}`
const of = (values: string) => values.split(' ')
const uuid = '1b4e28ba-2fa1-11d2-883f-0016d3cca427'
const uuidV4 = '9c858901-8a57-4791-81fe-4c455b099bc9'

const emails = {
  takes: of('a@b.co A.b_c-9@sub-domain.example.info -@1.com a@b.c.de'),
  refuses: [
    ...of(
      'a a@b a@b.c a@b.abcde a@b.c1 a@.com a@b..com @b.com a+b@c.com a@b_c.com a@b@c.com é@b.com a@bücher.de',
    ),
    ...['a b@c.com', 'a@b.com ', ' a@b.com', 'a@b.com\n'],
  ],
}
const passwords = {
  takes: [passwordOf(8), 'Aa1 aaaa', 'Aa1رمزعب', 'Aa1!می\u200cرود'],
  refuses: [
    '',
    passwordOf(7),
    ...of('aa1!aaaa AA1!AAAA Aaa!aaaa Aa11aaaa Aa1!aaa\n Aa1!aaa\u0000 Aa1!aaa\u202e Aa۱!aaaa'),
  ],
}
const hosts = {
  takes: of('a.co vpn.example.com xn--mgba3a.example.com 1.2.aa A-b.EXAMPLE.museum'),
  refuses: [
    ...of(
      'a a.b a.b1 .com a..com a.com. -a.com a-.com a.-b.com a_b.com https://a.com a.com:443 192.0.2.10 a.com\n',
    ),
    ...['a b.com', 'a.com '],
  ],
}
const badUuids = [
  ...['', 'x', `{${uuidV4}}`, uuidV4.slice(1), `${uuidV4}0`, ` ${uuidV4}`],
  ...[uuidV4.replaceAll('-', ''), uuidV4.replace('9', 'g')],
]
const texts = {
  takes: ['', 'a', 'سلام', 'می\u200cرود', '<b>', '😀'],
  refuses: ['a\n', '\t', '\u0000', '\u001b[31m', '\u202e', '\u2066', '\u200d', '\ud800', '\u007f'],
}
const phones = {
  takes: of('09123456789 +9891234567 123456789012345 +12345678901234'),
  refuses: [
    ...of(
      '1234567890 +123456789 1234567890123456 +123456789012345 0912-345678 00912345678a ۰۹۱۲۳۴۵۶۷۸۹ 9123456789+ ++912345678',
    ),
    ...['', '0912 345678'],
  ],
}

/** Values of the rule's own type; the next test tries values of other types on every rule. */
const table: Record<keyof typeof rules, { takes: unknown[]; refuses: unknown[] }> = {
  signInEmail: { takes: [...emails.takes, mailOf(50)], refuses: ['', ...emails.refuses, mailOf(51)] },
  email: { takes: [...emails.takes, mailOf(35)], refuses: ['', ...emails.refuses, mailOf(36)] },
  signInPassword: {
    takes: [...passwords.takes, passwordOf(50)],
    refuses: [...passwords.refuses, passwordOf(51)],
  },
  newPassword: {
    takes: [...passwords.takes, passwordOf(35)],
    refuses: [...passwords.refuses, passwordOf(36)],
  },
  safeName: {
    takes: [...of('a Z 9 _ - DE-node_1'), a(35)],
    refuses: ['', a(36), 'a b', ...of('a.b a/b é ۱ a\n {{a}}')],
  },
  accountName: {
    takes: [...of('a Z 9 _ Ali_2'), a(35)],
    refuses: ['', a(36), 'a b', ...of('a-b a.b علی a\n')],
  },
  version: {
    takes: [...of('0 1.8.4 10 1.2.3.4.5'), '1'.repeat(35)],
    refuses: ['', ...of('. 1. .1 1..2 v1 1.8-rc ۱ 1.8\n'), '1'.repeat(36)],
  },
  serverType: { takes: of('xray hysteria'), refuses: ['', 'xray ', ...of('Xray trojan toString')] },
  vpnType: {
    takes: of('trojan hysteria2-direct'),
    refuses: ['', ...of('hysteria2 vless Trojan constructor')],
  },
  tunnelType: { takes: of('wstunnel ssh'), refuses: ['', ...of('SSH tcp __proto__')] },
  tunnelTypeOrNone: { takes: ['', ...of('wstunnel ssh')], refuses: [' ', ...of('none SSH')] },
  ipv4: {
    takes: of('0.0.0.0 1.2.3.4 192.0.2.10 99.100.199.200 249.250.255.255'),
    refuses: [
      ...of(
        '256.1.1.1 1.1.1.256 260.1.1.1 1.1.1 1.1.1.1.1 1.1.1. .1.1.1 01.1.1.1 1.1.1.01 1.1.1.001 0x1.1.1.1',
      ),
      ...of('1.1.1.1\n 1.1.1.1/24 1.1.1.1;id $(id) -1.1.1.1 ::1 ۱.1.1.1 2130706433'),
      ...['', '1.1.1.1 '],
    ],
  },
  url: {
    takes: [...hosts.takes, ...of('a.com/ a.com/p/a_t.h~-'), hostOf(35)],
    refuses: ['', ...hosts.refuses, 'a.com/a b', ...of('a.com/?q a.com/<b> a.com#x /path'), hostOf(36)],
  },
  port: { takes: [1, 65_535], refuses: [0, -1, 65_536] },
  maxAccounts: { takes: [0, 100_000], refuses: [-1, 100_001] },
  quota: { takes: [0, 100_000], refuses: [-1, 100_001] },
  quotaDay: { takes: [1, 31], refuses: [0, 32] },
  activityDays: { takes: [1, 90], refuses: [0, 91] },
  dayOrInstant: {
    takes: of('2026-02-28 2026-11-16T08:30:00Z 2026-11-16T08:30:00.000Z'),
    refuses: [
      ...of(
        '2026-02-30 2026-02-30T00:00:00Z 2026-11-16T24:30:00Z 2026-11-16T08:30 2026-11-16T08:30:00+03:30 16.11.2026 ۲۰۲۶-11-16',
      ),
      ...['', '2026-11-16 08:30:00Z'],
    ],
  },
  auditName: {
    takes: ['a@example.com', 'command line', uuidV4.toUpperCase(), a(50)],
    refuses: ['', ' ', a(51), ...texts.refuses],
  },
  auditAction: { takes: of('setuserlevel signin-failed'), refuses: ['', 'A', 'a b', "a'", a(36)] },
  searchEverywhere: {
    takes: ['a', ' ali ', 'علی', 'https://kelid.example/sub/x', a(500)],
    refuses: ['', ' ', a(501), ...texts.refuses],
  },
  days: { takes: [1, 364], refuses: [0, -1, 365, 364.5] },
  firstUseDays: { takes: [1, 364], refuses: [0, 365, 1.5] },
  gigabytes: { takes: [1, 100_000], refuses: [0, -1, 100_001, 0.5] },
  uuid: { takes: [uuid, uuid.toUpperCase(), uuidV4], refuses: badUuids },
  uuidV4: {
    takes: [uuidV4, uuidV4.toUpperCase(), ...of('8 9 a b').map((n) => uuidV4.replace('-81', `-${n}1`))],
    refuses: [
      ...badUuids,
      uuid,
      uuidV4.replace('-4', '-5'),
      ...of('-71 -c1').map((n) => uuidV4.replace('-81', n)),
    ],
  },
  countryId: { takes: [0, 4, 999], refuses: [-1, 1000] },
  boolean: { takes: [true, false], refuses: [] },
  smsCode: { takes: of('0000 1234'), refuses: ['', ' 123', ...of('123 12345 12a4 ۱۲۳۴ 123\n +123')] },
  phone: phones,
  userPhone: phones,
  idempotencyKey: {
    takes: [a(16), a(64), 'Ab_9-Ab_9-Ab_9-Ab_9'],
    refuses: ['', a(15), a(65), `${a(16)} `, `${a(16)}\n`, `${a(16)}۱`],
  },
  reason: {
    takes: ['a', 'paid by USDT, see #12', 'پرداخت شد', a(200)],
    refuses: ['', '   ', a(201), ...texts.refuses],
  },
  contact: {
    takes: ['', ' ', '@shop', '+98 912 000 0000', 'https://t.me/shop', 'تلگرام فروشگاه', a(100)],
    refuses: [a(101), ...texts.refuses],
  },
  target: { takes: ['', 'MCI', 'همراه اول'], refuses: ['x'.repeat(36), 'a\u0000'] },
  search: { takes: [...texts.takes, a(35)], refuses: [...texts.refuses, a(36)] },
  secondFactorCode: { takes: [...texts.takes, a(35)], refuses: [...texts.refuses, a(36)] },
  points: { takes: [1, -1, 1_000_000_000, -1_000_000_000], refuses: [0, -0, 1_000_000_001, -1_000_000_001] },
  dollars: {
    takes: [0.01, -0.01, 0.1, 0.29, 1.1, 4.35, 8.41, 1, -5.25, 999_999.99, 1_000_000, -1_000_000],
    refuses: [0, -0, 0.001, 1.005, 1.000_000_001, 1e-9, -1e-9, 1_000_000.01, -1_000_000.01],
  },
  dollarLimit: { takes: [0, 0.01, 0.29, 1.5, 1_000_000], refuses: [-0.01, 0.001, 1e-9, 1_000_000.01] },
  balance: { takes: [0, 1, 1_000_000_000_000], refuses: [-1] },
  dollarBalance: { takes: [0, 0.01, 1.5, 10_000_000_000], refuses: [-0.01, 0.001, 10_000_000_000.01] },
  rate: { takes: [1, 1_000_000], refuses: [0, -1, 1_000_001] },
  level: { takes: [0, 5, 6, 10], refuses: [-1, 11] },
  price: { takes: [0, 100_000], refuses: [-1, 100_001] },
  devices: { takes: [1, 100], refuses: [0, 101] },
  speed: { takes: [1, 10_000], refuses: [0, 10_001, 1.5] },
  planName: {
    takes: ['a', 'One month', 'یک\u200cماهه ۵۰ گیگ', a(35)],
    refuses: ['', '  ', a(36), ...texts.refuses],
  },
  planPrice: { takes: [0, 1_000_000_000], refuses: [-1, 1_000_000_001] },
  planRevision: { takes: [1, 2_000_000], refuses: [0, -1] },
  optionalText: { takes: [undefined, ...texts.takes, a(35)], refuses: [...texts.refuses, a(36)] },
  optionalSecret: { takes: [undefined, ...texts.takes, a(128)], refuses: [...texts.refuses, a(129)] },
  optionalKey: {
    takes: [undefined, '', 'line\nline\r\n\ttab', a(16_384)],
    refuses: ['\u0000', '\u001b[2J', '\u202e', a(16_385)],
  },
  optionalDescription: { takes: [undefined, '', 'line\nخط', a(500)], refuses: ['\u0000', '\u202e', a(501)] },
  optionalSshUser: {
    takes: [undefined, '', ...of('root _svc a-b_1'), a(35)],
    refuses: ['a b', ...of('Root 1a -oProxyCommand a;b a\n'), a(36)],
  },
  emailOrNone: { takes: ['', ...emails.takes, mailOf(50)], refuses: [...emails.refuses, mailOf(51)] },
  httpsAddress: {
    takes: [
      ...of(
        'https://acme.example.com https://acme-v02.api.letsencrypt.org/directory https://198.51.100.9:14000/dir',
      ),
      `https://a.example/${a(182)}`,
    ],
    refuses: [
      ...of(
        'http://acme.example.com/ https:// https://acme.example.com:99999/ https://user:secret@acme.example.com/',
      ),
      ...of('https://acme.example.com/?a=b https://acme.example.com/{{7*7}} https://acme.example.com/\n'),
      ...['', `https://a.example/${a(183)}`],
    ],
  },
  host: { takes: [...hosts.takes, hostOf(253)], refuses: ['', ...hosts.refuses, 'a.com/path', hostOf(254)] },
  optionalHost: {
    takes: [undefined, '', ...hosts.takes, hostOf(253)],
    refuses: [...hosts.refuses, 'a.com/path', hostOf(254)],
  },
  optionalIpv6: {
    takes: [undefined, '', ...of(':: ::1 2001:db8::1 2001:0db8:0000:0000:0000:ff00:0042:8329')],
    refuses: [
      '::1 ',
      ...of(': ::: 2001:db8::g 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 ::1\n [::1] fe80::1%eth0 192.0.2.10'),
    ],
  },
  optionalDate: {
    takes: [undefined, '', ...of('2027-01-31 2028-02-29 2026-12-31')],
    refuses: [
      ...of(
        '2027-02-29 2027-02-30 2027-04-31 2027-13-01 2027-00-10 2027-01-00 2027-01-32 2027-1-1 27-01-31 2027/01/31',
      ),
      ...['2027-01-31T00:00:00Z', '1405-11-11 '],
    ],
  },
  instant: {
    takes: of('2027-01-31T12:00:00Z 2028-02-29T23:59Z 2026-12-31T00:00:00.000Z'),
    refuses: [
      ...of('2027-01-31 2027-02-29T12:00:00Z 2027-13-01T12:00:00Z 2027-01-31T25:00:00Z 2027-01-31T12:60Z'),
      ...of('2027-01-31T12:00:00 2027-01-31T12:00:00+03:30'),
      ...['', '2027-01-31 12:00:00Z', '2027-01-31T12:00:00Z '],
    ],
  },
  minutes: { takes: [0, 10, 1440], refuses: [-1, 1441, 1.5, '1', null] },
  ways: { takes: [1, 5], refuses: [0, 6, 1.5, '1', null] },
  optionalPortRange: {
    takes: [undefined, '', ...of('1024-1025 20000-20100 1024-65535')],
    refuses: of(
      '1023-2000 2000 20000-20000 20100-20000 20000-65536 20000:20100 20000-20100,3000 020000-30000 -',
    ),
  },
  configJson: {
    takes: [undefined, '{}', '{"a":[1]}', ' {} ', `{"a":"${a(16_376)}"}`],
    refuses: ['', ...of('[] null 1 "{}" { {a:1}'), "{'a':1}", `{"a":"${a(16_377)}"}`],
  },
  cursor: { takes: ['a', 'A-z_9', a(200)], refuses: ['', 'a b', ...of('a.b a='), a(201)] },
  pageSize: { takes: [1, 200], refuses: [0, 201] },
}

const shown = (value: unknown) =>
  typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value)?.slice(0, 60) ?? String(value))

describe.each(Object.entries(table))('the rule %s', (name, { takes, refuses }) => {
  const rule = rules[name as keyof typeof rules]
  const expectRefused = (value: unknown) => {
    const { success, error } = rule.safeParse(value)
    expect(success, shown(value)).toBe(false)
    for (const { message } of error?.issues ?? []) expect(Object.keys(ruleTexts)).toContain(message)
  }

  test('accepts its values unchanged, except upper case', () => {
    for (const value of takes) {
      const parsed = rule.safeParse(value)
      expect(parsed.success, shown(value)).toBe(true)
      const unchanged = typeof value === 'string' ? [value, value.toLowerCase()] : [value]
      expect(unchanged, shown(value)).toContain(parsed.data)
    }
  })

  test('refuses other values and names a rule', () => {
    for (const value of refuses) expectRefused(value)
  })

  test('converts no value of another type', () => {
    const types = new Set(takes.map((value) => typeof value))
    const whole = takes.every((value) => Number.isInteger(value)) ? [1.5, -1.5] : []
    const others = [undefined, true, 1, '1', 'true', 1n].filter((value) => !types.has(typeof value))
    const never = [null, [], ['a'], [1], {}, Number.NaN, 2 ** 53, -(2 ** 53), Number.POSITIVE_INFINITY]
    for (const value of [...others, ...never, ...whole]) expectRefused(value)
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

test('e-mail and UUID are kept in lower case, passwords and names as they were typed', () => {
  expect(rules.email.parse('Ali@Example.COM')).toBe('ali@example.com')
  expect(rules.signInEmail.parse('Ali@Example.COM')).toBe('ali@example.com')
  expect(rules.uuid.parse(uuid.toUpperCase())).toBe(uuid)
  expect(rules.uuidV4.parse(uuidV4.toUpperCase())).toBe(uuidV4)
  expect(rules.newPassword.parse('AbCd1!ef')).toBe('AbCd1!ef')
  expect(rules.accountName.parse('ALI')).toBe('ALI')
})
