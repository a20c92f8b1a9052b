import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  alpns,
  editHost,
  fingerprints,
  getAccount,
  hasAlpn,
  hasHello,
  hasReality,
  isUnderstoodBy,
  needsTunnel,
  newAccount,
  type SentAccount,
  setEnabled,
  vpnCatalogue,
  vpnTypes,
} from '@kelid/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runningClock, testClock } from '../../../test/clock.ts'
import { folderForAllTests, openForAllTests } from '../../../test/hooks.ts'
import { nodesForAllTests } from '../../../test/nodes.ts'
import { openProduct, type Person } from '../../../test/product.ts'
import { openRealCore, type RealCore } from '../../../test/real/core.ts'
import {
  openMihomo,
  openMihomoWithLinks,
  openRealApp,
  openRealCustomer,
  openXray,
  openXrayWith,
  type RealCustomer,
} from '../../../test/real/customer.ts'
import { openDrops } from '../../../test/real/drops.ts'
import { openRealServer, openRealTunnel, realityOf } from '../../../test/real/host.ts'
import { openPages } from '../../../test/real/pages.ts'
import { leftOut, mihomo, singBox, xray } from '../../../test/real/programs.ts'
import { sampleOf } from '../../../test/sample-hosts.ts'
import { until } from '../../../test/until.ts'
import { issueServerCertificate } from '../authority/authority.ts'
import { formsOf, trusting } from './vpn-types.ts'

const run = promisify(execFile)
const reason = leftOut && ` (left out: ${leftOut})`
const noMihomo = mihomo ? '' : ' (left out: no mihomo has been built on this machine)'

/**
 * Every VPN type of the catalogue: the playbook's inbound in the real core, the built agent, a certificate of our own CA,
 * and the apps of other authors with what the subscription gives them.
 */
