import { createHash } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { appsOf, importApps, importLink, languages, systems, vpnTypes } from '@kelid/contract'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { exactTime, timeInWords } from './expiry.ts'
import { linkOf } from './links.ts'
import { pageStyle, pageStyleSource } from './page-style.ts'
import { wordsOf } from './page-words.ts'
import { storesOf } from './stores.ts'
import { ask, day, now, ofEveryType, pageUrl, trojan, vless } from './subscription.fixture.ts'

const asText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const hrefs = (body: string): string[] =>
  [...body.matchAll(/href="([^"]*)"/g)].map((hit) => asText(hit[1] ?? ''))
/** Without the marks that isolate names from the text around them. */
const plain = (body: string): string => body.replace(/<\/?bdi>/g, '')
const shape = (body: string): string[] => body.match(/<\/?[a-z0-9]+|\s[a-z-]+="/gi) ?? []

test('in English: name, state, expiry in words and to the minute, support', () => {
  const { body } = ask()
  expect(body).toContain('<html lang="en" dir="ltr">')
  expect(body).toContain('<h1><bdi>ali-phone</bdi></h1>')
  expect(body).toContain('<span>Active</span>')
  expect(body).toContain(
    'in 3 days<time class="soft" datetime="2026-03-08T14:30:00.000Z">8 March 2026, 14:30 UTC',
  )
  expect(body).toContain('href="mailto:help@example.com"')
  expect(hrefs(body)).toContain('?lng=fa')
})

test('in Persian: right to left, Persian digits, Persian calendar', () => {
  const { body } = ask({ language: 'fa', usage: { upload: 1e8, download: 3.4e9 } })
  expect(body).toContain('<html lang="fa" dir="rtl">')
  expect(body).toContain('<span>فعال</span>')
  expect(body).toContain('۳ روز دیگر')
  expect(body).toContain('۱۷ اسفند ۱۴۰۴، ساعت ۱۸:۰۰ به وقت تهران')
  expect(body).toContain('۳٫۳ گیگابایت')
  expect(hrefs(body)).toContain('?lng=en')
})

test.each([
  [3 * day + 1, 'in 3 days', '۳ روز دیگر'],
  [30 * day - 1000, 'in 30 days', '۳۰ روز دیگر'],
  [5 * 3_600_000, 'in 5 hours', '۵ ساعت دیگر'],
  [10_000, 'in 1 minute', '۱ دقیقه دیگر'],
  [-2 * day, '2 days ago', '۲ روز پیش'],
  [-40 * 60_000, '40 minutes ago', '۴۰ دقیقه پیش'],
])('%i ms from now is %s', (distance, en, fa) => {
  const date = new Date(now.getTime() + distance)
  expect(timeInWords('en', date, now)).toBe(en)
  expect(timeInWords('fa', date, now)).toBe(fa)
})

test('the Persian year turns at nowruz in Tehran', () => {
  expect(exactTime('fa', new Date('2026-03-20T20:29:00Z'))).toContain('۲۹ اسفند ۱۴۰۴، ساعت ۲۳:۵۹')
  expect(exactTime('fa', new Date('2026-03-20T20:30:00Z'))).toContain('۱ فروردین ۱۴۰۵، ساعت ۰۰:۰۰')
})

test('the link and the subscription address are there to select, left to right', () => {
  for (const language of languages)
    for (const account of ofEveryType) {
      const { body } = ask({ language, account })
      const boxes = [...body.matchAll(/<code class="link" dir="ltr" tabindex="0">([^<]*)<\/code>/g)]
      expect(boxes.map((box) => asText(box[1] ?? ''))).toEqual([linkOf(account), pageUrl])
    }
})

test('several ways have a link each, and the code is the one of the preferred way', () => {
  const other = { ...trojan, address: '203.0.113.25', countryId: 528 }
  for (const [language, names] of [
    ['en', ['ali-phone Netherlands Trojan', 'ali-phone Germany Trojan']],
    ['fa', ['ali-phone هلند Trojan', 'ali-phone آلمان Trojan']],
  ] as const) {
    const { body } = ask({ language, ways: [other, trojan] })
    const boxes = [...body.matchAll(/<code class="link" dir="ltr" tabindex="0">([^<]*)<\/code>/g)]
    const links = boxes.map((box) => asText(box[1] ?? '')).slice(0, -1)
    expect(links.map((link) => decodeURIComponent(new URL(link).hash.slice(1)))).toEqual(names)
    const modules = encode(links[0] ?? '', { ecc: 'L', border: 4 }).size
    expect(body).toContain(`viewBox="0 0 ${modules} ${modules}"`)
  }
})

test('each of several ways has a code, and says which apps cannot use it', () => {
  const ways = [trojan, { ...vless, accountVPNType: 'vless-xhttp' } as const]
  const { body } = ask({ ways })
  expect(body.match(/<details class="scan">/g)).toHaveLength(2)
  expect(plain(body)).toContain('Does not work with: Hiddify, Karing, sing-box, Throne<')
  expect(body.match(/role="img" aria-label="([^"]*)"/g)).toEqual([
    'role="img" aria-label="ali-phone Germany Trojan"',
    'role="img" aria-label="ali-phone Germany XHTTP"',
  ])
  expect(body).not.toContain('These apps cannot use this subscription')
  expect(hrefs(body).some((href) => href.startsWith('sing-box:'))).toBe(true)
})

