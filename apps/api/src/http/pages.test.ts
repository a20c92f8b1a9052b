import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { getCountries } from '@kelid/contract'
import { expect, test } from 'vitest'
import { folderForAllTests } from '../../test/hooks.ts'
import { productForAllTests } from '../../test/product.ts'

const page = '<!doctype html><title>Kelid</title><script>document.title</script><div id="root"></div>'
const appPage = page.replace('Kelid', 'The app')
const adminPage = page.replace('Kelid', 'The administration')
const preview =
  '<title>ساخت حساب · Kelid</title><meta property="og:title" content="ساخت حساب · Kelid"><p>Kelid, "Kelid"</p>'
const brand = 'Kaveh & <b>'
const script = 'console.log("kelid")'.repeat(50)

const files = {
  'index.html': page,
  'settings/login/index.html': page.replace('Kelid', 'Log in'),
  'settings/login/index.fa.html': page.replace('Kelid', 'ورود'),
  'settings/signup/index.fa.html': preview,
  'dashboard/vpn/accounts/any.html': page.replace('Kelid', 'An account').replace('"root"', '"root" inert'),
  'app.html': appPage,
  'app.fa.html': appPage.replace('The app', 'برنامه'),
  'admin/all.html': adminPage,
  'manifest.webmanifest': '{"name":"Kelid","short_name":"Kelid","scope":"/"}',
  'sw.js': 'self.onfetch = () => {}',
  'assets/app-1a2b3c4d.js': script,
  'assets/app-1a2b3c4d.js.br': brotliCompressSync(script),
}

const webDir = folderForAllTests()
for (const [name, content] of Object.entries(files)) {
  mkdirSync(dirname(join(webDir, name)), { recursive: true })
  writeFileSync(join(webDir, name), content)
}
const product = productForAllTests({
  env: {
    KELID_WEB_DIR: webDir,
    KELID_TRUST_PROXY: '1',
    KELID_REPLY_SERVER: 'https://reply.example.com',
    KELID_BRAND_NAME: brand,
    KELID_BRAND_CONTACT: '</script><b>',
  },
})

const configBlock = /<script type="application\/json" id="config">(.*?)<\/script>/
const withoutConfig = (html: string) => html.replace(configBlock, '')

const get = (path: string, headers: Record<string, string> = {}) =>
  product.raw(path, { headers, redirect: 'manual' })

test('hashed files are compressed and kept for good; pages are asked for each time', async () => {
  const file = await get('/assets/app-1a2b3c4d.js', { 'accept-encoding': 'br' })
  expect(file.headers.get('content-encoding')).toBe('br')
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(file.headers.get('content-type')).toContain('javascript')
  expect(await file.text()).toBe(script)
  const home = await get('/')
  expect(home.headers.get('cache-control')).toBe('no-cache')
  expect(withoutConfig(await home.text())).toBe(page.replace('Kelid', 'Kaveh &amp; &lt;b&gt;'))
})

test("the operator's name is in titles and previews of links, in every language, and in no other place", async () => {
  const html = await (await get('/settings/signup/', { 'accept-language': 'fa' })).text()
  expect(withoutConfig(html)).toBe(preview.replaceAll('· Kelid', '· Kaveh &amp; &lt;b&gt;'))
})

test('a page may stand for every address right below it', async () => {
  const titles = [
    '/dashboard/vpn/accounts/1a2b',
    '/dashboard/vpn/accounts/1a2b/',
    '/dashboard/vpn/accounts/1a2b/c',
  ].map(async (path) => /<title>(.*?)</.exec(await (await get(path)).text())?.[1])
  expect(await Promise.all(titles)).toEqual(['An account', 'An account', 'The app'])
})

