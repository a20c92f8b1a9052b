import { randomUUID } from 'node:crypto'
import {
  clearAbuse,
  day,
  deleteAccount,
  extendDuration,
  getAccount,
  getUserAccounts,
  getUserCredit,
  limits,
  newAccount,
  quoteAccount,
  renewSubscription,
  setEnabled,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { directAccount, trojanServer, tunnelledAccount, useProduct } from '../../../test/product.ts'

const product = useProduct()
beforeAll(async () => {
  await product.server({ serverIPV4: '192.0.2.10' })
  await product.server({ ...trojanServer(), serverURL: 'ams1.example.com' })
  await product.tunnel({ tunnelIPV4: '198.51.100.7' })
})

const later = (days: number) => new Date(product.clock.now().getTime() + days * day).toISOString()

test('creating charges points for every day, and tunnel credit for a tunnelled one', async () => {
  const user = await product.person({ points: 1_000, tunnelCredit: 50 })
  const account = await user.ask(newAccount, tunnelledAccount)
  expect(account).toMatchObject({
    accountName: 'sara_home',
    accountDuration: 30,
    accountExpireDate: later(30),
    accountEnabled: true,
    accountAbuse: false,
    accountState: 'active',
    accountTunnelEnabled: true,
    accountTunnelType: 'wstunnel',
    server: { country: { countryId: 528, countryName: 'Netherlands', countryFlag: '/flags/nl.svg' } },
  })
  expect(await user.ask(getUserCredit, {})).toEqual({
    userCredit: 700,
    userCreditDollars: 7,
    userTunnelCredit: 20,
    userCreditRate: 100,
    renewal: 'extend',
  })
})

test('the link points at the tunnel when there is one, with the name of the server', async () => {
  const user = await product.person({ points: 1_000, tunnelCredit: 50 })
  const tunnelled = await user.ask(newAccount, tunnelledAccount)
  expect(tunnelled.accountQRString).toMatch(
    /^trojan:\/\/[0-9a-f-]{36}@198\.51\.100\.7:443\?security=tls&sni=ams1\.example\.com&type=tcp&headerType=none&alpn=http%2F1\.1&fp=chrome&allowInsecure=0#sara_home$/,
  )
  const direct = await user.ask(newAccount, directAccount)
  expect(direct.accountQRString).toMatch(
    /^hysteria2:\/\/[0-9a-f-]{36}@192\.0\.2\.10:8443\/\?sni=fra1\.example\.com&insecure=0#ali_phone$/,
  )
})

test('country names come in the language of the request', async () => {
  const user = await product.person({ points: 300 })
  const account = await user.ask(newAccount, { ...directAccount, lng: 'fa' })
  expect(account.server.country.countryName).toBe('آلمان')
})

test('a wished country without a server is refused before anything is charged', async () => {
  const user = await product.person({ points: 1_000 })
  const reply = await user.call(newAccount, { ...directAccount, countryId: 364 })
  expect([reply.status, reply.errorType]).toEqual([409, 'NO_CAPACITY'])
  expect((await user.ask(getUserCredit, {})).userCredit).toBe(1_000)
  expect((await user.call(newAccount, { ...directAccount, countryId: 276 })).status).toBe(200)
})

test('country 0 is any country, as none is, in the quote and in the purchase', async () => {
  const user = await product.person({ points: 1_000 })
  const { accountVPNType, accountTunnelType, accountDuration } = directAccount
  const ask = { accountVPNType, accountTunnelType, accountDuration, countryId: 0 }
  expect((await user.ask(quoteAccount, ask)).quoteRefusal).toBeNull()
  const account = await user.ask(newAccount, { ...directAccount, countryId: 0 })
  expect(account.server.country.countryId).toBe(276)
})

test('not enough credit says how much is missing and changes nothing', async () => {
  const poor = await product.person({ points: 299 })
  const reply = await poor.call(newAccount, directAccount)
  expect(reply.errorType).toBe('INSUFFICIENT_CREDIT')
  expect(reply.envelope.response.error?.errorContent[0]).toBe('Not enough credit: 1 points are missing')
  const untunnelled = await product.person({ points: 1_000, tunnelCredit: 29 })
  expect((await untunnelled.call(newAccount, tunnelledAccount)).errorType).toBe('INSUFFICIENT_TUNNEL_CREDIT')
  expect((await untunnelled.ask(getUserAccounts, {})).items).toEqual([])
  expect((await untunnelled.ask(getUserCredit, {})).userCredit).toBe(1_000)
})

test('the quote is what the purchase then does', async () => {
  const user = await product.person({ points: 500, tunnelCredit: 40 })
  const { accountVPNType, accountTunnelType } = tunnelledAccount
  const ask = { accountVPNType, accountTunnelType, accountDuration: 12 }
  const quote = await user.ask(quoteAccount, ask)
  expect(quote).toMatchObject({
    quotePoints: 120,
    quoteDollars: 1.2,
    quoteTunnelCredit: 12,
    quoteRefusal: null,
  })
  const account = await user.ask(newAccount, { ...tunnelledAccount, accountDuration: 12 })
  expect(account.accountExpireDate).toBe(quote.accountExpireDate)
  const credit = await user.ask(getUserCredit, {})
  expect([credit.userCredit, credit.userTunnelCredit]).toEqual([
    quote.userCreditAfter,
    quote.userTunnelCreditAfter,
  ])

  const renewal = await user.ask(quoteAccount, { ...ask, accountUUID: account.accountUUID })
  expect(renewal).toMatchObject({
    quoteRenewal: 'extend',
    accountDurationAfter: 24,
    accountExpireDate: later(24),
  })
  const tooMuch = await user.ask(quoteAccount, { ...ask, accountDuration: 300 })
  expect(tooMuch).toMatchObject({ quoteRefusal: 'INSUFFICIENT_TUNNEL_CREDIT', userCreditAfter: 380 })
})

test('renewing extends by default; by setting it replaces what remains and charges only what it adds', async () => {
  const user = await product.person({ points: 10_000 })
  const { accountUUID } = await user.ask(newAccount, directAccount)
  const extended = await user.ask(extendDuration, { accountUUID, accountDuration: 10 })
  expect(extended.accountExpireDate).toBe(later(40))
  await product.settings({ renewal: 'replace' })
  const replaced = await user.ask(extendDuration, { accountUUID, accountDuration: 45 })
  expect(replaced.accountDuration).toBe(45)
  const shortened = await user.ask(extendDuration, { accountUUID, accountDuration: 5 })
  expect(shortened.accountDuration).toBe(5)
  await product.settings({ renewal: 'extend' })
  expect((await user.ask(getUserCredit, {})).userCredit).toBe(10_000 - 300 - 100 - 50)
})

test('disabling and enabling; an abused account is opened again by an administrator only', async () => {
  const user = await product.person({ points: 1_000 })
  const { accountUUID } = await user.ask(newAccount, directAccount)
  const disabled = await user.ask(setEnabled, { accountUUID, accountEnabled: false })
  expect(disabled).toMatchObject({ accountEnabled: false, accountState: 'disabled' })
  await product.setRow('accounts', accountUUID, {
    abused: true,
    enabled: false,
    abuse_devices: 7,
    abuse_seen_at: product.clock.now(),
  })
  expect((await user.call(setEnabled, { accountUUID, accountEnabled: true })).errorType).toBe(
    'ACCOUNT_ABUSED',
  )
  expect((await user.call(extendDuration, { accountUUID, accountDuration: 3 })).errorType).toBe(
    'ACCOUNT_ABUSED',
  )
  const seen = await user.ask(getAccount, { accountUUID })
  expect(seen).toMatchObject({ accountState: 'abused', accountAbuseEvidence: { devices: 7 } })
  expect(await product.admin.ask(clearAbuse, { accountUUID })).toMatchObject({
    accountState: 'active',
    accountAbuse: false,
    accountAbuseEvidence: null,
  })
})

test('deleting frees the place, refunds nothing, and the account is gone', async () => {
  const crowded = await product.server({ serverMaxAccounts: 1, countryId: 392, serverName: 'tyo-1' })
  const user = await product.person({ points: 1_000 })
  const wish = { ...directAccount, countryId: 392 }
  const { accountUUID } = await user.ask(newAccount, wish)
  expect((await user.call(newAccount, wish)).errorType).toBe('NO_CAPACITY')
  expect((await user.call(deleteAccount, { accountUUID })).status).toBe(200)
  expect((await user.call(getAccount, { accountUUID })).errorType).toBe('RESOURCE_NOT_FOUND')
  expect((await user.ask(getUserCredit, {})).userCredit).toBe(700)
  expect((await user.call(newAccount, wish)).status).toBe(200)
  const server = await product.row('servers', crowded)
  expect(server?.accounts).toBe(1)
})

test('the least full server is taken first', async () => {
  await product.server({
    serverMaxAccounts: 10,
    countryId: 752,
    serverName: 'sto-1',
    serverURL: 'a.example.com',
  })
  await product.server({
    serverMaxAccounts: 2,
    countryId: 752,
    serverName: 'sto-2',
    serverURL: 'b.example.com',
  })
  const user = await product.person({ points: 10_000 })
  const names: string[] = []
  for (let count = 0; count < 6; count += 1) {
    const account = await user.ask(newAccount, { ...directAccount, countryId: 752 })
    names.push(/sni=(\w)/.exec(account.accountQRString)?.[1] ?? '')
  }
  expect(names.filter((name) => name === 'b')).toHaveLength(1)
})

test('a bare body lists everything, newest first; paging, search, filter and sort are by request', async () => {
  const user = await product.person({ points: 100_000 })
  for (const name of ['Beta', 'alpha', 'gamma_1', 'delta', 'Epsilon']) {
    await user.call(newAccount, { ...directAccount, accountName: name, accountDuration: 10 + name.length })
    product.clock.advance(1_000)
  }
  const names = async (body: Parameters<typeof user.call<typeof getUserAccounts>>[1]) =>
    (await user.ask(getUserAccounts, body)).items.map((account) => account.accountName)
  expect(await names({})).toEqual(['Epsilon', 'delta', 'gamma_1', 'alpha', 'Beta'])
  expect(await names({ sort: 'accountName' })).toEqual(['alpha', 'Beta', 'delta', 'Epsilon', 'gamma_1'])
  expect(await names({ search: 'a_' })).toEqual(['gamma_1'])
  expect(await names({ search: 'ALPHA' })).toEqual(['alpha'])
  const [first] = (await user.ask(getUserAccounts, {})).items
  await user.call(setEnabled, { accountUUID: first?.accountUUID ?? '', accountEnabled: false })
  expect(await names({ state: 'disabled' })).toEqual(['Epsilon'])
  expect(await names({ state: 'expired' })).toEqual([])

  for (const sort of ['accountName', '-accountExpireDate', 'accountCreatedDate'] as const) {
    const whole = await names({ sort })
    const paged: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await user.ask(getUserAccounts, { sort, limit: 2, ...(cursor && { cursor }) })
      expect(page.total).toBe(5)
      paged.push(...page.items.map((account) => account.accountName))
      cursor = page.nextCursor
    } while (cursor)
    expect(paged).toEqual(whole)
  }
  const wrong = await user.call(getUserAccounts, { cursor: Buffer.from('["x","y"]').toString('base64url') })
  expect(wrong.errorType).toBe('INCOMPLETE_INFORMATION')
})

