import { type AccountState, isUnderstoodBy, type Language } from '@kelid/contract'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { chooseFormat } from './formats.ts'
import { linkOf } from './links.ts'
import type { SubscriptionRequest } from './reply.ts'
import { askAs, hysteria, now, ofEveryType, trojan } from './subscription.fixture.ts'

const clash = (account = trojan) => parse(askAs('FlClash/v0.8.90', { account }).body)
const singBox = (account = trojan) => JSON.parse(askAs('SFA/1.13.2', { account }).body)
const closed: AccountState[] = ['disabled', 'expired', 'abused']

test.each([
  ['text/html,*/*;q=0.8', 'Mozilla/5.0', 'page'],
  ['TEXT/HTML', 'clash-verge/v2.4', 'page'],
  ['*/*', 'FlClash/v0.8.90', 'clash'],
  ['*/*', 'clash-verge/v2.4', 'clash'],
  ['*/*', 'ClashMetaForAndroid/2.11', 'clash'],
  ['*/*', 'mihomo/1.19', 'clash'],
  ['*/*', 'Stash/3.1', 'clash'],
  ['*/*', 'FlClash X/v0.2.1 Platform/android', 'clash'],
  ['*/*', 'Flowvy/1.4', 'clash'],
  ['*/*', 'murge/1.0', 'clash'],
  ['*/*', 'prizrak-box/v1.0.20', 'clash'],
  ['*/*', 'koala-clash/v1.3.1', 'clash'],
  ['*/*', 'ClashMi/1.0.17', 'clash'],
  ['*/*', 'SFA/1.13.2 (Build 700; sing-box 1.13.2)', 'sing-box'],
  ['*/*', 'SFI/1.13', 'sing-box'],
  ['*/*', 'SFM/1.13', 'sing-box'],
  ['*/*', 'SFT/1.13', 'sing-box'],
  ['*/*', 'Karing/1.2', 'sing-box'],
  ['application/json', 'HiddifyNext/4.0 (android) like ClashMeta v2ray sing-box', 'sing-box'],
  ['*/*', 'sing-box 1.13.2', 'sing-box'],
  ['*/*', 'v2rayNG/1.10.30', 'links'],
  ['*/*', 'Streisand/1.6', 'links'],
  ['*/*', 'Throne/1.2.1', 'links'],
  ['*/*', 'INCY/3.8.8', 'links'],
  ['*/*', 'TelegramBot (like TwitterBot)', 'page'],
  ['*/*', 'WhatsApp/2.24.1.0 A', 'page'],
  ['*/*', 'Mozilla/5.0 clash', 'links'],
  [undefined, undefined, 'links'],
])('Accept %j from %j gets %s', (accept, userAgent, format) => {
  expect(chooseFormat(accept, userAgent)).toBe(format)
})

const several = ['trojan', 'vless-reality', 'vless-xhttp'] as const

test.each([
  ['v2rayN/6.40', several, 'xray'],
  ['v2rayN/7.12.5', several, 'xray'],
  ['v2rayN/6.39', several, 'links'],
  ['v2rayNG/1.8.29', several, 'xray'],
  ['v2rayNG/1.10.30', several, 'xray'],
  ['v2rayNG/1.8.9', several, 'links'],
  ['Happ/1.63.1', several, 'xray'],
  ['Happ/2.9.0/Android', several, 'xray'],
  ['Happ/1.62', several, 'links'],
  ['Streisand/1.6', several, 'xray'],
  ['constructor/9.9', several, 'links'],
  ['FlClash/v0.8.90', several, 'clash'],
  ['v2rayNG/1.10.30', ['vless-reality'], 'links'],
  ['v2rayNG/1.10.30', ['trojan', 'hysteria2-direct'], 'links'],
] as const)(
  '%s gets %j as %s, because Xray changes among several ways by itself',
  (userAgent, types, format) => {
    expect(chooseFormat('*/*', userAgent, '', types)).toBe(format)
  },
)

test('several ways come as one configuration that changes among them, and one for each', () => {
  const { headers, body } = askAs('v2rayNG/1.10.30', { ways: [trojan, { ...trojan, countryId: 528 }] })
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  const names = JSON.parse(body).map(({ remarks }: { remarks: string }) => remarks)
  expect(names).toEqual(['Auto', 'ali-phone Germany Trojan', 'ali-phone Netherlands Trojan'])
})

test.each(['clash', 'sing-box', 'xray', 'links', 'toString', ''])('an address may ask for %j', (wanted) => {
  const isKnown = wanted !== '' && wanted !== 'toString'
  expect(chooseFormat('text/html', 'Mozilla/5.0', wanted)).toBe(isKnown ? wanted : 'page')
})

