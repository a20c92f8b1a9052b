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
import { type Body, everyPage } from '../../../test/calls.ts'
import { productForAllTests } from '../../../test/product.ts'
import { directAccount, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
beforeAll(async () => {
  await product.server({ serverIPV4: '192.0.2.10' })
  await product.server({ ...trojanServer(), serverURL: 'ams1.example.com' })
  await product.tunnel({ tunnelIPV4: '198.51.100.7' })
})

const later = (days: number) => new Date(product.clock.now().getTime() + days * day).toISOString()

test('a new account costs points for every day, and tunnel credit if it is tunnelled; its link leads to its host', async () => {
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
  expect(account.accountQRString).toMatch(
    /^trojan:\/\/[0-9a-f-]{36}@198\.51\.100\.7:443\?security=tls&sni=ams1\.example\.com&type=tcp&headerType=none&alpn=h2%2Chttp%2F1\.1&fp=chrome&allowInsecure=0#sara_home$/,
  )
  const direct = await user.ask(newAccount, { ...directAccount, lng: 'fa' })
  expect(direct.server.country.countryName).toBe('آلمان')
  expect(direct.accountQRString).toMatch(
    /^hysteria2:\/\/[0-9a-f-]{36}@192\.0\.2\.10:8443\/\?sni=fra1\.example\.com&insecure=0#ali_phone$/,
  )
})

test('a country without a server is refused before anything is charged; country 0 is any country', async () => {
  const user = await product.person({ points: 1_000 })
  const reply = await user.call(newAccount, { ...directAccount, countryId: 364 })
  expect([reply.status, reply.errorType]).toEqual([409, 'NO_CAPACITY'])
  expect((await user.ask(getUserCredit, {})).userCredit).toBe(1_000)
  const { accountVPNType, accountTunnelType, accountDuration } = directAccount
  const question = { accountVPNType, accountTunnelType, accountDuration, countryId: 0 }
  expect((await user.ask(quoteAccount, question)).quoteRefusal).toBeNull()
  for (const countryId of [0, 276]) {
    const account = await user.ask(newAccount, { ...directAccount, countryId })
    expect(account.server.country.countryId).toBe(276)
  }
})

test('a purchase without enough credit is refused, names what is missing and changes nothing', async () => {
  const poor = await product.person({ points: 299 })
  const reply = await poor.call(newAccount, directAccount)
  expect(reply.errorType).toBe('INSUFFICIENT_CREDIT')
  expect(reply.envelope.response.error?.errorContent[0]).toBe('Not enough credit: 1 points are missing')
  const untunnelled = await product.person({ points: 1_000, tunnelCredit: 29 })
  expect(await untunnelled.refusal(newAccount, tunnelledAccount)).toBe('INSUFFICIENT_TUNNEL_CREDIT')
  expect((await untunnelled.ask(getUserAccounts, {})).items).toEqual([])
  expect((await untunnelled.ask(getUserCredit, {})).userCredit).toBe(1_000)
})

test('a purchase matches its quote', async () => {
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

test('a reseller disables and enables an account; only an administrator enables an abused one', async () => {
  const user = await product.person({ points: 1_000 })
  const { accountUUID } = await user.ask(newAccount, directAccount)
  const disabled = await user.ask(setEnabled, { accountUUID, accountEnabled: false })
  expect(disabled).toMatchObject({ accountEnabled: false, accountState: 'disabled' })
  await product.abuse(accountUUID)
  expect(await user.refusal(setEnabled, { accountUUID, accountEnabled: true })).toBe('ACCOUNT_ABUSED')
  expect(await user.refusal(extendDuration, { accountUUID, accountDuration: 3 })).toBe('ACCOUNT_ABUSED')
  const seen = await user.ask(getAccount, { accountUUID })
  expect(seen).toMatchObject({ accountState: 'abused', accountAbuseEvidence: { devices: 7 } })
  expect(await product.admin.ask(clearAbuse, { accountUUID })).toMatchObject({
    accountState: 'active',
    accountAbuse: false,
    accountAbuseEvidence: null,
  })
})

test('a deleted account frees its place and refunds nothing', async () => {
  const crowded = await product.server({ serverMaxAccounts: 1, countryId: 392, serverName: 'tyo-1' })
  const user = await product.person({ points: 1_000 })
  const wish = { ...directAccount, countryId: 392 }
  const { accountUUID } = await user.ask(newAccount, wish)
  expect(await user.refusal(newAccount, wish)).toBe('NO_CAPACITY')
  expect((await user.call(deleteAccount, { accountUUID })).status).toBe(200)
  expect(await user.refusal(getAccount, { accountUUID })).toBe('RESOURCE_NOT_FOUND')
  expect((await user.ask(getUserCredit, {})).userCredit).toBe(700)
  expect((await user.call(newAccount, wish)).status).toBe(200)
  expect(await product.row('servers', crowded)).toMatchObject({ accounts: 1 })
})

test('the least full server is taken first', async () => {
  const stockholm = { countryId: 752 }
  await product.server({ ...stockholm, serverMaxAccounts: 10, serverURL: 'a.example.com' })
  await product.server({ ...stockholm, serverMaxAccounts: 2, serverURL: 'b.example.com' })
  const user = await product.person({ points: 10_000 })
  const links: string[] = []
  for (let count = 0; count < 6; count += 1)
    links.push((await user.ask(newAccount, { ...directAccount, ...stockholm })).accountQRString)
  expect(links.filter((link) => link.includes('sni=b'))).toHaveLength(1)
})

test('an empty body lists everything, newest first; a request may page, search, filter and sort', async () => {
  const user = await product.person({ points: 100_000 })
  for (const name of ['Beta', 'alpha', 'gamma_1', 'delta', 'Epsilon']) {
    await user.call(newAccount, { ...directAccount, accountName: name, accountDuration: 10 + name.length })
    product.clock.advance(1_000)
  }
  const names = async (body: Body<typeof getUserAccounts>) =>
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
    const paged = await everyPage(async (from) => {
      const page = await user.ask(getUserAccounts, { sort, limit: 2, ...from })
      expect(page.total).toBe(5)
      return page
    })
    expect(paged.map((account) => account.accountName)).toEqual(await names({ sort }))
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

test('accounts that expire within a week have their own list with a total', async () => {
  const user = await product.person({ points: 100_000 })
  for (const accountDuration of [1, 7, 8, 30])
    await user.ask(newAccount, { ...directAccount, accountName: `days_${accountDuration}`, accountDuration })
  const { accountUUID } = await user.ask(newAccount, { ...directAccount, accountDuration: 7 })
  await user.ask(setEnabled, { accountUUID, accountEnabled: false })
  const expiring = { state: 'expiring', sort: 'accountExpireDate' } as const
  const names = async ({ ask } = user) => {
    const page = await ask(getUserAccounts, { ...expiring, limit: 1 })
    const all = (await ask(getUserAccounts, expiring)).items
    expect(page.total).toBe(all.length)
    return all.map((account) => account.accountName)
  }
  expect(await names()).toEqual(['days_1', 'days_7'])
  product.clock.advance(limits.expiringDays * day)
  expect(await names(await product.again(user))).toEqual(['days_8'])
})

test('a subscription link returns the configuration or a page; a replaced one gets a page that says so', async () => {
  const user = await product.person({ points: 1_000 })
  const { accountUUID, accountQRString, accountSubscriptionPath } = await user.ask(newAccount, directAccount)
  const openPage = (language: string) =>
    product.raw(accountSubscriptionPath, { headers: { accept: 'text/html', 'accept-language': language } })
  const lines = await product.raw(accountSubscriptionPath)
  expect(Buffer.from(await lines.text(), 'base64').toString()).toContain(accountQRString)
  expect(await (await openPage('fa-IR')).text()).toContain('<html lang="fa" dir="rtl"')
  const replaced = await user.ask(renewSubscription, { accountUUID })
  expect(replaced.accountQRString).toBe(accountQRString)
  expect((await product.raw(replaced.accountSubscriptionPath)).status).toBe(200)
  const lost = await openPage('en')
  expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining('This link leads nowhere')])
})
