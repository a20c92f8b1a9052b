import {
  addServer,
  adjustUserCredit,
  deleteBulk,
  editHost,
  getAudit,
  getHostHealth,
  getReplacement,
  getServer,
  newAccount,
  removeHost,
  setHostPaused,
  setSettings,
} from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import { type Account, again, applied, comesIn, downloading, readLink, subscription } from './accounts.ts'
import { openPhone } from './apps.ts'
import { run, seconds, until } from './commands.ts'
import { openCrowd, openCustomer } from './customer.ts'
import { bootHost } from './host.ts'
import { productKey, server, trust } from './installation.ts'
import { address } from './network.ts'
import { administrator, call, follow, settled } from './product.ts'
import { programs } from './programs.ts'
import { names } from './resolver.ts'
import { memo } from './stage.ts'

/** Nobody else's servers are there. */
const countryId = 380
const many = 200
const replaceDownAfter = 1
/**
 * Up to two minutes until the product sees that the host is down, two until it has been down for one, and one for the second hundred
 * accounts.
 */
const patience = 6 * 60

const servers = memo(async () => {
  const key = await productKey()
  const [dying, other] = await Promise.all([
    bootHost('dying', '198.51.100.91'),
    bootHost('living', '198.51.100.92'),
  ])
  for (const host of [dying, other]) {
    names.set(`${host.name}.example`, host.address)
    await trust(host, key)
  }
  const bodyOf = (host: typeof dying) => ({
    ...server(host.name, host, ''),
    ...{ serverVPNType: 'vless-reality' as const, serverTunnelActive: false, countryId },
  })
  const bodies = { dying: bodyOf(dying), other: bodyOf(other) }
  await call(adjustUserCredit, { userEmail: administrator.email, amount: 100_000, reason: 'to sell' })
  await Promise.all(Object.values(bodies).map((body) => call(addServer, body)))
  for (const { serverUUID } of Object.values(bodies)) {
    const log = await settled('server', serverUUID)
    expect((await call(getServer, { serverUUID })).serverState, log).toBe('ready')
  }
  return { hosts: { dying, other }, bodies }
})

const sold: Account[] = []
async function sell(): Promise<Account> {
  const account = await until('a way to be sold', 60, () =>
    call(newAccount, {
      ...{ accountName: `dead_${sold.length + 1}`, accountVPNType: 'vless-reality', accountTunnelType: '' },
      ...{ accountTunnelEnabled: false, accountDuration: 30, countryId },
    }),
  )
  sold.push(account)
  return account
}

const appWith = ({ accountQRString }: Pick<Account, 'accountQRString'>) =>
  openCustomer({ ...readLink(accountQRString), authority: '' })
const linkOf = (which: 'up' | 'down') => run('ip', '-n', 'switch', 'link', 'set', 'dying', which)

/** A phone with the file that the account's subscription has now. */
const phoneWith = async (account: Account) =>
  openPhone('config.json', await subscription(account, 'SFA/1.13.2'), (file) => [
    ...[programs['sing-box'], 'run', '-c', file],
  ])
const leavesBy = (phone: Awaited<ReturnType<typeof phoneWith>>, host: string) =>
  until('the phone to leave by a server', 20, async () => {
    const seen = await phone.fetch(`http://${address.world}:8080/who`)
    if (seen !== host) throw new Error(`${seen}: ${phone.log().slice(-1_000)}`)
  })

afterAll(async () => {
  const { bodies } = await servers()
  linkOf('up')
  await call(setSettings, { replaceDownAfter: 0 })
  const uuids = sold.map(({ accountUUID }) => accountUUID)
  for (let start = 0; start < uuids.length; start += many)
    await call(deleteBulk, { accountUUIDs: uuids.slice(start, start + many) })
  for (const { serverUUID } of Object.values(bodies)) await call(removeHost, { hostUUID: serverUUID })
})