describe.skipIf(leftOut).each(vpnTypes)(`a customer of %s${reason}`, (vpnType) => {
  const { server: wanted, account } = sampleOf(vpnType)
  const isTls = vpnCatalogue[vpnType].security === 'tls'
  const hasSingBox = isUnderstoodBy('sing-box', vpnType)
  const product = nodesForAllTests({ clock: runningClock() })
  const folder = folderForAllTests()
  const pages = openForAllTests(openPages)
  const drops = openForAllTests(openDrops)
  let serverUUID: string
  const server = openForAllTests(async () => {
    serverUUID = await product.server(wanted)
    return openRealServer(product, folder, {
      uuid: serverUUID,
      name: wanted.serverURL,
      vpnType,
      table: drops.table,
    })
  })
  let tunnel: Awaited<ReturnType<typeof openRealTunnel>> | undefined
  let reseller: Person
  const cores: RealCore[] = []
  beforeAll(async () => {
    reseller = await product.person({ points: 10_000, tunnelCredit: 1_000 })
    if (needsTunnel(vpnType)) {
      const [tunnelType] = vpnCatalogue[vpnType].tunnelTypes
      const tunnelUUID = await product.tunnel({ ...(tunnelType && { tunnelType }) })
      tunnel = await openRealTunnel(product, join(folder, 'tunnel'), tunnelUUID, server.core.port)
    }
  })
  afterAll(async () => {
    for (const core of cores) await core.stop()
    await tunnel?.close()
  })

  const buy = () => reseller.ask(newAccount, account)

  /** The subscription's answer to an app, once the agent has reported who issued the certificate. */
  async function subscribe(userAgent: string, bought?: SentAccount): Promise<string> {
    const { accountUUID, accountSubscriptionPath } = bought ?? (await buy())
    const link = async () => (await reseller.ask(getAccount, { accountUUID })).accountQRString
    if (isTls) await until(async () => /=[0-9a-f]{64}#/.test(await link()), 'the pin of our CA in the link')
    return (await product.raw(accountSubscriptionPath, { headers: { 'user-agent': userAgent } })).text()
  }
  // After a start the core first learns how the site for strangers answers, for up to five seconds.
  const pageBy = async (app: RealCustomer, within = hasReality(vpnType) ? 10 : 3) => {
    const page = await app.fetch(pages.page, within)
    app.close()
    return page
  }

  async function pageOfOne(open: () => Promise<RealCustomer>, starts: number): Promise<string> {
    const page = await pageBy(await open())
    return page === '' && starts > 1 ? pageOfOne(open, starts - 1) : page
  }

  /** An app with the server's real port instead of the one that customers would use. */
  async function singBoxUser() {
    const text = await subscribe('SFA/1.13.2')
    const file = join(folder, 'subscription.json')
    await writeFile(file, text)
    await run(singBox, ['check', '-c', file])
    const [outbound] = JSON.parse(text).outbounds
    const here = { ...outbound, server: '127.0.0.1', server_port: server.core.port }
    return async (change: object) => pageBy(await openRealApp(folder, { ...here, ...change }))
  }
  async function mihomoUser() {
    const text = await subscribe('mihomo/1.19.27')
    const file = join(folder, 'subscription.yaml')
    await writeFile(file, text)
    await run(mihomo, ['-t', '-d', folder, '-f', file])
    const [proxy] = parse(text).proxies
    const here = { ...proxy, server: '127.0.0.1', port: server.core.port }
    return async (change: object) => pageBy(await openMihomo(folder, { ...here, ...change }, pages.page))
  }

  test.runIf(hasSingBox)('connects with sing-box and its file', async () => {
    const fetchWith = await singBoxUser()
    await until(async () => (await fetchWith({})) === 'a page', 'a page for the customer')
  })

  test('is told by sing-box if that cannot connect', async () => {
    const file = join(folder, 'notice.json')
    await writeFile(file, await subscribe('SFA/1.13.2'))
    await run(singBox, ['check', '-c', file])
    const { outbounds } = JSON.parse(await readFile(file, 'utf8'))
    const tags = outbounds.map(({ tag }: { tag: string }) => tag).join()
    expect(/cannot connect/.test(tags)).toBe(!hasSingBox)
  })

  test.runIf(vpnCatalogue[vpnType].network === 'tcp')('connects with the core and the link', async () => {
    const own = await buy()
    await until(() => isInCoreFile(own), 'the account in the core’s own file')
    const { accountQRString } = await reseller.ask(getAccount, { accountUUID: own.accountUUID })
    const fetchNow = async () =>
      pageBy(await openXray(folder, accountQRString, { port: server.core.port, ca: server.ca }))
    await until(async () => (await fetchNow()) === 'a page', 'a page for the customer')
  })

  test.skipIf(!mihomo)(`connects with mihomo and its file${noMihomo}`, async () => {
    const fetchWith = await mihomoUser()
    await until(async () => (await fetchWith({})) === 'a page', 'a page for the customer')
  })

  test.skipIf(!mihomo)(`connects with the link of the base64 list${noMihomo}`, async () => {
    const link = Buffer.from(await subscribe('v2rayNG/1.10.30'), 'base64').toString()
    const here = link.replace(/@[^/?#]+/, `@127.0.0.1:${server.core.port}`)
    const links = Buffer.from(here).toString('base64')
    const fetchNow = async () => pageBy(await openMihomoWithLinks(folder, links, pages.page))
    await until(async () => (await fetchNow()) === 'a page', 'a page for the customer')
  })

  test('connects with the core and its file', async () => {
    const bought = await buy()
    const fetchNow = async () => {
      await subscribe('', bought)
      const text = await (await product.raw(`${bought.accountSubscriptionPath}?format=xray`)).text()
      const [config] = JSON.parse(text)
      const here = JSON.stringify(config.outbounds[0])
        .replace(/"address":"[^"]*"/, '"address":"127.0.0.1"')
        .replace(/"port":\d+/, `"port":${server.core.port}`)
      return pageBy(await openXrayWith(folder, JSON.parse(here)))
    }
    await until(async () => (await fetchNow()) === 'a page', 'a page for the customer')
  })

  test.runIf(vpnCatalogue[vpnType].transport === 'xhttp')('is logged by its own address', async () => {
    const own = await buy()
    await until(() => isInCoreFile(own), 'the account in the core’s own file')
    const { accountQRString } = await reseller.ask(getAccount, { accountUUID: own.accountUUID })
    const way = { port: server.core.port, ca: server.ca, from: '127.0.0.69' }
    const headers = { 'X-Forwarded-For': '203.0.113.77' }
    const fetchNow = async () => pageBy(await openXray(folder, accountQRString, { ...way, headers }))
    await until(async () => (await fetchNow()) === 'a page', 'a page for the customer')
    const log = await readFile(server.core.accessLog, 'utf8')
    expect(log).toContain('from 127.0.0.69:')
    expect(log).not.toContain(headers['X-Forwarded-For'])
  })

  test('is cut and refused when disabled, and a neighbour at the same address is not', async () => {
    const [own, other] = [await buy(), await buy()]
    const way = { port: server.core.port, ca: server.ca, from: '127.0.0.66' }
    const [customer, neighbour] = [
      await openRealCustomer(folder, own, way),
      await openRealCustomer(folder, other, way),
    ]
    for (const app of [customer, neighbour])
      await until(async () => (await app.fetch(pages.page, 2)) === 'a page', 'a page for a customer')
    const [live, beside] = [customer.stream(pages.stream), neighbour.stream(pages.stream)]
    await until(() => live.bytes() > 0 && beside.bytes() > 0, 'both downloads')
    await reseller.ask(setEnabled, { accountUUID: own.accountUUID, accountEnabled: false })
    await until(() => live.isCut(), 'the cut', 10_000)
    expect(await pageBy(await openRealCustomer(folder, own, way))).toBe('')
    expect(beside.isCut()).toBe(false)
    for (const stream of [live, beside]) stream.end()
    for (const app of [customer, neighbour]) app.close()
  })

  const ownReality = async () =>
    hasReality(vpnType) ? realityOf(product, serverUUID, wanted.serverURL) : undefined
  async function openCore(certificate: { chain: string; key: string }, name: string) {
    const core = await openRealCore(join(folder, name), vpnType, certificate, await ownReality())
    cores.push(core)
    return core
  }
  const isInCoreFile = async ({ accountUUID }: SentAccount) =>
    (await readFile(server.core.accountsFile, 'utf8').catch(() => '')).includes(accountUUID)

  /** Another core that knows accounts only from the file that the agent wrote. */
  async function coreWith(certificate: { chain: string; key: string }, name: string, alpn?: string[]) {
    const core = await openCore(certificate, name)
    const { inbounds } = JSON.parse(await readFile(server.core.accountsFile, 'utf8'))
    const { settings } = inbounds[0]
    const inbound = JSON.parse(await readFile(core.inboundFile, 'utf8'))
    if (alpn) inbound.streamSettings.tlsSettings.alpn = alpn
    await core.stop()
    await writeFile(core.accountsFile, JSON.stringify({ inbounds: [{ ...inbound, settings }] }))
    await core.start()
    return core
  }

  describe.runIf(hasHello(vpnType))('loads every ClientHello that can be chosen, and connects', () => {
    const chosen = [
      ...fingerprints.map((serverFingerprint) => ({ serverFingerprint, serverAlpn: '' as const })),
      ...(hasAlpn(vpnType) ? alpns : []).map((serverAlpn) => ({
        serverFingerprint: '' as const,
        serverAlpn,
      })),
    ]
    let bought: SentAccount
    const ports: number[] = []
    let authority: string
    beforeAll(async () => {
      bought = await buy()
      await until(() => isInCoreFile(bought), 'the account in the core’s own file')
      const certificate = await issueServerCertificate(product.ctx, wanted.serverURL)
      authority = certificate.ca
      for (const alpn of hasAlpn(vpnType) ? [['http/1.1'], ['h2', 'http/1.1']] : [undefined])
        ports.push((await coreWith(certificate, `alpn-${alpn?.length}`, alpn)).port)
    })

    test.each(chosen)('%j', async (hello) => {
      await product.admin.ask(editHost, { hostUUID: serverUUID, ...hello })
      const [outbound] = JSON.parse(await subscribe('SFA/1.13.2', bought)).outbounds
      const [proxy] = parse(await subscribe('mihomo', bought)).proxies
      const { accountQRString } = await reseller.ask(getAccount, { accountUUID: bought.accountUUID })
      if (hello.serverFingerprint) expect(accountQRString).toContain(`&fp=${hello.serverFingerprint}&`)
      for (const port of ports) {
        const here = { server: '127.0.0.1' }
        const opens = [
          ...(hasSingBox ? [() => openRealApp(folder, { ...outbound, ...here, server_port: port })] : []),
          () => openXray(folder, accountQRString, { port, ca: authority }),
          ...(mihomo ? [() => openMihomo(folder, { ...proxy, ...here, port }, pages.page)] : []),
        ]
        // Of the hellos that Xray draws at its start, about one of eighty does not connect.
        const starts = hello.serverFingerprint === 'random' ? 3 : 1
        for (const open of opens) expect(await pageOfOne(open, starts)).toBe('a page')
      }
    })
  })

  test('gets through, says the probe, as long as there is a server', async () => {
    const { serverURL: name } = wanted
    const core = await openCore(await issueServerCertificate(product.ctx, name), 'probed')
    const authorities = [server.ca]
    const reality = await ownReality()
    const target = { address: '127.0.0.1', port: core.port, name, authorities, ...(reality && { reality }) }
    const tools = { core: xray, trusted: trusting(authorities) }
    const { probe } = formsOf(vpnType)
    expect((await probe.run(target, tools)).outcome).toBe('ANSWERED')
    if (isTls) {
      const untrusting = { ...tools, trusted: trusting([]) }
      for (const [other, by] of [
        [{ ...target, authorities: [] }, untrusting],
        [{ ...target, name: 'other.example.com' }, tools],
      ] as const)
        expect((await probe.run(other, by)).outcome).toBe('CERTIFICATE')
    }
    await core.stop()
    expect((await probe.run(target, tools)).outcome).toMatch(/^(?:REFUSED|TIMEOUT)$/)
  })

  test('is admitted by a restarted core, which has only its own file', async () => {
    const own = await buy()
    await until(() => isInCoreFile(own), 'the account in the core’s own file')
    const { chain, key, ca } = await issueServerCertificate(product.ctx, wanted.serverURL)
    const { port } = await coreWith({ chain, key }, 'restarted')
    const customer = await openRealCustomer(folder, own, { port, ca, from: '127.0.0.67' })
    expect(await pageBy(customer)).toBe('a page')
  })

  describe.runIf(isTls)('checks the certificate', () => {
    async function foreignCertificate() {
      const other = await openProduct({ clock: testClock(new Date()) })
      const foreign = await issueServerCertificate(other.ctx, wanted.serverURL)
      await other.close()
      return foreign
    }

    test('sing-box refuses another CA, and ours without the pin', async () => {
      const fetchWith = await singBoxUser()
      await until(async () => (await fetchWith({})) === 'a page', 'a page for the customer')
      const [{ tls }] = JSON.parse(await subscribe('SFA/1.13.2')).outbounds
      const foreign = (await foreignCertificate()).ca.trim().split('\n')
      expect(await fetchWith({ tls: { ...tls, certificate: foreign } })).toBe('')
      expect(await fetchWith({ tls: { ...tls, certificate: undefined } })).toBe('')
    })

    test.skipIf(!mihomo)(`mihomo refuses another pin and none${noMihomo}`, async () => {
      const fetchWith = await mihomoUser()
      await until(async () => (await fetchWith({})) === 'a page', 'a page for the customer')
      expect(await fetchWith({ fingerprint: 'ab'.repeat(32) })).toBe('')
      expect(await fetchWith({ fingerprint: undefined })).toBe('')
    })

    test('a foreign certificate with our CA appended is refused', async () => {
      const own = await buy()
      const [outbound] = JSON.parse(await subscribe('SFA/1.13.2', own)).outbounds
      const [proxy] = parse(await subscribe('mihomo', own)).proxies
      await until(() => isInCoreFile(own), 'the account in the core’s own file')
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
  })
})
