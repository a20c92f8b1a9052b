import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  day,
  defaultSettings,
  getServer,
  getServerLog,
  provisionServer,
  setDnsProvider,
} from '@kelid/contract'
import { beforeEach, expect, test } from 'vitest'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { createSshKey } from '../../lib/openssh.ts'
import { pinHostKey } from '../hosts/host-keys.ts'
import { standIn, workshopForAllTests } from './ansible.fixture.ts'
import { newCertificate } from './certificates.fixture.ts'
import { issuancePauses } from './dns-certificates.ts'
import { keepAcmeAccount } from './issuances.store.ts'
import { maintainRuns } from './provision.job.ts'

const folder = folderForAllTests()
const lego = join(folder, 'lego')
const shop = workshopForAllTests({ env: { KELID_LEGO: lego } })
const ansible = openForAllTests(() => standIn(shop.folder))
const secret = 'Canary-of-the-token'
const at = (name: string) => join(folder, name)

/** Not lego, but what the product sees of it: options, environment and files. */
const fakeLego = `#!/bin/sh
echo once >> ${at('calls')}
env > ${at('env')}
printf '%s\\n' "$@" > ${at('args')}
[ ! -e ${at('fails')} ] || { cat ${at('fails')} >&2; exit 1; }
for option; do case $option in --path=*) path=\${option#*=};; --domains=*) name=\${option#*=};; esac; done
mkdir "$path/certificates"
cp ${at('next.crt')} "$path/certificates/$name.crt"
cp ${at('next.key')} "$path/certificates/$name.key"
find "$path" -type f > ${at('files')}
`

/** Signed in again, because the clock is advanced by days. */
const admin = () => shop.product.again(shop.product.admin)
const now = () => shop.product.clock.now()
const calls = () =>
  existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n').length : 0

function issues(wish: { name: string; days?: number }) {
  const issued = newCertificate({ now: now(), ...wish })
  writeFileSync(at('next.crt'), issued.chain)
  writeFileSync(at('next.key'), issued.key)
  rmSync(at('fails'), { force: true })
  return { chain: issued.chain, key: issued.key }
}

let servers = 0
async function server(serverURL: string) {
  servers += 1
  const serverIPV4 = `198.51.100.${servers}`
  const { serverUUID } = await shop.server({ serverURL, serverIPV4 })
  await pinHostKey(shop.product.ctx, serverUUID, serverIPV4, createSshKey('').publicKey)
  return {
    serverUUID,
    run: () => shop.runSetUps(serverUUID),
    /** How many runs the product begins by itself. */
    maintained: async () => {
      await maintainRuns(shop.product.ctx)
      return shop.runSetUps(serverUUID)
    },
    state: async () => (await (await admin()).ask(getServer, { serverUUID })).serverState,
    log: async () => (await (await admin()).ask(getServerLog, { serverUUID })).ansibleLog,
  }
}

const saveProvider = async () =>
  (await admin()).ask(setDnsProvider, {
    dnsProvider: 'desec',
    dnsCredentials: `DESEC_TOKEN=${secret}`,
  })

async function keepAccount(directory: string) {
  const { ctx } = shop.product
  const location = `acme_accounts.${encodeURIComponent(directory)}.` as const
  const sealed = ctx.seal.close(location, JSON.stringify({ account: '{"email":""}', key: 'the account key' }))
  await keepAcmeAccount(ctx.db, { directory, email: '', sealed })
}

beforeEach(async () => {
  writeFileSync(lego, fakeLego, { mode: 0o755 })
  for (const name of ['calls', 'fails']) rmSync(at(name), { force: true })
  const certificates = { ...defaultSettings.certificates, source: 'dns' as const }
  await shop.product.settings({ certificates })
  await saveProvider()
  await keepAccount(certificates.acmeDirectory)
})

test('the control plane gets the certificate, sends it to the server, and leaves no file behind', async () => {
  const issued = issues({ name: 'dns1.example.com' })
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('kelid-lego-'))
  const one = await server('dns1.example.com')
  await one.run()
  expect(await one.state()).toBe('ready')
  const { certificate } = ansible.description(one.serverUUID)
  expect(certificate).toEqual({ source: 'dns', name: 'dns1.example.com', ...issued })
  expect(JSON.stringify(ansible.description(one.serverUUID))).not.toContain(secret)
  expect((await shop.product.row('servers', one.serverUUID)).serving).toMatchObject({
    isOwnAuthority: false,
  })
  const args = readFileSync(at('args'), 'utf8').split('\n')
  expect(args).toEqual(expect.arrayContaining(['--dns=desec', '--domains=dns1.example.com', 'run']))
  expect(args.join('\n')).not.toContain(secret)
  const environment = readFileSync(at('env'), 'utf8').trim().split('\n')
  const names = environment
    .map((line) => line.split('=')[0])
    .filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name ?? ''))
  expect(names.sort()).toEqual(['AWS_EC2_METADATA_DISABLED', 'DESEC_TOKEN', 'HOME', 'LANG', 'PATH', 'TMPDIR'])
  expect(readFileSync(at('files'), 'utf8')).toContain(
    '/accounts/acme-v02.api.letsencrypt.org/without-email/account.json',
  )
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('kelid-lego-'))).toEqual(before)
  const [row] = await shop.product.sql(
    `SELECT * FROM host_certificates WHERE host_uuid = $1 AND use = 'dns'`,
    one.serverUUID,
  )
  expect(row?.sealed.toString('latin1')).not.toContain('PRIVATE KEY')
})