test('a list without links holds no key; by default it has every link', async () => {
  const user = await product.person({ points: 1_000 })
  const account = await user.ask(newAccount, directAccount)
  const listed = async (body: { withLinks?: boolean }) => (await user.ask(getUserAccounts, body)).items[0]
  expect(await listed({})).toMatchObject({ accountQRString: account.accountQRString })
  expect(await listed({ withLinks: true })).toEqual(await listed({}))
  const empty = { accountQRString: '', accountSubscriptionPath: '' }
  expect(await listed({ withLinks: false })).toEqual({ ...(await listed({})), ...empty })
})

test('those that expire within a week are a list of their own, which says how many they are', async () => {
  const user = await product.person({ points: 100_000 })
  const uuids: string[] = []
  for (const accountDuration of [1, 7, 7, 8, 30]) {
    const accountName = `days_${accountDuration}`
    const { accountUUID } = await user.ask(newAccount, { ...directAccount, accountName, accountDuration })
    uuids.push(accountUUID)
  }
  await user.call(setEnabled, { accountUUID: uuids[2] ?? '', accountEnabled: false })
  const expiring = { state: 'expiring', sort: 'accountExpireDate' } as const
  const names = async ({ call } = user) => {
    const page = (await call(getUserAccounts, { ...expiring, limit: 1 })).answer()
    const all = (await call(getUserAccounts, expiring)).answer().items
    expect(page.total).toBe(all.length)
    return all.map((account) => account.accountName)
  }
  expect(await names()).toEqual(['days_1', 'days_7'])
  product.clock.advance(limits.expiringDays * day)
  expect(await names(await product.again(user))).toEqual(['days_8'])
})

