import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { VpnType } from '@kelid/contract'
import { formsOf } from '../../apps/api/src/features/vpn-types/vpn-types.ts'
import { readLink } from './accounts.ts'
import { addAccount } from './core-api.ts'
import { openCustomer } from './customer.ts'
import { bootHost } from './host.ts'
import { common } from './provision.ts'
import { memo, own, setUp, vpn, world } from './stage.ts'
import { openXray } from './xray.ts'

type RealityType = Extract<VpnType, `vless-${string}`>

async function openServer(vpnType: RealityType, at: string) {
  const host = await bootHost(vpnType, at)
  const name = `${vpnType}.example`
  const { d = '', x: publicKey = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  const shortId = randomBytes(8).toString('hex')
  await setUp(host, {
    ...common('server', name),
    certificate: own(name),
    server: {
      ...vpn(vpnType),
      ...{ name, port: 443, tunnel_type: '', relay_keys: [], ws: null },
      // Strangers see the server's own site.
      reality: { target: '', keys: [{ private: d, short_id: shortId }] },
    },
  })
  return { vpnType, host, name, reality: { publicKey, shortId } }
}

/** A direct server of each type with REALITY, set up without the product. */
export const realityReady = memo(async () => {
  await world()
  const [reality, xhttp] = await Promise.all([
    openServer('vless-reality', '198.51.100.18'),
    openServer('vless-xhttp', '198.51.100.19'),
  ])
  return { reality, xhttp }
})

/** A new customer of such a server: with sing-box, or with the core where sing-box cannot connect in this way. */
export async function openRealityCustomer({
  vpnType,
  host,
  name,
  reality,
}: Awaited<ReturnType<typeof openServer>>) {
  const secret = randomUUID()
  const { link, singBox } = formsOf(vpnType)
  await addAccount(host, singBox ? 'vless with vision' : 'vless', secret, secret)
  const accountQRString = link({
    ...{ secret, address: host.address, port: 443, serverName: name, authorityFingerprint: null, reality },
    hello: { fingerprint: 'chrome', alpn: 'none' },
    quic: { obfuscation: '', hopPorts: '' },
  })
  if (!singBox) return openXray({ accountQRString })
  return openCustomer({ ...readLink(accountQRString), authority: '' })
}