test('five ways of the longest links stay below 40 KB', () => {
  const ways = ofEveryType.map((account, index) => ({
    ...account,
    secret: createHash('sha256').update(String(index)).digest('base64url'),
    address: `203.0.113.${index + 1}`,
    authorityFingerprint: createHash('sha256').update(`authority ${index}`).digest('hex'),
  }))
  for (const language of languages)
    expect(brotliCompressSync(ask({ ways, language }).body).length).toBeLessThan(40_960)
})

test('where some apps do not take the certificate from a code, the page says what to use instead', () => {
  const account = { ...trojan, authorityFingerprint: 'ab'.repeat(32) }
  expect(ask({ ways: [trojan, account] }).body).toContain('Better use a button')
  expect(ask({ account }).body).toContain('Better use a button or the subscription address')
  expect(ask({ account, language: 'fa' }).body).toContain('نشانی اشتراک استفاده کنید')
  expect(ask().body).not.toContain('Better use')
})

test('the code is the link: level L, four modules of quiet, black on white, 256 pixels or more', () => {
  const { body } = ask()
  const [, side, size] = body.match(/width="(\d+)" height="\d+" viewBox="0 0 (\d+) \d+"/)?.map(Number) ?? []
  const expected = encode(linkOf(trojan), { ecc: 'L', border: 4 })
  expect(size).toBe(expected.size)
  expect(Number(side)).toBeGreaterThanOrEqual(256)
  expect(Number(side) % expected.size).toBe(0)

  const drawn = expected.data.map((row) => row.map(() => false))
  for (const [, x, y, length] of body.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(length))
  expect(drawn).toEqual(expected.data)
  const edge = [...drawn.slice(0, 4), ...drawn.slice(-4)].flat()
  expect(edge).not.toContain(true)
  expect(body).toContain(`<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000"`)
})

test('the import buttons open each app with the subscription address', () => {
  const accountName = 'ali & co'
  const links = importApps.flatMap((app) => importLink(app, pageUrl, accountName) ?? [])
  expect(hrefs(ask({ account: { ...trojan, accountName } }).body)).toEqual(expect.arrayContaining(links))
})

test('apps that cannot use the VPN type have no button, and the page names them', () => {
  for (const [language, hint] of [
    ['en', 'These apps cannot use this subscription:'],
    ['fa', 'این برنامه‌ها نمی‌توانند از این اشتراک استفاده کنند:'],
  ] as const) {
    const { body } = ask({ account: { ...vless, accountVPNType: 'vless-xhttp' }, language })
    const comma = language === 'fa' ? '، ' : ', '
    const useless = ['Hiddify', 'Karing', 'sing-box', 'Throne'].join(comma)
    expect(plain(body)).toContain(`${hint} ${useless}<`)
    expect(hrefs(body).filter((href) => /^(?:hiddify|sing-box):/.test(href))).toEqual([])
    const found = ['v2rayNG', 'Happ - Proxy Utility', 'V2Box - V2ray Client', 'v2RayTun', 'INCY', 'OneXray']
    expect(plain(body)).toContain(`Google Play: ${found.join(comma)}<`)
    expect(ask({ account: vless, language }).body).not.toContain(hint)
  }
})

test('every app is found in a store of every system that has it', () => {
  for (const system of systems) {
    const listed = storesOf(system, vpnTypes).flatMap(({ names }) => names)
    expect(listed).toHaveLength(appsOf(system, vpnTypes).length)
  }
})