test('the subscription link gives the configuration, can be replaced, and says nothing to strangers', async () => {
  const user = await product.person({ points: 1_000 })
  const account = await user.ask(newAccount, directAccount)
  const open = (path: string, headers: Record<string, string> = {}) => product.raw(path, { headers })
  const lines = await open(account.accountSubscriptionPath)
  expect(Buffer.from(await lines.text(), 'base64').toString()).toContain(account.accountQRString)
  const page = await open(account.accountSubscriptionPath, {
    accept: 'text/html',
    'accept-language': 'fa-IR',
  })
  expect(await page.text()).toContain('<html lang="fa" dir="rtl"')
  const { accountUUID } = account
  const replaced = await user.ask(renewSubscription, { accountUUID })
  expect(replaced.accountQRString).toBe(account.accountQRString)
  expect((await open(account.accountSubscriptionPath)).status).toBe(404)
  expect((await open(replaced.accountSubscriptionPath)).status).toBe(200)
  expect((await open(`/sub/${'A'.repeat(22)}`)).status).toBe(404)
  expect((await open(`/sub/${randomUUID()}`)).status).toBe(404)
  const lost = await open(account.accountSubscriptionPath, { accept: 'text/html', 'accept-language': 'en' })
  expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining('This link leads nowhere')])
})

test('an expired account comes back by renewing, from now on', async () => {
  const user = await product.person({ points: 10_000 })
  const { accountUUID } = await user.ask(newAccount, { ...directAccount, accountDuration: 1 })
  product.clock.advance(5 * day)
  const owner = (await product.again(user)).call
  expect((await owner(getAccount, { accountUUID })).answer()).toMatchObject({
    accountState: 'expired',
    accountDuration: 0,
  })
  const renewed = (await owner(extendDuration, { accountUUID, accountDuration: 7 })).answer()
  expect(renewed).toMatchObject({ accountState: 'active', accountExpireDate: later(7) })
})
