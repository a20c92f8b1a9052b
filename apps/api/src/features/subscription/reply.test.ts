import { expect, test } from 'vitest'
import { ask, askAs, now, pageUrl, trojan } from './subscription.fixture.ts'

const agents = { clash: 'FlClash/1', singBox: 'SFA/1.13', links: 'v2rayNG/1.10' }

test('the headers apps read, all of them', () => {
  const { status, headers } = askAs(agents.links, { usage: { upload: 1200, download: 3400.7 } })
  expect(status).toBe(200)
  expect(headers).toEqual({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'subscription-userinfo': 'upload=1200; download=3400; total=0; expire=1772980200',
    'profile-title': `base64:${Buffer.from('Kelid ali-phone').toString('base64')}`,
    'profile-update-interval': '12',
    'support-url': 'mailto:help@example.com',
    'profile-web-page-url': pageUrl,
    'content-disposition': 'attachment; filename="Kelid-ali-phone"',
  })
})

test('each format says what it is', () => {
  const types = Object.values(agents).map((agent) => askAs(agent).headers['content-type'])
  expect(types).toEqual([
    'text/yaml; charset=utf-8',
    'application/json; charset=utf-8',
    'text/plain; charset=utf-8',
  ])
  expect(ask().headers['content-type']).toBe('text/html; charset=utf-8')
})

test('unknown usage is zero, not a gap', () => {
  const broken = { upload: Number.NaN, download: -5 }
  for (const usage of [null, broken])
    expect(askAs(agents.links, { usage }).headers['subscription-userinfo']).toBe(
      'upload=0; download=0; total=0; expire=1772980200',
    )
})

test.each([
  ['https://t.me/kelid', 'https://t.me/kelid'],
  ['help@example.com', 'mailto:help@example.com'],
  ['https://مثال.example/راه', 'https://xn--mgbh0fb.example/%D8%B1%D8%A7%D9%87'],
  ['@kelid_support', undefined],
  ['+98 912 000 0000', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['https://', undefined],
  ['', undefined],
])('the contact %j gives support-url %j', (contact, url) => {
  expect(askAs(agents.links, { brand: { name: 'Kelid', contact } }).headers['support-url']).toBe(url)
})

test('no name, brand or contact can break out of a header', () => {
  const hostile = 'x\r\nset-cookie: a=b\u2028"; \\ کلید\u202e \ud800'
  const account = { ...trojan, accountName: hostile }
  for (const userAgent of Object.values(agents))
    for (const contact of [hostile, `https://example.com/${hostile}`]) {
      const { headers } = askAs(userAgent, { account, brand: { name: hostile, contact } })
      for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]+$/)
      expect(headers['content-disposition']).toBe('attachment; filename="x-set-cookie-a-b-x-set-cookie-a-b"')
    }
})

test('a name without a Latin letter still has a file name, and its title in full', () => {
  const { headers } = askAs(agents.clash, {
    account: { ...trojan, accountName: 'گوشی علی' },
    brand: { name: 'کلید', contact: '' },
  })
  expect(headers['content-disposition']).toBe('attachment; filename="subscription"')
  const title = headers['profile-title']?.replace('base64:', '') ?? ''
  expect(Buffer.from(title, 'base64').toString('utf8')).toBe('کلید گوشی علی')
})

test('an account that may not connect keeps its headers and is not an error', () => {
  const account = { ...trojan, accountExpireDate: new Date(now.getTime() - 1000) }
  for (const userAgent of Object.values(agents)) {
    const { status, headers } = askAs(userAgent, { account })
    expect(status).toBe(200)
    expect(headers['subscription-userinfo']).toContain('expire=1772704799')
    expect(headers['profile-web-page-url']).toBe(pageUrl)
  }
})

test('the page keeps its address, which is the secret, to itself', () => {
  const { headers } = ask()
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  })
})
