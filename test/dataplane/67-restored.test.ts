import { X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { allowShrink, deleteAccount, getDashboard } from '@kelid/contract'
import { expect, test } from 'vitest'
import { type Account, isIn, named, sell } from './accounts.ts'
import { run, seconds, until } from './commands.ts'
import { added } from './installation.ts'
import { call, cli, closeProduct, dataFolder, startProduct } from './product.ts'

const aside = '/mnt/api/set-aside'
const isDatabase = (name: string) => name.startsWith('postgres')

/** As the operator's handbook has it: the database goes, the secret key stays. */
function setAside(folder: string) {
  mkdirSync(folder)
  for (const name of readdirSync(dataFolder).filter(isDatabase))
    renameSync(join(dataFolder, name), join(folder, name))
}
function putBack(folder: string) {
  for (const name of readdirSync(dataFolder).filter(isDatabase))
    rmSync(join(dataFolder, name), { recursive: true })
  for (const name of readdirSync(folder)) renameSync(join(folder, name), join(dataFolder, name))
  rmSync(folder, { recursive: true })
}

const areIn = (accounts: Account[]) => Promise.all(accounts.map((account) => isIn(account)))
const all = (accounts: Account[], is: boolean) => accounts.map(() => is)

const refusing = async () => (await call(getDashboard, {})).refusingHosts
const strangers = async () => (await call(getDashboard, {})).strangeAuthorities

async function alerted(hostUUID: string, refusedList: string, accounts: Account[]) {
  const since = performance.now()
  const isAlerted = async () => {
    const alerts = (await refusing()).map((host) => [host.uuid, host.refusedList])
    expect(alerts).toContainEqual([hostUUID, refusedList])
  }
  await until('the alert', 40, isAlerted, 250)
  console.log(`${refusedList}: alert after ${seconds(since)}`)
  expect(await areIn(accounts)).toEqual(all(accounts, true))
}

/** The administrator is sure: the list is taken as it is, and the alert is gone. */
async function allowed(hostUUID: string, lost: Account[], kept: Account[]) {
  const since = performance.now()
  await call(allowShrink, { hostUUID })
  await until('the smaller list to be taken', 30, async () => {
    expect(await areIn(lost)).toEqual(all(lost, false))
  })
  console.log(`allowed: taken after ${seconds(since)}`)
  expect(await areIn(kept)).toEqual(all(kept, true))
  await until('the alert to be gone', 30, async () => expect(await refusing()).toEqual([]))
}

const sellSeveral = (count: number) => Promise.all(Array.from({ length: count }, () => sell('hysteria2')))

test('after a restored backup, newer accounts stay connected until an administrator confirms the smaller list', async () => {
  const { servers } = await added()
  const hostUUID = servers[2]?.serverUUID ?? ''
  const kept = await sellSeveral(2)
  const file = '/mnt/api/yesterday.backup'
  cli('backup', file)
  const lost = await sellSeveral(1)
  await closeProduct()
  setAside(aside)
  cli('restore', file)
  await startProduct()
  await alerted(hostUUID, 'smaller', [...kept, ...lost])
  await allowed(hostUUID, lost, kept)
  rmSync(aside, { recursive: true })
  for (const account of kept) await call(deleteAccount, named(account))
})

test('hosts refuse the older list of an older database copy', async () => {
  const { servers } = await added()
  const hostUUID = servers[2]?.serverUUID ?? ''
  const kept = await sellSeveral(2)
  await closeProduct()
  mkdirSync(aside)
  // With the owners of its files.
  run('sh', '-c', `cp -a ${dataFolder}/postgres* ${aside}/`)
  await startProduct()
  const lost = await sellSeveral(1)
  await closeProduct()
  putBack(aside)
  await startProduct()
  await alerted(hostUUID, 'older', [...kept, ...lost])
  await allowed(hostUUID, lost, kept)
  for (const account of kept) await call(deleteAccount, named(account))
})

test('with an empty database no customer is disconnected and administrators are alerted; with the right one everything continues', async () => {
  const kept = await sellSeveral(2)
  await closeProduct()
  setAside(aside)
  await startProduct()
  const { hosts } = await added()
  await until('the agent says why', 20, () =>
    hosts.hysteriaServer.say('journalctl -u kelid-agent -n 9 --no-pager | grep "another CA than our own"'),
  )
  const authority = new X509Certificate(await hosts.hysteriaServer.say('cat /etc/kelid/agent/ca.pem'))
  const fingerprint = authority.fingerprint256.replaceAll(':', '').toLowerCase()
  const since = performance.now()
  // Each host by itself: both ends of the tunnels belong to it as well.
  await until('the alert', 90, async () =>
    expect(await strangers()).toMatchObject([{ fingerprint, hosts: 5 }]),
  )
  console.log(`an empty database: alert of all hosts after ${seconds(since)}`)
  expect(await areIn(kept)).toEqual(all(kept, true))
  await closeProduct()
  putBack(aside)
  await startProduct()
  expect(await strangers()).toEqual([])
  expect(await areIn(kept)).toEqual(all(kept, true))
  for (const account of kept) await call(deleteAccount, named(account))
})