test('apps that no link opens are named with what to do instead', () => {
  for (const [language, hint] of [
    ['en', 'Paste the subscription address, which is below, into these:'],
    ['fa', 'برای این‌ها، نشانی اشتراک را که پایین‌تر آمده است در برنامه بچسبانید:'],
  ] as const) {
    const blocks = ask({ language }).body.split('<details class="system"').slice(1)
    const comma = language === 'fa' ? '، ' : ', '
    const named = blocks.map((block) => plain(block).includes(`${hint} v2rayN${comma}Flowvy<`))
    expect(named).toEqual([false, false, true, true, true])
  }
  expect(hrefs(ask().body)).not.toContain('')
})

test('each system has steps of its own in each language', () => {
  for (const language of languages) {
    const blocks = ask({ language }).body.split('<details class="system"').slice(1)
    const { steps } = wordsOf[language]
    for (const [index, system] of systems.entries()) {
      expect(steps[system]).toHaveLength(3)
      for (const step of steps[system]) expect(blocks[index]).toContain(`<li>${step}</li>`)
    }
    expect(new Set(systems.map((system) => steps[system].at(-1))).size).toBe(systems.length)
  }
})

test('devices that are connected now are a number, and nothing where no host reports them', () => {
  expect(ask({ devices: 2 }).body).toContain('<dt>Devices online now</dt><dd>2<span')
  expect(ask({ devices: 0, language: 'fa' }).body).toContain('<dt>دستگاه‌های آنلاین</dt><dd>۰<span')
  expect(ask({ devices: null }).body).not.toContain('Devices online')
  const expired = { ...trojan, accountState: 'expired' } as const
  expect(ask({ devices: 2, account: expired }).body).not.toContain('Devices online')
})

test('a limit of speed is a sentence, and nothing without one', () => {
  const limited = { ...trojan, speedLimit: 20 }
  expect(ask({ account: limited }).body).toContain('At most 20 Mbit/s at each server')
  expect(ask({ account: limited, language: 'fa' }).body).toContain('حداکثر ۲۰ مگابیت بر ثانیه در هر سرور')
  expect(ask({}).body).not.toContain('Mbit/s')
})

test('the state of one server is a fact in words with an icon', () => {
  const stateOf = (health: 'up' | 'down' | 'unknown', language: 'en' | 'fa' = 'en') =>
    ask({ language, ways: [{ ...trojan, health }] }).body.match(
      /<dt>(?:Server|سرور)<\/dt><dd><span class="state (\w+)"><svg[^>]*><path[^>]*\/><\/svg><span>([^<]*)</,
    )
  expect(stateOf('up')?.slice(1)).toEqual(['good', 'Working'])
  expect(stateOf('down')?.slice(1)).toEqual(['bad', 'Not working now'])
  expect(stateOf('down', 'fa')?.slice(1)).toEqual(['bad', 'فعلاً کار نمی‌کند'])
  expect(stateOf('unknown')).toBeNull()
})

test('the state of each of several servers is listed, and the broken one is marked beside its link', () => {
  const broken = { ...trojan, countryId: 528, health: 'down' } as const
  const unknown = { ...trojan, countryId: 40, health: 'unknown' } as const
  const { body } = ask({ ways: [trojan, unknown, broken] })
  const list = body.match(/<div class="servers">[\s\S]*?<\/div>/)?.[0] ?? ''
  const rows = [...list.matchAll(/<li><bdi>([^<]*)<\/bdi><span class="state (\w+)">.*?<span>([^<]*)</g)]
  expect(rows.map((row) => row.slice(1))).toEqual([
    ['ali-phone Germany Trojan', 'good', 'Working'],
    ['ali-phone Austria Trojan', 'unknown', 'Not checked'],
    ['ali-phone Netherlands Trojan', 'bad', 'Not working now'],
  ])
  expect(list).toContain('choose a server that works')
  expect(body.split('<div class="way">').map((part) => part.includes('class="state bad"'))).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(ask({ ways: [unknown, unknown] }).body).not.toContain('class="servers"')
  expect(ask({ ways: [broken, broken] }).body).not.toContain('choose a server that works')
  const expired = { ...trojan, accountState: 'expired' } as const
  expect(ask({ account: expired, ways: [trojan, broken] }).body).not.toContain('class="servers"')
})

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'iPhone and iPad'],
  ['', 'Android'],
])('all five systems are named, and that of %j is open', (userAgent, name) => {
  const { body } = ask({ userAgent })
  const blocks = [...body.matchAll(/<details class="system" name="system"( open)?>\n<summary>([^<]+)</g)]
  expect(blocks.map((block) => block[2])).toEqual(['Android', 'iPhone and iPad', 'Windows', 'macOS', 'Linux'])
  expect(blocks.filter((block) => block[1]).map((block) => block[2])).toEqual([name])
})

