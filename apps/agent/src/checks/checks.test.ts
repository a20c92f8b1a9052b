import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, utimesSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { report, vpnTypes } from '@kelid/contract'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import type { Config } from '../config.ts'
import { hearFailures } from './agent.ts'
import { certificateTrouble } from './certificates.ts'
import { certificateOf, checksOf, createChecks } from './checks.ts'
import { checkClock } from './clock.ts'
import { conntrackTrouble } from './conntrack.ts'
import { type CoreLook, coreTrouble, listensOn } from './core.ts'
import { diskTrouble } from './disk.ts'
import { isFirewallLoaded, isInputLoaded } from './firewall.ts'
import { checkFront } from './front.ts'
import { memoryTrouble } from './memory.ts'
import { requestRepair } from './repair.ts'
import type { Finding } from './trouble.ts'

const folder = temporaryFolder()
const quiet = () => {}

const unit = (ActiveState: string, NRestarts = 0, ExecMainStatus = 0) => ({
  ...{
    ActiveState,
    NRestarts: String(NRestarts),
    ExecMainStatus: String(ExecMainStatus),
    Result: 'exit-code',
  },
})
const fine: CoreLook = { unit: unit('active'), answers: true, listens: true }

test('a tunnel where nothing listens for customers is reported', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const check = checkFront({ door: String((server.address() as AddressInfo).port) } as Config)
  expect(await check()).toBeUndefined()
  server.close()
  await once(server, 'close')
  expect(await check()).toMatchObject({ kind: 'front' })
})

test.each<[string, CoreLook, CoreLook | undefined, string | undefined]>([
  ['works', fine, fine, undefined],
  ['rejects its configuration', { ...fine, unit: unit('failed', 0, 23) }, undefined, 'core-configuration'],
  ['has failed once', { ...fine, unit: unit('failed') }, fine, undefined],
  ['has stopped', { ...fine, unit: unit('inactive') }, { ...fine, unit: unit('failed') }, 'core-stopped'],
  [
    'was restarted by an administrator',
    { ...fine, unit: unit('active', 0) },
    { ...fine, unit: unit('active', 9) },
    undefined,
  ],
  [
    'crashes again and again',
    { ...fine, unit: unit('active', 5) },
    { ...fine, unit: unit('active', 2) },
    'core-crashing',
  ],
  ['was slow once', { ...fine, answers: false }, fine, undefined],
  ['hangs', { ...fine, answers: false }, { ...fine, answers: false }, 'core-hung'],
  [
    'hangs while systemd does not answer',
    { ...fine, unit: {}, answers: false },
    { ...fine, unit: {}, answers: false },
    'core-hung',
  ],
  ['does not listen', { ...fine, listens: false }, { ...fine, listens: false }, 'core-deaf'],
])('a core that %s', (_, look, before, kind) => {
  expect(coreTrouble(look, before)?.kind).toBe(kind)
})

test('a listener is found by port and state in the tables of both protocols', () => {
  const tcp = `  sl  local_address rem_address   st tx_queue
   0: 0100007F:115B 00000000:0000 0A 00000000:00000000
   1: 0100007F:01BB 0100007F:C350 01 00000000:00000000`
  const udp6 = `  11: 00000000000000000000000000000000:01BB 00000000000000000000000000000000:0000 07 00000000`
  expect([listensOn(tcp, 4443), listensOn(tcp, 443), listensOn(udp6, 443), listensOn(udp6, 53)]).toEqual([
    ...[true, false, true, false],
  ])
})

test('the firewall is loaded if its table has its rules', () => {
  const table = (rules: string) => `table inet kelid {\n\tchain output {\n${rules}\t}\n}\n`
  expect(isFirewallLoaded(table('\t\tmeta skuid != 998 accept\n'))).toBe(true)
  expect([isFirewallLoaded(table('')), isFirewallLoaded('')]).toEqual([false, false])
  const input = (policy: string) =>
    `table inet kelid-input {\n\tchain input {\n\t\tpolicy ${policy};\n\t}\n}\n`
  expect([isInputLoaded(input('drop')), isInputLoaded(input('accept')), isInputLoaded('')]).toEqual([
    ...[true, false, false],
  ])
})

const MB = 1024 ** 2
const space = (megabytes: number, free: number, inodes = 1_000, freeInodes = 500) => ({
  ...{ bsize: MB, blocks: megabytes, bavail: free, files: inodes, ffree: freeInodes },
})
test.each([
  [space(20_000, 1_001), undefined],
  [space(20_000, 999), '/: 999 MB free'],
  [space(2_000_000, 1_025), undefined],
  [space(2_000_000, 1_023), '/: 1023 MB free'],
  [space(16, 0), '/: 0 MB free'],
  [space(100, 50, 1_000, 49), '/: 49 inodes free'],
  // Some file systems have no number of inodes.
  [space(100, 50, 0, 0), undefined],
])('space %j on a disk', (disk, detail) => {
  expect(diskTrouble([{ path: '/', space: disk }])?.detail).toBe(detail)
})

