import { randomUUID } from 'node:crypto'
import { getAccount, newAccount, renewSubscription, searchEverywhere, setUserPhone } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { directAccount, sampleTunnel, trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()
let reseller: Person
let server: string
let exit: string
let tunnel: string
beforeAll(async () => {
  server = await product.server({ serverIPV4: '192.0.2.10', serverIPV6: '2001:DB8::10' })
  exit = await product.server({ ...trojanServer(), serverIPV4: '192.0.2.20' })
  tunnel = await product.tunnel({ tunnelIPV4: '198.51.100.7', tunnelIPV6: '2001:DB8::7' })
  reseller = await product.person({ points: 10_000, tunnelCredit: 1_000 })
})

const find = async (search: string) =>
  (await product.admin.ask(searchEverywhere, { search })).items.map(({ kind, id }) => [kind, id])

const buy = (accountName: string, how: object = directAccount) =>
  reseller.ask(newAccount, { ...directAccount, ...how, accountName })

test('a user is found by the e-mail, a part of it, and the phone in any spelling', async () => {
  await product.admin.call(setUserPhone, { userEmail: reseller.email, userPhone: '+989121234567' })
  const them = ['user', reseller.email]
  for (const text of [
    reseller.email,
    reseller.email.toUpperCase(),
    ` ${reseller.email.slice(0, 9)} `,
    reseller.email.slice(2, 11),
    '+989121234567',
    '0098 912 123',
    '0912 123 4567',
    '۰۹۱۲۱۲۳۴۵۶۷',
    '1234567',
  ])
    expect(await find(text), text).toContainEqual(them)
  expect((await product.admin.ask(searchEverywhere, { search: reseller.email })).items).toEqual([
    { kind: 'user', id: reseller.email, title: reseller.email, detail: '09121234567' },
  ])
})

test('an account is found by its name, a part of it and its UUID, and says whose it is', async () => {
  const { accountUUID } = await buy('Niloofar_home')
  for (const text of [
    'Niloofar_home',
    'niloofar_HOME',
    'nilo',
    'far_ho',
    accountUUID,
    accountUUID.toUpperCase(),
  ])
    expect(await find(text), text).toContainEqual(['account', accountUUID])
  expect((await product.admin.ask(searchEverywhere, { search: accountUUID })).items).toEqual([
    { kind: 'account', id: accountUUID, title: 'Niloofar_home', detail: reseller.email },
  ])
})

test('the most exact comes first, and no kind crowds out another', async () => {
  for (const name of ['xsara', 'sara_1', 'sara', 'SARA_long_name']) await buy(name)
  const titles = (await product.admin.ask(searchEverywhere, { search: 'sara' })).items.map(
    ({ title }) => title,
  )
  expect(titles).toEqual(['sara', 'sara_1', 'SARA_long_name', 'xsara'])

  for (let count = 0; count < 21; count += 1) await product.server({ serverName: `many-${count}` })
  await buy('many_1')
  const many = await find('many')
  expect(many).toHaveLength(20)
  expect(many.filter(([kind]) => kind === 'account')).toHaveLength(1)
})

test('percent signs and underscores are looked for as they are', async () => {
  expect(await find('%')).toEqual([])
  expect(await find('fra_1')).toEqual([])
  expect(await find('\\')).toEqual([])
})

test('servers and tunnels are found by name, host name, address of a page, IP and UUID', async () => {
  const own = await product.server({
    serverName: 'osl-9',
    serverURL: 'osl9.example.com',
    serverIPV4: '192.0.2.99',
  })
  for (const text of ['osl-9', 'osl9.example', 'https://OSL9.example.com/x?y', '192.0.2.99', own])
    expect(await find(text), text).toEqual([['server', own]])
  for (const text of [sampleTunnel().tunnelName, sampleTunnel().tunnelURL, '198.51.100.7', tunnel])
    expect(await find(text), text).toContainEqual(['tunnel', tunnel])
  expect(await find('192.0.2.')).toContainEqual(['server', exit])
  for (const text of ['2001:db8::10', '2001:0DB8:0:0::0010'])
    expect(await find(text)).toEqual([['server', server]])
  expect(await find('2001:db8:0::7')).toEqual([['tunnel', tunnel]])
  expect((await find('192.0.2.10'))[0]?.[0]).toBe('server')
})

test('a subscription link leads to its account from any host, until it is replaced', async () => {
  const account = await buy('link_1')
  const path = account.accountSubscriptionPath
  const its = [['account', account.accountUUID]]
  for (const text of [
    `https://old-host.example${path}`,
    `  http://192.0.2.1:8080${path}?lng=fa `,
    path,
    `${path}/`,
  ])
    expect(await find(text), text).toEqual(its)
  expect(await find(`https://kelid.example${path}x`)).toEqual([])
  await reseller.call(renewSubscription, { accountUUID: account.accountUUID })
  expect(await find(`https://kelid.example${path}`)).toEqual([])
})

test('an import link leads to its account, renamed or moved too; without the account to those of its name', async () => {
  for (const how of [directAccount, tunnelledAccount]) {
    const account = await buy('import_1', how)
    await buy('import_1', how)
    const its = [['account', account.accountUUID]]
    const link = account.accountQRString
    expect(await find(link)).toEqual(its)
    expect(await find(link.replace(/#.*/, '#My%20phone'))).toEqual(its)
    expect(await find(link.replace(/@[\d.]+/, '@203.0.113.200'))).toEqual(its)
    const foreign = await find(link.replace(/\/\/[^@]+/, `//${randomUUID()}`))
    expect(foreign).toContainEqual(its[0])
    expect(foreign.length).toBeGreaterThan(2)
  }
  expect(await find('trojan://%E0%A4%A@x#%E0%A4%A')).toEqual([])
  expect(await find('trojan://')).toEqual([])
  expect(await find('trojan://x@192.0.2.1#%00')).toEqual([])
})

test('a pasted link is neither logged nor written to the audit log', async () => {
  const account = await buy('quiet_1')
  const secret = account.accountSubscriptionPath.slice('/sub/'.length)
  const [, vpnSecret = ''] = /\/\/([^@]+)@/.exec(account.accountQRString) ?? []
  await find(`https://kelid.example/sub/${secret}`)
  await find(account.accountQRString)
  expect(vpnSecret).not.toBe('')
  await product.admin.call(searchEverywhere, { search: `${secret}\n` })
  const { db } = product.ctx
  const written = JSON.stringify([product.logs, await db.selectFrom('audit').selectAll().execute()])
  expect(written).not.toContain(secret)
  expect(written).not.toContain(vpnSecret)
  expect((await reseller.call(getAccount, { accountUUID: account.accountUUID })).status).toBe(200)
})