test('Xray gets one configuration for each entry', () => {
  for (const account of ofEveryType.map((one) => ({ ...one, address6: '2001:db8::24' }))) {
    const { headers, body } = askAs('', { account, format: 'xray' })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const configs = JSON.parse(body)
    expect(configs).toMatchObject([
      { remarks: 'ali-phone', inbounds: [{ port: 10808 }], outbounds: [{ tag: 'proxy' }, { tag: 'direct' }] },
      { remarks: 'ali-phone IPv6' },
    ])
    expect(JSON.stringify(configs[1].outbounds[0])).toContain('"address":"2001:db8::24"')
  }
})

test('an app nobody knows gets the links in base64', () => {
  for (const account of ofEveryType) {
    const { body } = askAs('v2rayNG/1.10.30', { account })
    expect(Buffer.from(body, 'base64').toString('utf8')).toBe(linkOf(account))
  }
})

test('Clash gets one proxy, a group that holds it, and a last rule that uses the group', () => {
  const config = clash()
  expect(config.proxies).toEqual([
    {
      name: 'ali-phone',
      type: 'trojan',
      server: '203.0.113.24',
      port: 443,
      password: trojan.secret,
      udp: true,
      sni: 'de1.example.com',
      alpn: ['h2', 'http/1.1'],
      'client-fingerprint': 'chrome',
      'skip-cert-verify': false,
    },
  ])
  expect(config['proxy-groups']).toEqual([{ name: 'Proxy', type: 'select', proxies: ['ali-phone'] }])
  expect(config.rules.at(-1)).toBe('MATCH,Proxy')
  expect(config['allow-lan']).toBe(false)
})

test('Clash gets hysteria2 with its own fields', () => {
  expect(clash(hysteria).proxies).toEqual([
    {
      name: 'ali-phone',
      type: 'hysteria2',
      server: '203.0.113.24',
      port: 8443,
      password: trojan.secret,
      sni: 'de1.example.com',
      alpn: ['h3'],
      'skip-cert-verify': false,
    },
  ])
})

test('sing-box gets the outbound it routes everything to', () => {
  const config = singBox()
  expect(config.outbounds).toEqual([
    {
      type: 'trojan',
      tag: 'ali-phone',
      server: '203.0.113.24',
      server_port: 443,
      password: trojan.secret,
      tls: {
        enabled: true,
        server_name: 'de1.example.com',
        alpn: ['h2', 'http/1.1'],
        utls: { enabled: true, fingerprint: 'chrome' },
      },
    },
    { type: 'direct', tag: 'direct' },
  ])
  expect(config.route.final).toBe('ali-phone')
  expect(config.dns.servers[0].detour).toBe('ali-phone')
  expect(config.inbounds).toMatchObject([{ type: 'tun', auto_route: true }])
})

test('sing-box gets hysteria2 with its own fields', () => {
  expect(singBox(hysteria).outbounds[0]).toEqual({
    type: 'hysteria2',
    tag: 'ali-phone',
    server: '203.0.113.24',
    server_port: 8443,
    password: trojan.secret,
    tls: { enabled: true, server_name: 'de1.example.com', alpn: ['h3'] },
  })
})

test('nothing that sing-box 1.13 has dropped is in its config', () => {
  for (const account of [trojan, { ...trojan, accountState: 'expired' as const }]) {
    const config = singBox(account)
    const types = config.outbounds.map((outbound: { type: string }) => outbound.type)
    expect(types).not.toContain('block')
    expect(types).not.toContain('dns')
    const text = JSON.stringify(config)
    for (const field of ['inet4_address', '"sniff":', 'domain_strategy', 'geoip', 'geosite', '"address":"'])
      expect(text).not.toContain(field)
  }
})

test.each(['Proxy', 'DIRECT', 'direct', 'REJECT', 'GLOBAL', 'dns'])(
  'an account called %s does not collide with a name of the config itself',
  (accountName) => {
    const account = { ...trojan, accountName }
    expect(clash(account).proxies[0].name).toBe(`${accountName} VPN`)
    expect(clash(account)['proxy-groups'][0].proxies).toEqual([`${accountName} VPN`])
    expect(singBox(account).route.final).toBe(`${accountName} VPN`)
  },
)

test.each(['yes', 'null', '012', '1e3', '- a: b', '"quoted" \\ {x}', 'گوشی علی', '#hash', '*star &and'])(
  'the name %j comes through every format as it is',
  (accountName) => {
    const account = { ...trojan, accountName }
    expect(clash(account).proxies[0].name).toBe(accountName)
    expect(singBox(account).outbounds[0].tag).toBe(accountName)
  },
)