test('memory, connection tracking and clock have limits', async () => {
  const meminfo = (available: number) =>
    `MemTotal:  1024000 kB\nMemFree:   1 kB\nMemAvailable:   ${available} kB\n`
  expect(memoryTrouble(meminfo(52_000))).toBeUndefined()
  expect(memoryTrouble(meminfo(51_000))?.detail).toBe('50 of 1000 MB available')
  expect([conntrackTrouble(899, 1_000), conntrackTrouble(900, 1_000)?.detail]).toEqual([
    ...[undefined, '900 of 1000'],
  ])
  const off = (by: number) => checkClock({ now: () => 1_000_000 }, () => 1_000_000 + by)()
  expect([await off(30_000), (await off(31_000))?.detail, (await off(-90_000))?.detail]).toEqual([
    ...[undefined, '31 s ahead', '90 s behind'],
  ])
})

test('a certificate is a trouble from 14 days before its end', () => {
  const file = join(folder, 'chain.pem')
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null']
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '15', '-subj', '/CN=a', '-out', file], {
    stdio: 'ignore',
  })
  const pem = readFileSync(file, 'utf8')
  const inDays = (days: number) => certificateTrouble('certificate', pem, Date.now() + days * 86_400_000)
  expect([inDays(0.9), inDays(1.1)?.kind, inDays(20)?.kind]).toEqual([
    undefined,
    'certificate',
    'certificate',
  ])
})

const files = { chain: '/chain.pem', siteCertificate: '' }
const paths = () => ({ ...files, api: '127.0.0.1:9', state: folder, accessLog: join(folder, 'access.log') })
test.each([
  ...vpnTypes.map((kind) => [kind, '', kind.startsWith('vless-') ? '' : '/chain.pem'] as const),
  ['vless-reality', '/site.crt', '/site.crt'],
  ['tunnel', '', ''],
  ['tunnel', '/site.crt', '/site.crt'],
] as const)('of %s with the site %j the certificate %j is checked', (kind, siteCertificate, checked) => {
  expect(certificateOf({ ...files, kind, siteCertificate })).toBe(checked)
})

test('a server with REALITY that shows another site has no certificate, which is no failure of the agent', async () => {
  const config = { ...paths(), kind: 'vless-reality', chain: join(folder, 'none.pem') } as Config
  const said: string[] = []
  const { say, check } = hearFailures((line) => said.push(line))
  const { certificate } = checksOf(config, { now: Date.now } as never, check)
  const checks = createChecks({ ...(certificate && { certificate }), agent: check }, say)
  for (const _ of [1, 2, 3]) await checks.look()
  expect([said, checks.troubles()]).toEqual([[], []])
})

test('a site whose certificate ends soon is a trouble', async () => {
  const siteCertificate = join(folder, 'site.crt')
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null']
  execFileSync(
    'openssl',
    ['req', '-x509', ...key, '-days', '13', '-subj', '/CN=a', '-out', siteCertificate],
    {
      stdio: 'ignore',
    },
  )
  const config = { ...paths(), kind: 'tunnel', siteCertificate, door: '443' } as Config
  const checks = checksOf(config, { now: Date.now } as never, async () => undefined)
  expect(await checks.certificate?.()).toMatchObject({ kind: 'certificate' })
})

test('a repair is requested at most once in its time, also after a restart of the agent', async () => {
  const file = join(folder, 'restart-core')
  expect(await requestRepair(file, 300_000)).toBe(true)
  expect(await requestRepair(file, 300_000)).toBe(false)
  const before = Date.now() / 1000 - 301
  utimesSync(file, before, before)
  expect(await requestRepair(file, 300_000)).toBe(true)
})

test('what the agent cannot do in two looks in a row is a trouble, and what it could not do once is not', async () => {
  const { say, check } = hearFailures(quiet)
  say('cannot write the accounts for the core: ENOSPC')
  expect(await check()).toBeUndefined()
  say('the core is back')
  expect(await check()).toBeUndefined()
  for (const _ of [1, 2]) {
    say('cannot cut connections: EPERM')
    await check()
  }
  say('cannot cut connections: EPERM')
  expect(await check()).toEqual({ kind: 'agent', detail: 'cannot cut connections: EPERM' })
})

test('a trouble is repaired, stays visible for ten minutes and is told once; one check that fails stops no other', async () => {
  let found: Finding | undefined
  let repairs = 0
  let time = 0
  const said: string[] = []
  const checks = createChecks(
    { broken: () => Promise.reject(new Error('EACCES')), firewall: async () => found },
    (line) => said.push(line),
    () => time,
  )
  expect([await checks.look(), checks.troubles()]).toEqual([false, []])
  expect(said).toEqual(['cannot check broken: EACCES'])
  found = {
    kind: 'firewall',
    detail: `a\nb\u202e${'x'.repeat(195)}\u{1f600}`,
    repair: async () => {
      repairs += 1
      return true
    },
  }
  expect([await checks.look(), repairs]).toEqual([true, 1])
  const [trouble] = checks.troubles()
  expect(trouble).toEqual({ kind: 'firewall', detail: `a b ${'x'.repeat(195)}`, repaired: false })
  expect(report.input.shape.troubles.safeParse(checks.troubles()).success).toBe(true)
  found = undefined
  expect([await checks.look(), checks.troubles()[0]?.repaired]).toEqual([true, true])
  expect(await checks.look()).toBe(false)
  time += 11 * 60_000
  expect([await checks.look(), checks.troubles()]).toEqual([true, []])
})
