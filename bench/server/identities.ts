import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { VpnType } from '@kelid/contract'
import pg from 'pg'
import { keyPem, newKeyPair, signCertificate } from '../../apps/api/src/features/authority/certificate.ts'
import { createSeal } from '../../apps/api/src/lib/seal.ts'
import { connectionTo } from './fill.ts'
import { secretKey } from './product-process.ts'

/** Certificates of a server's agent and core. */
export interface Identity {
  readonly uuid: string
  readonly vpnType: VpnType
  readonly url: string
  readonly ca: string
  readonly certificate: string
  readonly key: string
  /** Of the core, under the server's name. */
  readonly served: { readonly chain: string; readonly key: string }
}

const day = 86_400_000

/** Signs certificates for every server, like the product when it provisions one. */
export async function identitiesOf(dataDir: string): Promise<Identity[]> {
  const client = new pg.Client(await connectionTo(dataDir))
  await client.connect()
  try {
    const [authority] = (
      await client.query<{ certificate: string; key: Buffer }>('SELECT certificate, key FROM authority')
    ).rows
    if (!authority) throw new Error('the product has no authority yet')
    const { certificate: ca, key } = authority
    const signer = {
      name: new X509Certificate(ca).subject.replace(/^CN=/, ''),
      key: createPrivateKey(createSeal(secretKey).open('authority.key.1', key)),
    }
    const sign = (use: 'client' | 'server', name: string, hosts: string[] = []) => {
      const { publicKey, privateKey } = newKeyPair()
      const [from, until] = [new Date(Date.now() - day), new Date(Date.now() + day)]
      const { pem } = signCertificate(signer, { name, use, publicKey, from, until, hosts })
      return { pem, key: keyPem(privateKey) }
    }
    const { rows } = await client.query<{ uuid: string; vpn_type: VpnType; url: string }>(
      'SELECT uuid, vpn_type, url FROM servers ORDER BY uuid',
    )
    return rows.map(({ uuid, vpn_type: vpnType, url }) => {
      const own = sign('client', `node:${uuid}`)
      const served = sign('server', url, [url])
      return {
        ...{ uuid, vpnType, url, ca, certificate: own.pem, key: own.key },
        served: { chain: served.pem + ca, key: served.key },
      }
    })
  } finally {
    await client.end()
  }
}