test('an account whose host has an IPv6 address has a second entry, and the app a choice', () => {
  for (const account of ofEveryType.map((one) => ({ ...one, address6: '2001:db8::24' }))) {
    const { body } = askAs('v2rayNG/1.10.30', { account })
    const [first, second = '', ...rest] = Buffer.from(body, 'base64').toString('utf8').split('\n')
    expect([first, rest]).toEqual([linkOf(account), []])
    expect(new URL(second.replace(/^\w+:/, 'http:'))).toMatchObject({
      hostname: '[2001:db8::24]',
      hash: '#ali-phone%20IPv6',
    })
    const { proxies, 'proxy-groups': groups, ipv6 } = clash(account)
    expect([ipv6, clash().ipv6]).toEqual([true, false])
    expect(proxies[1]).toEqual({ ...proxies[0], name: 'ali-phone IPv6', server: '2001:db8::24' })
    expect(groups).toMatchObject([{ proxies: ['ali-phone', 'ali-phone IPv6'] }])
    if (!isUnderstoodBy('sing-box', account.accountVPNType)) continue
    const { outbounds, route, dns } = singBox(account)
    expect(outbounds[0]).toEqual({
      type: 'selector',
      tag: 'Proxy',
      outbounds: ['ali-phone', 'ali-phone IPv6'],
    })
    expect(outbounds[2]).toEqual({ ...outbounds[1], tag: 'ali-phone IPv6', server: '2001:db8::24' })
    expect([route.final, dns.servers[0].detour]).toEqual(['Proxy', 'Proxy'])
  }
})

/** What apps list for an account that cannot connect, after the checks that nothing leaves unprotected. */
function onlyEntry(request: Partial<SubscriptionRequest>): string {
  const link = new URL(Buffer.from(askAs('v2rayNG/1.10.30', request).body, 'base64').toString())
  expect([link.hostname, link.port]).toEqual(['127.0.0.1', '9'])
  const name = decodeURIComponent(link.hash.slice(1))

  const { proxies, rules, 'proxy-groups': groups } = parse(askAs('FlClash/v0.8.90', request).body)
  expect(proxies).toEqual([{ name, type: 'socks5', server: '127.0.0.1', port: 9 }])
  expect(groups).toEqual([{ name: 'Proxy', type: 'select', proxies: [name] }])
  expect(rules).toEqual(['MATCH,REJECT'])

  const [xray, ...more] = JSON.parse(askAs('', { ...request, format: 'xray' }).body)
  expect([xray.remarks, xray.outbounds[0], more]).toEqual([name, { tag: 'proxy', protocol: 'blackhole' }, []])

  const { outbounds, route } = JSON.parse(askAs('SFA/1.13.2', request).body)
  expect(outbounds).toEqual([
    { type: 'selector', tag: 'Proxy', outbounds: [name] },
    { type: 'socks', tag: name, server: '127.0.0.1', server_port: 9 },
    { type: 'direct', tag: 'direct' },
  ])
  expect(route.rules).toEqual([{ action: 'reject' }])
  return name
}

test.each([
  ['disabled', 'Switched off by your provider', 'از سوی ارائه‌دهنده غیرفعال شده است'],
  ['expired', 'Expired: ask for a renewal', 'اعتبار تمام شده؛ درخواست تمدید بدهید'],
  ['abused', 'Blocked: used on too many devices', 'مسدود شده؛ دستگاه‌ها بیش از حد مجازند'],
] as const)('the only entry of a %s account says why and whom to ask', (accountState, en, fa) => {
  const account = { ...trojan, accountState }
  expect(onlyEntry({ account })).toBe(`${en} · help@example.com`)
  expect(onlyEntry({ account, language: 'fa' })).toBe(`${fa} · help@example.com`)
  expect(onlyEntry({ account, brand: { name: 'Kelid', contact: '' } })).toBe(en)
})

test('an app that cannot use the VPN type is told which ones can', () => {
  const account = ofEveryType.find(({ accountVPNType }) => accountVPNType === 'vless-xhttp')
  const tags = (language: Language) =>
    JSON.parse(askAs('SFA/1.13.2', { ...(account && { account }), language }).body).outbounds[0].outbounds
  const apps = 'v2rayNG, Happ, V2Box, FlClash, Clash Meta, Clash Verge, Streisand, Shadowrocket, …'
  expect(tags('en')).toEqual([`This app cannot connect here. Use one of: ${apps}`])
  expect(tags('fa')).toEqual([`این برنامه نمی‌تواند وصل شود. یکی از این‌ها را به کار ببرید: ${apps}`])
})

test('the secret of an account that may not connect leaves in no format', () => {
  for (const userAgent of ['FlClash', 'SFA', 'v2rayNG'])
    for (const accountState of closed)
      expect(askAs(userAgent, { account: { ...trojan, accountState } }).body).not.toContain(trojan.secret)
  expect(askAs('SFA', { account: { ...trojan, accountExpireDate: now } }).body).not.toContain(trojan.secret)
})