test('the head of a page alone is that of the page', async () => {
  for (const path of ['/', '/dashboard/accounts/', '/assets/app-1a2b3c4d.js', '/assets/none.js']) {
    const whole = await get(path)
    const head = await product.raw(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([whole.status, ''])
    for (const name of ['content-type', 'etag', 'content-security-policy'])
      expect(head.headers.get(name), `${name} of ${path}`).toBe(whole.headers.get(name))
  }
})

test('a page brings the config along, harmless in HTML; the one that the service worker keeps does not', async () => {
  const pages = ['/dashboard/', '/dashboard/vpn/accounts/one/']
  for (const [encoding, path] of ['br', 'gzip', 'identity'].flatMap((one) =>
    pages.map((page) => [one, page] as const),
  )) {
    const html = await (await get(path, { 'accept-encoding': encoding })).text()
    const json = configBlock.exec(html)?.[1] ?? ''
    expect(json).not.toContain('<')
    expect(JSON.parse(json)).toEqual(await (await get('/config.json')).json())
  }
  expect(await (await get('/app.html')).text()).toBe(appPage)
})

test('a page that has not changed is not sent again', async () => {
  const etag = (await get('/')).headers.get('etag') ?? ''
  expect((await get('/', { 'if-none-match': etag })).status).toBe(304)
  expect((await get('/', { 'if-none-match': 'W/"another"' })).status).toBe(200)
})

test('an address of the client gets its page, with or without the slash; a missing file does not', async () => {
  for (const path of ['/dashboard/vpn/accounts/', '/dashboard/vpn/accounts', '/settings/nothing?x=1'])
    expect(withoutConfig(await (await get(path)).text()), path).toBe(appPage)
  for (const path of ['/settings/login/', '/settings/login'])
    expect(await (await get(path)).text(), path).toContain('Log in')
  const person = '/admin/management/people/reza.karimi'
  for (const path of [
    ...[`${person}@example.com`, `${person}%40example.com`, `${person}%40example.com/`],
    '/admin/vpn/machine/192.0.2.10',
  ])
    expect(withoutConfig(await (await get(path)).text()), path).toBe(adminPage)
  for (const path of [
    '/assets/gone-00000000.js',
    '/foo.png',
    '/admin/reza@example.com/foo.png',
    '/api/v1/nothing',
    '/%2e%2e%2fpackage.json',
    '/..%2f..%2fetc/passwd.txt',
    '/%E0%A4%A',
  ]) {
    const reply = await get(path)
    expect(reply.status, path).toBeGreaterThanOrEqual(400)
    expect(await reply.json(), path).toHaveProperty('response.error')
  }
})

test('a page comes in the first language there is of address, cookie, browser, path and subdomain, else in English', async () => {
  const persian = { 'accept-language': 'fa-IR,fa;q=0.9,en;q=0.5' }
  const expected: [string, Record<string, string>, string][] = [
    ['/settings/login/', {}, 'Log in'],
    ['/settings/login/', persian, 'ورود'],
    ['/settings/login', persian, 'ورود'],
    ['/settings/login/', { 'accept-language': 'de,fa;q=0.9' }, 'ورود'],
    ['/settings/login/', { 'accept-language': 'fa;q=0.4, de, en-GB ; q=0.7' }, 'Log in'],
    ['/settings/login/', { 'accept-language': 'fa;q=0' }, 'Log in'],
    ['/settings/login/?lng=de', { cookie: 'kelid.language=fa' }, 'ورود'],
    ['/settings/login/?lng=de', { ...persian, cookie: 'kelid.language=fr' }, 'ورود'],
    ['/fa/', { 'accept-language': 'de' }, 'برنامه'],
    ['/fa/', { 'accept-language': 'en' }, 'The app'],
    ['/dashboard/', { 'accept-language': 'de', 'x-forwarded-host': 'fa.example.com' }, 'برنامه'],
    ['/en/', { 'accept-language': 'de', 'x-forwarded-host': 'fa.example.com' }, 'The app'],
    ['/settings/login/', { ...persian, cookie: 'other=fa; kelid.language=en' }, 'Log in'],
    ['/settings/login/', { cookie: 'kelid.language=fa' }, 'ورود'],
    ['/settings/login/?lng=en', { ...persian, cookie: 'kelid.language=fa' }, 'Log in'],
    ['/settings/login/?lng=../../etc/passwd', {}, 'Log in'],
    ['/dashboard/', persian, 'برنامه'],
    ['/dashboard/?lng=fa', {}, 'برنامه'],
    ['/', persian, 'Kaveh'],
    ['/app.html', persian, 'The app'],
  ]
  for (const [path, headers, text] of expected) {
    const reply = await get(path, headers)
    expect(await reply.text(), `${path} ${JSON.stringify(headers)}`).toContain(text)
    expect(reply.headers.get('vary'), path).toMatch(/accept-language.*cookie/i)
    expect(reply.headers.get('content-security-policy'), path).toContain("default-src 'none'")
  }
  expect((await get('/assets/app-1a2b3c4d.js', persian)).headers.get('vary') ?? '').not.toMatch(/cookie/i)
})

test('pages may run their own scripts and talk to the configured servers, nothing else', async () => {
  const policy = (await get('/dashboard/')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/=]{44}';/)
  expect(policy).toContain("connect-src 'self' https://reply.example.com")
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types worker")
  expect(policy).not.toContain('unsafe')
})

test('the service worker may fetch files of this origin, and is asked for each time', async () => {
  const { headers } = await get('/sw.js')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  expect(headers.get('cache-control')).toBe('no-cache')
})

test('the client learns brand and base addresses at run time', async () => {
  const reply = await get('/config.json')
  expect(await reply.json()).toEqual({
    brandName: brand,
    brandContact: '</script><b>',
    publicUrl: '',
    appServer: '',
    replyServer: 'https://reply.example.com',
    messagingServer: '',
    smsEnabled: false,
  })
})

test('an installed client has the name of the operator', async () => {
  const reply = await get('/manifest.webmanifest')
  expect(reply.headers.get('content-type')).toContain('application/manifest+json')
  expect(await reply.json()).toEqual({ name: brand, short_name: brand, scope: '/' })
})

test('the API documents load nothing from elsewhere', async () => {
  const docs = await get('/api/docs')
  expect(docs.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
  const files = [...(await docs.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, address = '']) => address,
  )
  expect(files.length).toBeGreaterThan(3)
  for (const address of files) {
    expect(address).toMatch(/^\/api\/docs\//)
    const plain = await get(address, { 'accept-encoding': 'identity' })
    const zipped = await get(address, { 'accept-encoding': 'br, gzip' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(await zipped.text()).toBe(await plain.text())
  }
})

test('long replies are compressed on request, short ones never', async () => {
  const countries = (encoding: string) =>
    product.admin.call(getCountries, {}, { 'accept-encoding': encoding })
  const [brotli, plain] = [await countries('br'), await countries('identity')]
  expect(brotli.headers.get('content-encoding')).toBe('br')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(brotli.envelope).toEqual(plain.envelope)
  expect((await get('/healthz', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBeNull()
})
