import {
  dnsProviders,
  getAudit,
  getDnsProvider,
  getSettings,
  readDnsCredentials,
  setDnsProvider,
  setSettings,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import type { Body } from '../../../test/calls.ts'
import { productForAllTests } from '../../../test/product.ts'
import { dnsCredentials } from './dns-provider.ts'

const product = productForAllTests()
const secret = 'Canary-of-the-token'
const set = (body: Body<typeof setDnsProvider>) => product.admin.call(setDnsProvider, body)

test('certificates by DNS-01 need a provider, whose credentials are sealed and never shown again', async () => {
  const { admin } = product
  expect(await admin.ask(getDnsProvider, {})).toEqual({ dnsProvider: '', dnsVariables: [] })
  const { certificates } = await admin.ask(getSettings, {})
  const byDns = { certificates: { ...certificates, source: 'dns' as const } }
  expect((await admin.call(setSettings, byDns)).errorType).toBe('DNS_PROVIDER_MISSING')

  const lines = `CF_DNS_API_TOKEN=${secret}\r\n\n CLOUDFLARE_PROPAGATION_TIMEOUT=300\n`
  const reply = await set({ dnsProvider: 'cloudflare', dnsCredentials: lines })
  const dnsVariables = ['CF_DNS_API_TOKEN', 'CLOUDFLARE_PROPAGATION_TIMEOUT']
  expect(reply.answer()).toEqual({ dnsProvider: 'cloudflare', dnsVariables })
  expect(await admin.ask(getDnsProvider, {})).toEqual({ dnsProvider: 'cloudflare', dnsVariables })
  expect((await admin.ask(setSettings, byDns)).certificates.source).toBe('dns')
  expect(await dnsCredentials(product.ctx)).toMatchObject({ variables: { CF_DNS_API_TOKEN: secret } })

  const [row] = await product.sql('SELECT sealed FROM dns_provider')
  expect(row?.sealed.toString('latin1')).not.toContain(secret)
  const { items } = await admin.ask(getAudit, { limit: 3 })
  expect(items.map(({ auditAction }) => auditAction)).toContain('setdnsprovider')
  expect(JSON.stringify(items) + product.logs.join('')).not.toContain(secret)
})

test.each([
  ['desec', 'PATH=/tmp'],
  ['desec', 'DESEC_TOKEN=x\nLD_PRELOAD=/tmp/x.so'],
  ['desec', 'DESEC_TOKEN=x\nLEGO_PATH=/etc'],
  ['desec', 'DESEC_TOKEN=x\nHTTPS_PROXY=http://192.0.2.1'],
  ['desec', 'DESEC_TOKEN_FILE=/etc/shadow'],
  ['desec', 'desec_token=x'],
  ['desec', 'DESEC_TOKEN=x\nDESEC_TOKEN=y'],
  ['desec', 'DESEC_TOKEN=\u0007'],
  ['desec', 'DESEC_TOKEN='],
  ['desec', 'DESEC_HTTP_TIMEOUT=/etc/shadow'],
  ['desec', 'HETZNER_API_KEY=x'],
  ['desec', 'no line of this kind'],
  ['route53', 'AWS_SHARED_CREDENTIALS_FILE=/root/.aws/credentials'],
  ['route53', 'AWS_PROFILE=other'],
  ['exec', 'EXEC_PATH=/tmp/program'],
  ['manual', 'A=b'],
  ['toString', 'A=b'],
  ['gcloud', 'GCE_SERVICE_ACCOUNT_FILE=/etc/shadow'],
])('provider %s with %j is refused', async (dnsProvider, dnsCredentials) => {
  const { errorType } = await set({ dnsProvider: dnsProvider as 'desec', dnsCredentials })
  expect(errorType).toBe('INCOMPLETE_INFORMATION')
})

test('no provider has a variable for a file, a program or the behaviour of lego', () => {
  const bad = ['EXEC_PATH', 'X_FILE', 'X_PATH', 'LEGO_X', 'LD_X', 'PATH', 'HOME', 'SSL_CERT_FILE', 'GODEBUG']
  for (const provider of dnsProviders)
    for (const name of bad) expect(readDnsCredentials(provider, `${name}=x`), provider).toBeNull()
  expect(dnsProviders).not.toContain('exec')
})

test.each(['http://127.0.0.1:8080/', 'http://169.254.169.254/latest', 'http://[::1]/', 'http://localhost/'])(
  'lego is not sent to %s',
  async (address) => {
    const dnsCredentials = `HTTPREQ_ENDPOINT=${address}`
    expect((await set({ dnsProvider: 'httpreq', dnsCredentials })).errorType).toBe('FORBIDDEN_TARGET')
    const nameserver = 'RFC2136_NAMESERVER=127.0.0.1:53'
    expect((await set({ dnsProvider: 'rfc2136', dnsCredentials: nameserver })).errorType).toBe(
      'FORBIDDEN_TARGET',
    )
  },
)
