import { expect, test } from 'vitest'
import { appsOf, appsWithout, importApps, importLink, systemOf, systems } from './import-apps.ts'
import { vpnTypes } from './vpn-catalogue.ts'

const url = 'https://vpn.example.com/sub/abc'
const name = "sara's (home)"
const encoded = 'sara%27s%20%28home%29'
const wholeUrl = encodeURIComponent(url)

test.each([
  ['Hiddify', `hiddify://import/${url}#${encoded}`],
  ['v2rayNG', `v2rayng://install-sub?url=${wholeUrl}&name=${encoded}#${encoded}`],
  ['Happ', `happ://add/${url}`],
  ['V2Box', `v2box://install-sub?url=${wholeUrl}&name=${encoded}`],
  ['Karing', `karing://install-config?url=${wholeUrl}&name=${encoded}`],
  ['Clash Verge', `clash://install-config?url=${wholeUrl}&name=${encoded}`],
  ['sing-box', `sing-box://import-remote-profile?url=${wholeUrl}#${encoded}`],
  ['Streisand', `streisand://import/${url}#${encoded}`],
  ['Shadowrocket', `shadowrocket://add/sub://${Buffer.from(url).toString('base64url')}?remark=${encoded}`],
  ['v2RayTun', `v2raytun://import/${url}`],
  ['INCY', `incy://add/${url}`],
  ['OneXray', `onexray://onexray.com/sub/add?url=${wholeUrl}#${encoded}`],
  ['Clash Mi', `clashmi://install-config?url=${wholeUrl}&name=${encoded}`],
  ['Koala Clash', `koala-clash://install-config?url=${wholeUrl}&name=${encoded}`],
  ['Prizrak-Box', `prizrak-box://install-config?url=${wholeUrl}&name=${encoded}`],
  ['FlClashX', `flclashx://install-config?url=${wholeUrl}&name=${encoded}`],
  ['Throne', `throne://addsub/${Buffer.from(`${url}#${encoded}`).toString('base64')}`],
  ['v2rayN', null],
  ['Flowvy', null],
] as const)('the link of %s', (app, link) => {
  expect(importLink(app, url, name)).toBe(link)
})

test('a subscription outside Latin letters becomes base64 without padding', () => {
  const persian = 'https://کلید.example/sub/?a>b'
  expect(importLink('Shadowrocket', persian, 'x')).toContain(Buffer.from(persian).toString('base64url'))
  expect(importLink('Throne', persian, 'x')).toContain(Buffer.from(`${persian}#x`).toString('base64'))
})

test('a button of every system can be pressed first', () => {
  for (const system of systems)
    for (const vpnType of vpnTypes) {
      const [first] = appsOf(system, [vpnType])
      expect(first && importLink(first, url, name)).toEqual(expect.any(String))
    }
})

test('every system has apps, and every app is on some system', () => {
  const named = new Set(systems.flatMap((system) => appsOf(system, ['trojan'])))
  expect(named).toEqual(new Set(importApps))
})

test.each(vpnTypes)('every system has apps for %s, and none that cannot use it', (vpnType) => {
  for (const system of systems) {
    expect(appsOf(system, [vpnType])).not.toHaveLength(0)
    for (const app of appsWithout([vpnType])) expect(appsOf(system, [vpnType])).not.toContain(app)
  }
})

test('sing-box has no XHTTP', () => {
  expect(appsWithout(['vless-xhttp'])).toEqual(['Hiddify', 'Karing', 'sing-box', 'Throne'])
  expect(appsWithout(['vless-reality'])).toEqual([])
  expect(appsWithout(['vless-xhttp', 'trojan'])).toEqual([])
})

test.each([
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', 'android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', 'ios'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0)', 'macos'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'linux'],
  ['', 'android'],
])('%j is %s', (userAgent, system) => {
  expect(systemOf(userAgent)).toBe(system)
})
