import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getAccount, newAccount } from '@kelid/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runningClock, testClock } from '../../../test/clock.ts'
import { until } from '../../../test/faults/remote.ts'
import { openProductWithNodes, type ProductWithNodes } from '../../../test/nodes.ts'
import {
  directAccount,
  openProduct,
  sampleServer,
  trojanServer,
  tunnelledAccount,
} from '../../../test/product.ts'
import { openRealCore, type RealCore } from '../../../test/real/core.ts'
import { openMihomo, openRealApp, type RealCustomer } from '../../../test/real/customer.ts'
import { openRealServer } from '../../../test/real/host.ts'
import { openPages } from '../../../test/real/pages.ts'
import { leftOut, mihomo, singBox } from '../../../test/real/programs.ts'
import { issueServerCertificate } from '../authority/authority.ts'

const run = promisify(execFile)
const reason = leftOut && ` (left out: ${leftOut})`

/** The real core with a certificate of the product's own authority, its agent, and sing-box with the subscription's file. */
describe.skipIf(leftOut).each([
  ['hysteria2', 'hysteria', sampleServer, directAccount],
  // A copy, because each reading of the sample gives another name.
  ['trojan', 'trojan', { ...trojanServer }, tunnelledAccount],
] as const)(
  `a customer of a %s server that nobody else vouches for${reason}`,
  (_, protocol, wanted, account) => {
    let product: ProductWithNodes
    let folder: string
    let pages: Awaited<ReturnType<typeof openPages>>
    let server: Awaited<ReturnType<typeof openRealServer>>
    const cores: RealCore[] = []
    beforeAll(async () => {
      product = await openProductWithNodes({ clock: runningClock() })
      folder = await mkdtemp(join(tmpdir(), 'kelid-apps-'))
      pages = await openPages()
      const uuid = await product.server(wanted)
      await product.tunnel()
      const { serverURL: name } = wanted
      server = await openRealServer(product, folder, { uuid, name, protocol, table: 'none' })
    })
    afterAll(async () => {
      for (const core of cores) await core.stop()
      await server?.close()
      pages?.close()
      await product.close()
      await rm(folder, { recursive: true })
    })

    /** What the subscription gives to an app, once the agent has said who signs. */
    async function subscribe(userAgent: string): Promise<string> {
      const reseller = await product.person({ points: 1_000, tunnelCredit: 100 })
      const { accountUUID, accountSubscriptionPath } = (await reseller.call(newAccount, account)).answer()
      const link = async () => (await reseller.call(getAccount, { accountUUID })).answer().accountQRString
      await until(async () => /&p(?:cs|inSHA256)=[0-9a-f]{64}#/.test(await link()), 'the agent’s word')
      return (await product.raw(accountSubscriptionPath, { headers: { 'user-agent': userAgent } })).text()
    }
    async function foreignCertificate() {
      const other = await openProduct({ clock: testClock(new Date()) })
      const foreign = await issueServerCertificate(other.ctx, wanted.serverURL)
      await other.close()
      return foreign
    }
    const pageBy = async (app: RealCustomer, within = 3) => {
      const page = await app.fetch(pages.page, within)
      app.close()
      return page
    }

    test('comes in with sing-box and its file, and not with another authority or none', async () => {
      const text = await subscribe('SFA/1.13.2')
      const file = join(folder, 'subscription.json')
      await writeFile(file, text)
      await run(singBox, ['check', '-c', file])
      const [outbound] = JSON.parse(text).outbounds
      const here = { ...outbound, server: '127.0.0.1', server_port: server.core.port }
      const fetchWith = async (tls: object) => pageBy(await openRealApp(folder, { ...here, tls }))
      await until(async () => (await fetchWith(outbound.tls)) === 'a page', 'a page for the customer')
      const foreign = (await foreignCertificate()).ca.trim().split('\n')
      expect(await fetchWith({ ...outbound.tls, certificate: foreign })).toBe('')
      const { certificate: _, ...nobody } = outbound.tls
      expect(await fetchWith(nobody)).toBe('')
    })

    const noMihomo = mihomo ? '' : ' (left out: no mihomo has been built on this machine)'
    test.skipIf(!mihomo)(
      `comes in with mihomo and its file, and not by another pin or none${noMihomo}`,
      async () => {
        const text = await subscribe('mihomo/1.19.27')
        const file = join(folder, 'subscription.yaml')
        await writeFile(file, text)
        await run(mihomo, ['-t', '-d', folder, '-f', file])
        const [proxy] = parse(text).proxies
        const here = { ...proxy, server: '127.0.0.1', port: server.core.port }
        const fetchWith = async (change: object) =>
          pageBy(await openMihomo(folder, { ...here, ...change }, pages.page))
        await until(async () => (await fetchWith({})) === 'a page', 'a page for the customer')
        expect(await fetchWith({ fingerprint: 'ab'.repeat(32) })).toBe('')
        expect(await fetchWith({ fingerprint: undefined })).toBe('')
      },
    )

    /** Another core with the same accounts. */
    async function coreWith(certificate: { chain: string; key: string }, name: string) {
      const core = await openRealCore(join(folder, name), protocol, certificate)
      cores.push(core)
      const { inbounds } = JSON.parse(await readFile(server.core.accountsFile, 'utf8'))
      const { settings } = inbounds[0]
      const inbound = JSON.parse(await readFile(core.inboundFile, 'utf8'))
      await core.stop()
      await writeFile(core.accountsFile, JSON.stringify({ inbounds: [{ ...inbound, settings }] }))
      await core.start()
      return core
    }

    test('is not taken in by a stranger who adds our authority to a certificate of their own', async () => {
      const [outbound] = JSON.parse(await subscribe('SFA/1.13.2')).outbounds
      const [proxy] = parse(await subscribe('mihomo')).proxies
      const isKnown = async () => (await readFile(server.core.accountsFile, 'utf8')).includes(proxy.password)
      await until(isKnown, 'both accounts in the core’s own file')
      const ours = await issueServerCertificate(product.ctx, wanted.serverURL)
      const { chain, ca, key } = await foreignCertificate()
      const forged = { chain: chain.replace(ca, ours.ca), key }
      expect(forged.chain).not.toContain(ca)
      for (const [certificate, page] of [
        [ours, 'a page'],
        [forged, ''],
      ] as const) {
        const core = await coreWith(certificate, page ? 'ours' : 'forged')
        const here = { server: '127.0.0.1' }
        const app = await openRealApp(folder, { ...outbound, ...here, server_port: core.port })
        expect(await pageBy(app)).toBe(page)
        if (mihomo) {
          const other = await openMihomo(folder, { ...proxy, ...here, port: core.port }, pages.page)
          expect(await pageBy(other)).toBe(page)
        }
      }
    })
  },
)