test.each([
  ['expired', 'has run out', 'تمام شده'],
  ['disabled', 'switched off by your provider', 'غیرفعال شده'],
  ['abused', 'more devices at once', 'بیش از تعداد مجاز'],
] as const)('%s: the page says so and whom to ask, and offers nothing to connect with', (state, en, fa) => {
  const account = { ...trojan, accountState: state }
  for (const [language, reason] of [
    ['en', en],
    ['fa', fa],
  ] as const) {
    const { status, body } = ask({ language, account })
    expect(status).toBe(200)
    expect(body).toContain(reason)
    expect(body).toContain('help@example.com')
    expect(body).not.toContain(trojan.secret)
    expect(body).not.toContain('class="code"')
    expect(hrefs(body).every((href) => href.startsWith('?lng=') || href.startsWith('mailto:'))).toBe(true)
  }
  const unknown = ask({ account, brand: { name: 'Kelid', contact: ' ' } })
  expect(unknown.body).toContain('the person who gave you this link')
})

const payloads = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus=alert(1) x='",
  '</title><svg onload=alert(1)>',
  '</style><script>alert(1)</script>',
  '&lt;script&gt;',
  'javascript:alert(1)',
  '\u202e\u2066moc.live\u2069<b>\u200f',
]

test.each(payloads)('%j is only ever text', (payload) => {
  for (const language of languages)
    for (const accountState of ['active', 'expired'] as const) {
      const page = (text: string): string =>
        ask({
          language,
          account: { ...trojan, accountName: text, accountState },
          brand: { name: text, contact: text },
        }).body
      expect(shape(page(payload))).toEqual(shape(page('plain')))
      expect(page(payload)).not.toMatch(/href="\s*javascript:/i)
      expect(page(payload)).not.toMatch(/\p{Bidi_Control}/u)
    }
})

test('the policy lets this one style in and nothing else, and the page needs nothing else', () => {
  for (const language of languages) {
    const { body, headers } = ask({ language })
    const style = body.match(/<style>([\s\S]*?)<\/style>/)?.[1] ?? ''
    expect(`'sha256-${createHash('sha256').update(style).digest('base64')}'`).toBe(pageStyleSource)
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${pageStyleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(body.match(/<style/g)).toHaveLength(1)
    expect(body).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|\sstyle=|\son[a-z]+=|url\(|@import/i)
    const hosts = [...asText(body).matchAll(/https?:\/\/([^/"<\s]+)/g)].map((hit) => hit[1])
    expect(new Set(hosts)).toEqual(new Set(['vpn.example.com']))
  }
})

test('light enough for a slow network, with the longest of names', () => {
  const account = { ...trojan, accountName: 'نام بسیار بلند '.repeat(10) }
  for (const language of languages)
    expect(brotliCompressSync(ask({ language, account }).body).length).toBeLessThan(40_960)
})

test('the style knows no left and right', () => {
  expect(pageStyle).not.toMatch(
    /[;{](left|right|top|bottom|width|height|(margin|padding|border)-(left|right|top|bottom)):|text-align:(left|right)/,
  )
})

test('text and state stand out from the ground by AA, control edges by 3 to 1, in both themes', () => {
  const channel = (hex: string): number => {
    const value = Number.parseInt(hex, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const light = (colour: string): number => {
    const [r = 0, g = 0, b = 0] =
      (colour.length === 3 ? colour.replace(/./g, '$&$&') : colour).match(/../g)?.map(channel) ?? []
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one: string, two: string): number => {
    const [high = 0, low = 0] = [light(one), light(two)].sort((a, b) => b - a)
    return (high + 0.05) / (low + 0.05)
  }
  const themes = pageStyle.match(/:root\{[^}]*\}/g) ?? []
  expect(themes).toHaveLength(2)
  for (const theme of themes) {
    const colours = Object.fromEntries(
      [...theme.matchAll(/--(\w+):#(\w+)/g)].map(([, name, hex]) => [name, hex ?? '']),
    )
    const ground = colours.ground ?? ''
    for (const name of ['ink', 'soft', 'good', 'bad'])
      expect(contrast(colours[name] ?? '', ground)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colours.edge ?? '', ground)).toBeGreaterThanOrEqual(3)
  }
})