test('it is renewed by a run 30 days before its end, or in the last third of a shorter life, and not earlier', async () => {
  const { clock, sql } = shop.product
  issues({ name: 'dns2.example.com' })
  const two = await server('dns2.example.com')
  await two.run()
  const left = `SELECT until - renew_at = interval '30 days' AS is_right FROM host_certificates WHERE host_uuid = $1 AND use = 'dns'`
  expect(await sql(left, two.serverUUID)).toEqual([{ is_right: true }])
  expect(await two.maintained()).toBe(0)

  // With the day before now it lives for nine days.
  const first = issues({ name: 'dns3.example.com', days: 8 })
  const three = await server('dns3.example.com')
  await three.run()
  clock.advance(4.9 * day)
  expect(await three.maintained()).toBe(0)
  clock.advance(0.2 * day)
  const second = issues({ name: 'dns3.example.com' })
  expect(await three.maintained()).toBe(1)
  expect(ansible.description(three.serverUUID).certificate).toMatchObject(second)
  expect(second).not.toEqual(first)
  expect(await three.maintained()).toBe(0)
})

test('a failed renewal keeps the valid certificate, says why without secrets, and is repeated with growing pauses', async () => {
  const { clock } = shop.product
  const issued = issues({ name: 'dns7.example.com', days: 5 })
  const seven = await server('dns7.example.com')
  await seven.run()
  clock.advance(3.5 * day)
  const words = `2026/11/19 01:00:00 Could not obtain certificates:\nerror: 403 for token ${secret}\n`
  writeFileSync(at('fails'), words)
  for (const pause of [...issuancePauses, issuancePauses.at(-1) ?? 0]) {
    const before = calls()
    expect([await seven.maintained(), calls()]).toEqual([1, before + 1])
    clock.advance(pause - 1)
    expect(await seven.maintained(), 'in the pause').toBe(0)
    clock.advance(1)
  }
  expect(await seven.state()).toBe('ready')
  expect(ansible.description(seven.serverUUID).certificate).toMatchObject(issued)
  const log = await seven.log()
  expect(log).toContain('could not be renewed by DNS-01')
  expect(log).toContain('error: 403 for token [hidden]')
  expect(log).not.toContain(secret)
})

test('without a certificate the run fails with the reason; in the pause lego is not called, and a saved provider ends it', async () => {
  writeFileSync(at('fails'), 'acme: error: the account has no zone\n')
  const four = await server('dns4.example.com')
  await four.run()
  expect(await four.state()).toBe('failed')
  expect(await four.log()).toContain('no zone')
  expect(await four.log()).toContain('nothing was changed on the host')
  const again = async () => {
    shop.product.clock.advance(1_000)
    await (await admin()).ask(provisionServer, { serverUUID: four.serverUUID })
    await four.run()
  }
  issues({ name: 'dns4.example.com' })
  await again()
  expect([calls(), await four.state()]).toEqual([1, 'failed'])
  expect(await four.log()).toContain('the next one begins after')
  await saveProvider()
  await again()
  expect([calls(), await four.state()]).toEqual([2, 'ready'])
})

test('another directory issues another certificate', async () => {
  issues({ name: 'dns8.example.com' })
  const eight = await server('dns8.example.com')
  await eight.run()
  const acmeDirectory = 'https://staging.example.com/directory'
  const certificates = { ...defaultSettings.certificates, source: 'dns' as const, acmeDirectory }
  await shop.product.settings({ certificates })
  await keepAccount(acmeDirectory)
  const other = issues({ name: 'dns8.example.com' })
  shop.product.clock.advance(1_000)
  await (await admin()).ask(provisionServer, { serverUUID: eight.serverUUID })
  await eight.run()
  expect(ansible.description(eight.serverUUID).certificate).toMatchObject(other)
})

test('what lego returns is checked like what a host returns', async () => {
  issues({ name: 'another.example.com' })
  const five = await server('dns5.example.com')
  await five.run()
  expect(await five.log()).toContain('cannot be used: it is for another name')
})

test('a missing lego is a clear refusal', async () => {
  rmSync(lego)
  const six = await server('dns6.example.com')
  await six.run()
  expect(await six.log()).toContain('The program lego is not installed on this installation')
})
