import { X509Certificate } from 'node:crypto'
import {
  addServer,
  defaultSettings,
  getServer,
  provisionServer,
  removeHost,
  setSettings,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { seconds } from './commands.ts'
import { bootHost } from './host.ts'
import { hysteria, productKey, trust } from './installation.ts'
import { answerAs } from './pebble.ts'
import { call, ownCertificates, settled } from './product.ts'
import { names } from './resolver.ts'
import { pebble } from './stage.ts'

test('with the default settings a server gets and renews an ACME certificate from an account without an e-mail', async () => {
  const key = await productKey()
  await pebble()
  const { certificates } = defaultSettings
  const close = await answerAs(new URL(certificates.acmeDirectory))
  const host = await bootHost('api-acme', '198.51.100.40')
  const body = hysteria('api-acme', host)
  const { serverUUID, serverURL } = body
  names.set(serverURL, host.address)
  await trust(host, key)
  await call(setSettings, { certificates })
  try {
    await call(addServer, body)
    const since = performance.now()
    const log = await settled('server', serverUUID)
    console.log(`a server by ACME without an e-mail in ${seconds(since)}`)
    expect((await call(getServer, { serverUUID })).serverState, log).toBe('ready')
    const leaf = async () => new X509Certificate(await host.say('cat /etc/kelid/certificate/chain.pem'))
    const first = await leaf()
    expect([first.checkHost(serverURL), first.issuer]).toEqual([
      serverURL,
      expect.stringContaining('Pebble Intermediate'),
    ])
    const accounts = await host.say('cat /etc/kelid/acme/*/accounts/*/*/account.json')
    expect(JSON.parse(accounts)).toMatchObject({ email: '', registration: { body: { status: 'valid' } } })
    await call(provisionServer, { serverUUID })
    expect(await settled('server', serverUUID)).toMatch(/target\s+:.*changed=0\b/)
    await host.say('systemctl start kelid-certificate.service')
    expect((await leaf()).serialNumber).not.toBe(first.serialNumber)
  } finally {
    close()
    await call(setSettings, { certificates: ownCertificates })
    await call(removeHost, { hostUUID: serverUUID })
  }
})
