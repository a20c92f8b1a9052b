import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { changeServer, day, getDashboard, getServer, type TargetProblem } from '@kelid/contract'
import { afterEach, expect, test } from 'vitest'
import { productForEachTest } from '../../../test/product.ts'
import { sampleOf } from '../../../test/sample-hosts.ts'
import { issueServerCertificate } from '../authority/authority.ts'
import { siteProblems } from './site-problems.ts'
import { watchTargets } from './watch-targets.job.ts'

const product = productForEachTest({ env: { KELID_PROBES: 'yes' } })
const { server: sample } = sampleOf('vless-reality')
const target = 'www.shop.example'
const hour = 3_600_000

/** Names and addresses that were checked, which the test answers. */
let asked: string[] = []
let problems: TargetProblem[] = []
afterEach(() => {
  asked = []
  problems = []
})
const watch = (change: { addresses?: string[]; KELID_PROBES?: boolean } = {}) => {
  const { addresses = ['203.0.113.7'], ...env } = change
  const ctx = {
    ...product.ctx,
    config: { ...product.ctx.config, ...env },
    resolve: async () => addresses,
  }
  return watchTargets(ctx, async (address, name) => {
    asked.push(`${name} at ${address}`)
    return problems
  })
}
const seen = async (serverUUID: string) => {
  const admin = await product.again(product.admin)
  const { serverTargetTrouble, serverState } = await admin.ask(getServer, { serverUUID })
  const { targetTroubles } = await admin.ask(getDashboard, {})
  const found = targetTroubles?.find(({ uuid }) => uuid === serverUUID)
  expect(serverState).toBe('ready')
  expect(found?.targetProblems).toEqual(serverTargetTrouble?.targetProblems)
  expect(found?.sinceDate).toEqual(serverTargetTrouble?.sinceDate)
  return serverTargetTrouble?.targetProblems ?? null
}
const serverWith = (change = {}) => product.server({ ...sample, serverRealityTarget: target, ...change })

test('a site that fails twice is shown on the dashboard and at the server until it is right again, and the server stays in service', async () => {
  const serverUUID = await serverWith()
  await product.server({ ...sample, serverIPV4: '192.0.2.201', serverURL: 'own.example.com' })
  expect(await watch()).toEqual({ checked: 1, failed: 0 })
  expect(asked).toEqual([`${target} at 203.0.113.7`])
  expect(await seen(serverUUID)).toBe(null)

  product.clock.advance(day)
  problems = ['NO_H2']
  const began = product.clock.now().toISOString()
  expect(await watch()).toEqual({ checked: 1, failed: 1 })
  expect(await seen(serverUUID), 'it may be a packet that was lost').toBe(null)
  product.clock.advance(hour)
  problems = ['NO_H2', 'CERTIFICATE']
  await watch()
  expect(await seen(serverUUID)).toEqual(problems)
  const admin = await product.again(product.admin)
  const { serverTargetTrouble } = await admin.ask(getServer, { serverUUID })
  expect(serverTargetTrouble?.sinceDate).toBe(began)

  product.clock.advance(hour)
  problems = []
  await watch()
  expect(await seen(serverUUID)).toBe(null)
})

test('a right site is checked once a day, at a time that differs, and a bounded number in each round', async () => {
  const serverUUID = await serverWith()
  await product.sql(
    `INSERT INTO servers SELECT copy.* FROM servers s, generate_series(1, 84) AS number, LATERAL jsonb_populate_record(
      s, jsonb_build_object('uuid', gen_random_uuid(), 'name', 's' || number, 'ipv4', '203.0.113.' || number)) AS copy
      WHERE s.uuid = $1`,
    serverUUID,
  )
  expect(await watch()).toEqual({ checked: 80, failed: 0 })
  expect(await watch()).toEqual({ checked: 5, failed: 0 })
  expect(await watch()).toEqual({ checked: 0, failed: 0 })
  const due = await product.sql('SELECT DISTINCT due_at FROM target_checks')
  expect(due.length).toBeGreaterThan(80)
  product.clock.advance(20 * hour - 1)
  expect((await watch()).checked).toBe(0)
  product.clock.advance(4 * hour + 1)
  expect([await watch(), await watch()]).toMatchObject([{ checked: 80 }, { checked: 5 }])
})

test('another site begins anew; a name without an address or with a forbidden one counts as out of reach', async () => {
  const serverUUID = await serverWith({ serverSNIAddress: 'cdn.shop.example' })
  for (const addresses of [[], ['127.0.0.1']]) {
    await watch({ addresses })
    product.clock.advance(hour)
  }
  expect(asked).toEqual([])
  expect(await seen(serverUUID)).toEqual(['UNREACHABLE'])
  const admin = await product.again(product.admin)
  const { serverIPV4, country } = await admin.ask(getServer, { serverUUID })
  const place = { serverUUID, serverIPV4, countryId: country.countryId }
  await admin.ask(changeServer, { ...place, serverRealityTarget: 'other.example' })
  await product.setRow('servers', serverUUID, { state: 'ready' })
  expect(await seen(serverUUID)).toBe(null)
  problems = ['NO_TLS13']
  await watch()
  expect(asked).toEqual(['cdn.shop.example at 203.0.113.7'])
  expect(await seen(serverUUID)).toBe(null)
})

test('a site that was changed during its check keeps nothing of it', async () => {
  const serverUUID = await serverWith()
  await watchTargets({ ...product.ctx, resolve: async () => ['203.0.113.7'] }, async () => {
    const { details } = await product.row('servers', serverUUID)
    const changed = { ...details, serverRealityTarget: 'other.example' }
    await product.setRow('servers', serverUUID, { details: JSON.stringify(changed) })
    return ['NO_H2']
  })
  expect(await product.sql('SELECT * FROM target_checks')).toEqual([])
})

test('nothing is checked where probes are off', async () => {
  await serverWith()
  expect(await watch({ KELID_PROBES: false })).toEqual({ checked: 0, failed: 0 })
})

test('real sites: TLS 1.2, without HTTP/2, with a certificate that nobody knows, and none at all', async () => {
  const { key, chain: cert } = await issueServerCertificate(product.ctx, target)
  const sites = [
    [createSecureServer({ key, cert }), ['CERTIFICATE']],
    [createServer({ key, cert }), ['NO_H2', 'CERTIFICATE']],
    [createServer({ key, cert, maxVersion: 'TLSv1.2' }), ['NO_TLS13', 'NO_H2', 'CERTIFICATE']],
  ] as const
  for (const [site, expected] of sites) {
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    const { port } = site.address() as AddressInfo
    expect(await siteProblems('127.0.0.1', target, port)).toEqual(expected)
    site.close()
    await once(site, 'close')
    expect(await siteProblems('127.0.0.1', target, port)).toEqual(['UNREACHABLE'])
  }
})
