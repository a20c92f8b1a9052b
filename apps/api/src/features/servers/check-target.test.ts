import type { LookupAllOptions } from 'node:dns'
import type { ConnectionOptions } from 'node:tls'
import { checkRealityTarget } from '@kelid/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { sampleOf, unusedAddress } from '../../../test/sample-hosts.ts'
import { openSites } from '../../../test/sites.ts'

/** Names that lead to this machine, the ports there, and who signs certificates there. */
const world = vi.hoisted(() => ({ ports: new Map<string, number>(), ca: '' }))

vi.mock('node:dns/promises', async (original) => {
  const dns = await original<typeof import('node:dns/promises')>()
  const lookup = async (name: string, options: LookupAllOptions) =>
    world.ports.has(name) ? [{ address: '127.0.0.1', family: 4 }] : dns.lookup(name, options)
  return { ...dns, lookup }
})

/** Sites cannot have port 443 here, and the public authorities sign none of them. */
vi.mock('node:tls', async (original) => {
  const tls = await original<typeof import('node:tls')>()
  const connect = (options: ConnectionOptions) => {
    const port = world.ports.get(options.servername ?? '')
    return tls.connect(port ? { ...options, port, ca: world.ca } : options)
  }
  return { ...tls, connect }
})

const product = productForAllTests({ env: { KELID_ALLOW_RESERVED_TARGETS: 'yes' } })
const sites = openSites()
world.ca = sites.ca
beforeAll(async () => {
  const open = async (name: string, ...how: [certificateFor?: string, options?: object]) =>
    world.ports.set(name, await sites.open(how[0] ?? name, how[1]))
  await open('good.example')
  await open('old.example', undefined, { maxVersion: 'TLSv1.2' })
  await open('plain.example', undefined, { ALPNProtocols: ['http/1.1'] })
  await open('own.example', undefined, { isSelfSigned: true })
  await open('wrong.example', 'other.example')
  await open('bad.example', 'other.example', { maxVersion: 'TLSv1.2', ALPNProtocols: undefined })
  world.ports.set('closed.example', 1)
})
afterAll(() => sites.close())

const check = (serverRealityTarget: string, change: object = {}) =>
  product.admin.ask(checkRealityTarget, { serverRealityTarget, serverSNIAddress: '', ...change })

test.each([
  ['good.example', []],
  ['old.example', ['NO_TLS13']],
  ['plain.example', ['NO_H2']],
  ['own.example', ['CERTIFICATE']],
  ['wrong.example', ['CERTIFICATE']],
  ['bad.example', ['NO_TLS13', 'NO_H2', 'CERTIFICATE']],
  ['closed.example', ['UNREACHABLE']],
  ['nowhere.invalid', ['UNREACHABLE']],
])('%s has the problems %j', async (target, problems) => {
  expect((await check(target)).targetProblems).toEqual(problems)
})

test('the certificate must be for the name that customers say', async () => {
  world.ports.set('other.example', world.ports.get('wrong.example') ?? 0)
  const { targetProblems } = await check('wrong.example', { serverSNIAddress: 'other.example' })
  expect(targetProblems).toEqual([])
})

test('servers that show the site already are named, without the one that is changed', async () => {
  const { server } = sampleOf('vless-reality')
  const add = (serverName: string, serverRealityTarget: string) =>
    product.server({ ...server, serverName, serverRealityTarget, serverIPV4: unusedAddress() })
  const first = await add('fra-1', 'good.example')
  await add('fra-2', 'good.example')
  await add('fra-3', 'plain.example')
  expect((await check('good.example')).usedBy.toSorted()).toEqual(['fra-1', 'fra-2'])
  expect((await check('good.example', { serverUUID: first })).usedBy).toEqual(['fra-2'])
  expect((await check('own.example')).usedBy).toEqual([])
})
