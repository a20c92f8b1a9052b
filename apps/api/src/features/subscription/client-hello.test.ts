import {
  type ClientHello,
  defaultSettings,
  editHost,
  getAccount,
  getServer,
  getSettings,
  newAccount,
  setSettings,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { productForAllTests, runOf } from '../../../test/product.ts'
import { trojanServer, tunnelledAccount } from '../../../test/sample-hosts.ts'

const product = productForAllTests()

async function sell() {
  const serverUUID = await product.server(trojanServer())
  await product.tunnel()
  const reseller = await product.person({ points: 1_000, tunnelCredit: 1_000 })
  const { accountUUID, accountSubscriptionPath } = await reseller.ask(newAccount, tunnelledAccount)
  const fileFor = async (userAgent: string) =>
    (await product.raw(accountSubscriptionPath, { headers: { 'user-agent': userAgent } })).text()
  const inLink = (link: string) => {
    const { searchParams } = new URL(link)
    return [searchParams.get('fp'), searchParams.get('alpn')]
  }
  /** Fingerprint and ALPN in the QR code, the base64 list, and the files of sing-box and mihomo. */
  async function shown() {
    const { accountQRString } = await reseller.ask(getAccount, { accountUUID })
    const [{ tls }] = JSON.parse(await fileFor('SFA/1.13.2')).outbounds
    const [proxy] = parse(await fileFor('mihomo/1.19.27')).proxies
    return [
      inLink(accountQRString),
      inLink(Buffer.from(await fileFor('v2rayNG/1.10.30'), 'base64').toString()),
      [tls.utls.fingerprint, tls.alpn?.join() ?? null],
      [proxy['client-fingerprint'], proxy.alpn?.join() ?? null],
    ]
  }
  return { serverUUID, shown, events: reseller.id }
}
const everywhere = (fingerprint: string, alpn: string | null) => Array(4).fill([fingerprint, alpn])

test('fingerprint and ALPN of links follow the settings and the server at once, without provisioning', async () => {
  const { serverUUID, shown, events } = await sell()
  const run = await runOf(product, serverUUID)
  const edit = (change: object) => product.admin.call(editHost, { hostUUID: serverUUID, ...change })
  expect(await shown()).toEqual(everywhere('chrome', 'h2,http/1.1'))

  const hello: ClientHello = { fingerprint: 'firefox', alpn: 'http/1.1' }
  const { clientHello: before } = await product.admin.ask(getSettings, {})
  await product.admin.ask(setSettings, { clientHello: { trojan: hello }, basedOn: { clientHello: before } })
  expect(await shown()).toEqual(everywhere('firefox', 'http/1.1'))

  const own = { serverFingerprint: 'safari', serverAlpn: 'none' } as const
  const [{ count }] = await product.sql(`SELECT count(*)::int FROM events WHERE user_id = $1`, events)
  expect((await edit({ ...own, basedOn: { serverFingerprint: '', serverAlpn: '' } })).status).toBe(200)
  expect(await shown()).toEqual(everywhere('safari', null))
  const [{ count: after }] = await product.sql(`SELECT count(*)::int FROM events WHERE user_id = $1`, events)
  expect(after).toBe(count + 1)
  expect((await product.lastAudit())?.auditDetail).toMatchObject({
    'from.serverAlpn': '',
    'to.serverAlpn': 'none',
  })
  expect((await edit({ serverAlpn: '', basedOn: { serverAlpn: '' } })).errorType).toBe('CHANGED_MEANWHILE')

  await edit({ serverAlpn: '' })
  expect(await shown()).toEqual(everywhere('safari', 'http/1.1'))
  await edit({ serverFingerprint: '' })
  await product.admin.ask(setSettings, { clientHello: defaultSettings.clientHello })
  expect(await shown()).toEqual(everywhere('chrome', 'h2,http/1.1'))
  expect(await runOf(product, serverUUID)).toEqual(run)
  expect((await product.admin.ask(getServer, { serverUUID })).serverState).toBe('ready')
})

test('fingerprints that do not work in every app are refused, and so is any of a type without TLS over TCP', async () => {
  const { serverUUID } = await sell()
  const direct = await product.server()
  for (const serverFingerprint of ['randomized', 'android', '360', 'hellochrome_131', 'Chrome'])
    expect(
      await product.admin.refusal(editHost, { hostUUID: serverUUID, serverFingerprint } as never),
      serverFingerprint,
    ).toBe('INCOMPLETE_INFORMATION')
  expect(await product.admin.refusal(editHost, { hostUUID: direct, serverFingerprint: 'chrome' })).toBe(
    'NO_CLIENT_HELLO',
  )
})