test('200 accounts of a host that is gone get another host, and their apps are in again after a refresh', async () => {
  const { hosts, bodies } = await servers()
  const [dying, other] = [bodies.dying.serverUUID, bodies.other.serverUUID]
  const pause = (hostPaused: boolean, hostUUID = other) => call(setHostPaused, { hostUUID, hostPaused })
  await pause(true)
  while (sold.length < many) await sell()
  await pause(false)
  await pause(true, dying)
  const neighbour = await sell()
  await pause(false, dying)
  await Promise.all(sold.map(applied))
  const [customer] = sold as [Account]
  const numbers = async (hostUUID: string) => (await call(getServer, { serverUUID: hostUUID })).serverAccounts
  expect([await numbers(dying), await numbers(other)]).toEqual([many, 1])

  const preview = { ways: many, placed: many, elsewhere: 0, latest: null }
  const previewOf = () => call(getReplacement, { hostUUID: dying })
  expect(await previewOf()).toMatchObject(preview)
  await call(editHost, { hostUUID: other, serverMaxAccounts: 151 })
  expect(await previewOf(), 'with less room').toMatchObject({ ...preview, placed: 150 })
  await call(editHost, { hostUUID: other, serverMaxAccounts: 1_000 })
  expect(await previewOf()).toMatchObject(preview)

  const phone = await phoneWith(customer)
  await leavesBy(phone, hosts.dying.address)
  const beside = await appWith(neighbour)
  const besideDownload = await downloading(beside)
  await call(setSettings, { replaceDownAfter })
  const stream = await follow()
  const since = performance.now()
  linkOf('down')
  await until('the host to be down', patience, async () => {
    const { health } = await call(getHostHealth, { hostUUID: dying })
    if (health !== 'down') throw new Error(health)
  })
  console.log(`down after ${seconds(since)}`)
  await until('the first account to be moved', patience, async () => {
    if ((await numbers(dying)) === many) throw new Error(JSON.stringify(await previewOf()))
  })
  console.log(`the first hundred accounts moved after ${seconds(since)}`)
  await until('the last account to be moved', patience, async () => {
    if ((await numbers(dying)) > 0) throw new Error(JSON.stringify(await previewOf()))
  })
  console.log(`the last of ${many} accounts moved after ${seconds(since)}`)
  expect(await numbers(other)).toBe(many + 1)
  const latest = { reason: 'down', startedBy: '', moved: many, stuck: 0 }
  expect(await previewOf()).toMatchObject({ ways: 0, latest: { ...latest, finishedDate: null } })

  const moved = await Promise.all(sold.slice(0, many).map(again))
  expect(moved.map((account) => readLink(account.accountQRString).server)).toEqual(
    moved.map(() => hosts.other.address),
  )
  expect(moved.map(({ accountSubscriptionPath }) => accountSubscriptionPath)).toEqual(
    sold.slice(0, many).map(({ accountSubscriptionPath }) => accountSubscriptionPath),
  )
  await Promise.all(moved.map(applied))
  console.log(`all of them may come in at the other host after ${seconds(since)}`)
  phone.close()
  const refreshed = await phoneWith(customer)
  await leavesBy(refreshed, hosts.other.address)
  console.log(`a refreshed app is in after ${seconds(since)}`)
  const crowd = await openCrowd(
    moved.map(({ accountQRString }) => ({ ...readLink(accountQRString), authority: '' })),
  )
  for (const download of await crowd.streams(`http://${address.world}:8080/drip`)) download.end()
  crowd.close()
  expect(besideDownload.isIntact() && besideDownload.isOpen()).toBe(true)
  expect(performance.now() - besideDownload.lastAt()).toBeLessThan(1_000)

  const announced = new Set(
    stream.events.flatMap((event) => (event.type === 'account' ? event.accountUUID : [])),
  )
  expect(moved.filter(({ accountUUID }) => !announced.has(accountUUID))).toEqual([])
  expect(stream.events).toContainEqual({ type: 'server', serverUUID: dying, state: 'ready' })
  stream.close()
  const auditOf = async (action: string) => {
    const { items } = await call(getAudit, { subject: dying, action, limit: 10 })
    return items.map(({ auditActor, auditDetail }) => ({ by: auditActor, ...auditDetail }))
  }
  expect(await auditOf('replaceserver')).toMatchObject([{ by: 'the product', name: 'dying', reason: 'down' }])

  linkOf('up')
  const back = performance.now()
  await until('the summary', 240, async () =>
    expect(await previewOf()).toMatchObject({ latest: { ...latest, finishedDate: expect.any(String) } }),
  )
  console.log(`the replacement is over ${seconds(back)} after the host is back`)
  expect(await auditOf('replacedserver')).toMatchObject([{ moved: many, left: 0 }])
  const old = await appWith(customer)
  await until('the old link to be refused', 60, async () => {
    expect(await comesIn(old, 2)).toBe(false)
  })
  await sell()
  expect(await numbers(dying), 'it is filled slowly').toBe(0)
  await leavesBy(refreshed, hosts.other.address)
  besideDownload.end()
  for (const app of [old, beside, refreshed]) app.close()
})
