import {
  deleteAccount,
  getAccount,
  getAudit,
  getUsage,
  provisionServer,
  revokeNode,
  setEnabled,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { applied, appOf, comesIn, downloading, named, sell } from './accounts.ts'
import { runBeside, seconds, until } from './commands.ts'
import { added } from './installation.ts'
import { address } from './network.ts'
import { call, settled } from './product.ts'

const now = () => new Date().toISOString()

/** Somebody elsewhere, with the files of a host. */
async function impostor(path: string, body: object): Promise<string> {
  const folder = '/mnt/stolen'
  const trusted = ['--cacert', `${folder}/ca.pem`]
  const own = ['--cert', `${folder}/certificate.pem`, '--key', `${folder}/key.pem`]
  const said = JSON.stringify({ client: 'agent', clientVersion: '1.0', ...body })
  const data = ['--header', 'content-type: application/json', '--data', said]
  const curl = ['curl', '--silent', '--show-error', '--max-time', '5', ...trusted, ...own, ...data]
  const url = `https://${address.control}:8443${path}`
  const { stdout, stderr } = await runBeside(['ip', 'netns', 'exec', 'customer', ...curl, url])
  return stdout + stderr
}

const audited = async (auditAction: string, subject: string) =>
  (await call(getAudit, { limit: 50 })).items.filter(
    (line) => line.auditAction === auditAction && JSON.stringify(line).includes(subject),
  )

test('a stolen host certificate gives access to that host only, and to nothing once revoked; customers stay connected', async () => {
  const { hosts, servers } = await added()
  const hostUUID = servers[2].serverUUID
  const [account, foreign] = [await sell('hysteria2'), await sell('ssh')]
  await runBeside(['cp', '-r', `${hosts.hysteriaServer.root}/etc/kelid/agent`, '/mnt/stolen'])
  const list = await impostor('/agent/v1/desired', { epoch: '', digest: '' })
  expect(list).toContain(account.accountUUID)
  expect(list).not.toContain(foreign.accountUUID)
  const host = { now: now(), epoch: '', number: 0, digest: '', refusedList: '', connections: 0, load: 0 }
  const lie = { applied: [], usage: [{ id: foreign.accountUUID, up: 5e9, down: 5e9 }], online: [], gone: [] }
  const core = { version: '1.0', bootId: crypto.randomUUID(), upSince: now() }
  expect(await impostor('/agent/v1/report', { ...host, ...lie, core })).toContain('FOREIGN_REPORT')
  expect(await audited('foreignreport', hostUUID)).toHaveLength(1)
  const { usageTotal } = await call(getUsage, named(foreign))
  expect(usageTotal.up).toBe(0)

  const app = await appOf(account)
  const download = await downloading(app)
  const since = performance.now()
  await call(revokeNode, { hostUUID })
  expect(await impostor('/agent/v1/desired', { epoch: '', digest: '' })).toContain('UNAUTHENTICATED')
  await until('its own agent is refused too', 10, () =>
    hosts.hysteriaServer.say('journalctl -u kelid-agent -n 5 --no-pager | grep "no list from"'),
  )
  console.log(`refused ${seconds(since)} after it was taken back`)
  expect(await audited('revokenode', hostUUID)).toHaveLength(1)
  await call(setEnabled, { ...named(account), accountEnabled: false })
  const { accountApplied } = await call(getAccount, named(account))
  expect(accountApplied).toBe('waiting')
  const late = await appOf(account)
  expect(await comesIn(late)).toBe(true)

  await call(provisionServer, { serverUUID: hostUUID })
  await settled('server', hostUUID)
  await until('set up again, it hears again', 10, () => applied(account))
  expect(await comesIn(late)).toBe(false)
  expect(performance.now() - download.lastAt()).toBeGreaterThan(1000)
  download.end()
  for (const one of [app, late]) one.close()
  for (const one of [account, foreign]) await call(deleteAccount, named(one))
})
