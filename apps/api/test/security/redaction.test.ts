import { expect, test } from 'vitest'
import { redact } from '../../src/features/provisioning/redact.ts'

const keyLines = [
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW',
  'QyNTUxOQAAACCkb2x1dGVseW5vdGFyZWFsa2V5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5AAAAoA==',
]
const key = ['-----BEGIN OPENSSH PRIVATE KEY-----', ...keyLines, '-----END OPENSSH PRIVATE KEY-----'].join(
  '\n',
)

test('a secret is hidden anywhere in a line, and the rest stays', () => {
  expect(redact('login root:Hunter-22! ok, again Hunter-22!', ['Hunter-22!'])).toBe(
    'login root:[hidden] ok, again [hidden]',
  )
  expect(redact('nothing to hide', ['Hunter-22!'])).toBe('nothing to hide')
})

test('special characters of patterns are literal in a secret', () => {
  for (const secret of ['a.*b(c)[d]', '$&$1$$', '\\d+\\n', '^x|y$', '{2,3}?'])
    expect(redact(`<${secret}>`, [secret])).toBe('<[hidden]>')
})

test('overlapping secrets are hidden completely', () => {
  expect(redact('abcdef-ghijkl-mnopqr', ['abcdef-ghijkl', 'ghijkl-mnopqr'])).toBe('[hidden]')
  expect(redact('long-secret-tail', ['secret', 'long-secret', 'secret-tail'])).toBe('[hidden]')
  expect(redact('abababab', ['abab'])).toBe('[hidden]')
  expect(redact('token Bearer abcdefgh12345678', ['n Bearer abcd'])).not.toMatch(/abcd|1234/)
})

test('a secret is hidden in every spelling that programs print', () => {
  const secret = "pa\"ss\\wörd & 'more'"
  for (const spelling of [
    JSON.stringify(secret),
    JSON.stringify(JSON.stringify(secret)),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    `'${secret.replaceAll("'", `'"'"'`)}'`,
    `'${secret.replaceAll("'", `'\\''`)}'`,
  ])
    expect(redact(`msg: ${spelling} end`, [secret])).not.toMatch(/pa.{0,4}ss|more|cGEi/)
})

test('key blocks are hidden: whole, cut off, in one line of JSON, and several at once', () => {
  const texts = [
    key,
    key.slice(0, 120),
    JSON.stringify({ key }),
    `${key}\n${key}`,
    key.replaceAll('\n', '\r\n'),
  ]
  for (const text of texts)
    for (const secrets of [[], [key]])
      for (const line of keyLines) expect(redact(`before\n${text}`, secrets)).not.toContain(line.slice(0, 20))
  expect(redact(`${key}\nafter`, [])).toBe('[hidden]\nafter')
})

test('a key that comes line by line is hidden, also one that we do not store', () => {
  for (const secrets of [[], [key], [key.replaceAll('\n', '\r\n')]])
    for (const line of keyLines) expect(redact(`${line}\n`, secrets)).toBe('[hidden]\n')
})

test.each([
  'trojan://0a1b2c3d-secret@192.0.2.1:443?sni=a.example.com#name',
  'hysteria2://0a1b2c3d-secret@192.0.2.1:443/?sni=a.example.com#name',
  'HY2://0a1b2c3d-secret@host',
  'vless://0a1b2c3d-secret@host',
  'ss://0a1b2c3d-secret@host',
  'https://panel.example.com/sub/0a1b2c3d-secret0123456',
  '/sub/0a1b2c3d-secret0123456',
  'postgres://kelid:0a1b2c3d-secret@db/kelid',
  'https://user:0a1b2c3d-secret@registry.example.com/',
  'Authorization: Bearer 0a1b2c3d-secret',
  'authorization: basic MGExYjJjM2Qtc2VjcmV0',
  'password=0a1b2c3d-secret',
  '"ansible_password": "0a1b2c3d-secret"',
  'TOKEN: 0a1b2c3d-secret',
])('%s does not get through', (text) => {
  expect(redact(`x ${text} y`, [])).not.toMatch(/0a1b2c3d|MGExYjJj/)
})

test('ordinary lines of a log stay as they are', () => {
  for (const line of [
    'TASK [xray : install the package] ****************',
    'ok: [192.0.2.10] => {"changed": false, "msg": "All assertions passed"}',
    'PLAY RECAP: ok=12 changed=3 unreachable=0 failed=0',
    'fatal: [192.0.2.10]: UNREACHABLE! => {"msg": "Permission denied (publickey,password)."}',
    'https://github.com/XTLS/Xray-core/releases/download/v1.8.4/Xray-linux-64.zip',
  ])
    expect(redact(line, ['Hunter-22!', '', 'ok'])).toBe(line)
})

test('a long log with many secrets is processed fast', () => {
  const secrets = Array.from({ length: 50 }, (_, count) => `secret-number-${count}`)
  const text = `${'-----BEGIN '.repeat(1_000)}${'trojan:/ password '.repeat(30_000)}${secrets.join(' ')}`
  const started = performance.now()
  expect(redact(text, [...secrets, key])).not.toContain('secret-number')
  expect(performance.now() - started).toBeLessThan(2_000)
})
